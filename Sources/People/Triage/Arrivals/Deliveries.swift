package import Configuration
internal import Correspondence
package import MailModel
internal import Maildir
internal import Platform

extension Triage {
  /// Adds to the list what other programs delivered to `new`, in the folders in which messages arrive for rules.
  ///
  /// For accounts without a server, whose files no run fetches. Rules look at each of these files once, however long it lies there.
  ///
  /// - Parameters:
  ///   - account: the account.
  ///   - set: the rules.
  ///   - store: the list of messages that came.
  /// - Throws: that folders or the list cannot be read, or the list not be written.
  package func recordDeliveries(
    of account: Account,
    by set: RuleSet,
    _ store: ArrivalStore
  ) throws(Explanation) {
    let folders = AccountFolders(account)
    var sought: Set<[UInt8]> = []
    for rule in set.rules where rule.accounts.contains(account.name) {
      sought.formUnion(try rule.mailboxes(in: folders))
    }
    try explaining(.noInput, place: account.name) { () throws(SystemError) in
      guard let list = try store.list() else { return }
      let test = ArrivalTest(since: list.since, now: now())
      let open = Set(list.open)
      var (present, new) = (Set<Arrival>(), [Arrival]())
      for folder in sought.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        let maildir = folders.tree.path(of: folder)
        for file in try MaildirScan.scanNew(maildir).files {
          let arrival = Arrival.delivered(folder: folder, base: file.name.base)
          present.insert(arrival)
          guard !list.seen.contains(arrival), !open.contains(arrival),
            let status = try FileSystem.status(file.path(in: maildir)),
            test.isRecent(status.fingerprint.modified / 1_000_000_000)
          else { continue }
          new.append(arrival)
        }
      }
      try store.record(new.sorted(), among: present)
    }
  }
}
