internal import Configuration
internal import Platform
internal import SearchIndex

/// Brings the texts of attachments into the indexes of accounts, by the filters of the configuration, once their syncs are over.
struct TextStage: Sendable {
  private let accounts: [Account]
  private let settings: IndexFilterSettings

  /// - Parameters:
  ///   - configuration: with the filters.
  ///   - accounts: of which some may want no index.
  init(_ configuration: Configuration, _ accounts: [Account]) {
    settings = configuration.indexFilters
    self.accounts = settings.filters.isEmpty ? [] : accounts.filter(\.isIndexed)
  }

  /// Whether there is never anything to do.
  var isEmpty: Bool { accounts.isEmpty }

  /// Makes text of attachments, for about so many seconds at most; nil for as long as it takes.
  ///
  /// - Parameters:
  ///   - seconds: what is not begun by then is left to the next run.
  ///   - interruption: ends the work.
  ///   - report: told what came of it, account by account.
  func extractTexts(
    within seconds: Double?,
    _ interruption: Interruption,
    _ report: (_ account: String, Result<FilterReport, IndexError>) -> Void
  ) {
    let deadline = seconds.map { Deadline.after(seconds: $0) } ?? .never
    for account in accounts where !deadline.isPast && !interruption.isRequested {
      do throws(IndexError) {
        guard let index = try Self.index(of: account, interruption) else { continue }
        var extraction = Extraction(index, settings, interruption: interruption)
        let result = try extraction.extractTexts(until: deadline)
        if !result.isQuiet { report(account.name, .success(result)) }
      } catch {
        // Another program writes to the index, or has just written: the next run sees to it.
        if !error.isTemporary { report(account.name, .failure(error)) }
      }
    }
  }

  /// Nil where there is no index yet.
  private static func index(
    of account: Account,
    _ interruption: Interruption
  ) throws(IndexError) -> SearchIndex? {
    do throws(SystemError) {
      guard try FileSystem.status(account.maildir) != nil else { return nil }
      var index = SearchIndex(try IndexPlace.of(account.maildir))
      index.interruption = interruption
      return index
    } catch {
      throw .system(error)
    }
  }
}
