internal import Configuration
package import MailModel
internal import Octets
internal import Platform
internal import SearchIndex
internal import SyncEngine
internal import SyncState
internal import Triage

/// Something that is reported of messages that did not reach a recipient.
package enum BounceOutcome: Sendable {
  /// So many sent messages are known now not to have reached a recipient.
  case bounced(Int)
  /// Reports could not be looked for, or their messages not tagged.
  case problem(Explanation)
}

/// Looks for reports of failures where a sync brought mail to an account that sends, or one before it may not have come to that.
final class BounceStage: Sendable {
  private struct State: Sendable {
    /// The accounts whose sync is past this.
    var handled: Set<String> = []
    /// The accounts whose index was searched to its end when their sync began.
    var searched: Set<String> = []
  }

  private let configuration: Configuration
  private let stateHome: Path
  private let accounts: [String: Account]
  private let state = Monitor(State())

  /// Nil where none of the accounts sends and keeps tags on its server.
  init?(_ configuration: Configuration, _ accounts: [Account], stateHome: Path) {
    let own = accounts.filter { account in
      account.server != nil && account.isIndexed && account.sync.direction == .both
        && configuration.sender(named: account.name) != nil
    }
    guard !own.isEmpty else { return nil }
    self.configuration = configuration
    self.stateHome = stateHome
    self.accounts = Dictionary(first: own.map { ($0.name, $0) })
  }

  /// Looks for them once where all mail of a sync is in place and indexed.
  ///
  /// - Parameters:
  ///   - event: what happened.
  ///   - indexed: what became of the index with it; nil where that was not waited for, or failed.
  /// - Returns: what is to be reported; nil for nothing.
  func handleEvent(_ event: SyncEvent, _ indexed: IndexReport?) -> BounceOutcome? {
    switch event.kind {
    case .started:
      guard let account = accounts[event.account] else { return nil }
      let isSearched = ReportSearch(of: account, in: stateHome).isComplete
      state.withLock { state in
        state.handled.remove(account.name)
        if isSearched {
          state.searched.insert(account.name)
        } else {
          state.searched.remove(account.name)
        }
      }
      return nil
    case .mirrored(let report), .finished(let report):
      guard let account = accounts[event.account], !Interruption.shared.isRequested,
        state.withLock({ $0.handled.insert(account.name).inserted })
      else { return nil }
      let search = ReportSearch(of: account, in: stateHome)
      let wasSearched = state.withLock { $0.searched.contains(account.name) }
      let hasCome = report.total.fetched > 0 || (indexed?.added ?? 0) > 0
      if hasCome || !wasSearched && !report.hasFailed { return look(account, search) }
      // What else the sync changed in the index is no report.
      if wasSearched, indexed != nil { search.record(search.index) }
      return nil
    default: return nil
    }
  }

  private func look(_ account: Account, _ search: ReportSearch) -> BounceOutcome? {
    // Before the search: what others add meanwhile is left to the next sync.
    let index = search.index
    do throws(Explanation) {
      let count = try Triage(configuration, stateHome: stateHome).markBounces(in: account)
      search.record(index)
      return count > 0 ? .bounced(count) : nil
    } catch {
      // Another command is at work: what is not tagged yet is found by the next sync.
      return error.status == .tryAgain ? nil : .problem(error)
    }
  }
}

/// How far the index of an account was searched for reports, so that a sync without new mail asks it nothing.
///
/// The file `reports` in the account's directory in the state home has what the index was like. Where it is lost, they are looked
/// for once more.
private struct ReportSearch {
  private let file: Path
  private let root: Path

  init(of account: Account, in stateHome: Path) {
    file = AccountPlaces.memory(of: account, in: stateHome).appending("reports")
    root = account.maildir
  }

  /// What the index is like now; nil where there is none.
  var index: [UInt8]? { (try? IndexPlace.of(root).fingerprint()) ?? nil }

  /// Whether nothing was added to the index since it was searched.
  var isComplete: Bool {
    guard let index else { return false }
    return recorded == index
  }

  private var recorded: [UInt8]? { (try? FileSystem.readFile(file, limit: 1000)) ?? nil }

  /// Records that the index was searched when it was like that; not durable, since only a search depends on it.
  func record(_ index: [UInt8]?) {
    guard let index, recorded != index else { return }
    try? FileSystem.makeDirectories(file.parent)
    try? Descriptor.open(file, .truncate).write(all: index)
  }
}

/// Words for sent messages that did not reach a recipient.
package enum BounceWords {
  /// How many there are.
  package static func count(_ count: Int) -> String {
    count == 1 ? "1 sent message bounced" : "\(count) sent messages bounced"
  }
}
