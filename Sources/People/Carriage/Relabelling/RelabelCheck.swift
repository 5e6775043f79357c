package import Configuration
internal import Maildir
package import MailModel
internal import Octets
internal import Platform
package import Restoration
internal import SyncState

/// Whether a Maildir is one from which an account can take its messages over.
package enum RelabelCheck {
  /// Refuses what is not the former Maildir of the account, or an account that has one already.
  ///
  /// - Parameters:
  ///   - source: the Maildir.
  ///   - account: the account as it is configured now.
  ///   - configured: all accounts there are.
  /// - Throws: why nothing is done.
  package static func check(
    _ source: MaildirSource,
    for account: Account,
    among configured: [Account]
  ) throws(Explanation) {
    try checkOwner(source, account, configured)
    guard store(of: account.maildir) == nil else {
      throw Explanation(
        .data,
        place: account.maildir.display,
        "was synced already; messages are linked only before that",
        hint: "choose a new maildir for this account, and link the messages before the first sync"
      )
    }
    try checkOrigin(source, account)
  }

  /// Names of files tell which account they are of.
  private static func checkOwner(
    _ source: MaildirSource,
    _ account: Account,
    _ configured: [Account]
  ) throws(Explanation) {
    for other in configured where other.name != account.name {
      let root = (try? FileSystem.realPath(other.maildir)) ?? other.maildir
      let (one, two) = (source.root.octets + [ASCII.slash], root.octets + [ASCII.slash])
      guard one.starts(with: two) || two.starts(with: one) else { continue }
      throw Explanation(
        .usage,
        place: source.root.display,
        "it belongs to the account '\(other.name)', or holds its mail",
        hint: "remove that account from the configuration first: two accounts cannot have the files"
      )
    }
  }

  private static func checkOrigin(
    _ source: MaildirSource,
    _ account: Account
  ) throws(Explanation) {
    guard let store = store(of: source.root) else {
      // Another program may have filled it, which has a folder for each label.
      guard account.sync.labels == .folders else { return }
      throw Explanation(
        .data,
        place: source.root.display,
        "there is no record that labels were tags there",
        hint: "sync the account without it: its folders are fetched"
      )
    }
    let origin = AccountOrigin(account, store: store)
    guard let former = (try? origin.remembered()) ?? nil else { return }
    let place = source.root.display
    guard former.origin == origin.configured else {
      let (was, now) = (Printable.text(former.origin), Printable.text(origin.configured))
      throw Explanation(
        .data,
        place: place,
        "it is of \(was), and the account is \(now)",
        hint: "name the former maildir of this account"
      )
    }
    guard former.labels != account.sync.labels else {
      throw Explanation(
        .data,
        place: place,
        "labels were \(former.labels.rawValue) there too",
        hint: "to go on with it, set: maildir = \"\(place)\""
      )
    }
  }

  /// The records in a former Maildir, whatever its layout; nil where there are none.
  static func store(of root: Path) -> StateStore? {
    FolderLayout.allCases.map { StateStore(root: root, layout: $0) }.first { store in
      ((try? FileSystem.status(store.rootIdentity)) ?? nil) != nil
        || ((try? store.recorded())?.isEmpty == false)
    }
  }
}
