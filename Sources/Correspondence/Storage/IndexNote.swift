package import Configuration
package import Maildir
internal import Platform
internal import SearchIndex

/// Has an account's index show at once what was done to its files.
package enum IndexNote {
  /// Seconds to wait for a program that is writing to the index: what is not taken in now the next sync finds.
  private static let patience = 0.05

  /// Takes in whatever is different in the files by now, durably; where there is no index, or it is busy or damaged, nothing
  /// is done.
  package static func scan(_ account: Account) {
    guard let place = try? IndexPlace.of(account.maildir), place.hasIndex else { return }
    var index = SearchIndex(place)
    index.wait = patience
    _ = try? index.scan()
  }

  /// Takes changes in, durably; where there is no index, or it is busy or damaged, nothing is done.
  ///
  /// - Returns: whether the index knows of them now.
  @discardableResult
  package static func take(_ changes: [MaildirChange], of account: Account) -> Bool {
    guard !changes.isEmpty, let place = try? IndexPlace.of(account.maildir), place.hasIndex else {
      return false
    }
    var index = SearchIndex(place)
    index.wait = patience
    return (try? index.apply(changes)) != nil
  }
}
