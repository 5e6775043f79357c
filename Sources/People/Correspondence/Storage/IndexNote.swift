package import MailModel
package import Configuration
package import Maildir
package import Platform
internal import SearchIndex

/// Has an account's index show at once what was done to its files.
package enum IndexNote {
  /// Seconds to wait for a program that is writing to the index: what is not taken in now the next sync finds.
  private static let lockTimeout = 0.05

  /// Takes in whatever is different in the files by now, durably; where there is no index nothing is done.
  ///
  /// - Returns: why searches do not find it yet, as where the index is busy or damaged; nil where they do.
  package static func scan(_ account: Account) -> Explanation? {
    change(account) { (index) throws(IndexError) in try index.scan() }
  }

  /// Adds changes to the index, durably; without an index nothing is done.
  ///
  /// - Returns: why searches do not find them yet, as where the index is busy or damaged; nil where they do.
  package static func applyChanges(_ changes: [MaildirChange], of account: Account) -> Explanation?
  {
    guard !changes.isEmpty else { return nil }
    return change(account) { (index) throws(IndexError) in try index.apply(changes) }
  }

  /// Takes in that a file has another name, durably; where it lies in no account that has an index nothing is done.
  ///
  /// - Returns: why searches do not show it yet; nil where they do.
  package static func renamed(
    _ file: MessageFile,
    to target: Path,
    _ configuration: Configuration
  ) -> Explanation? {
    guard file.path != target, let account = file.account(in: configuration), account.isIndexed
    else { return nil }
    return applyChanges([file.renaming(to: target, in: account)], of: account)
  }

  private static func change(
    _ account: Account,
    _ body: (SearchIndex) throws(IndexError) -> IndexReport
  ) -> Explanation? {
    guard let place = try? IndexPlace.of(account.maildir), place.hasIndex else { return nil }
    var index = SearchIndex(place)
    index.wait = lockTimeout
    do throws(IndexError) {
      _ = try body(index)
      return nil
    } catch {
      return Explanation(
        .tryAgain,
        place: account.name,
        "searches may not show this yet: \(error.message)",
        hint: error.isTemporary ? "they do after the next magnum-sync or magnum index" : error.hint
      )
    }
  }
}
