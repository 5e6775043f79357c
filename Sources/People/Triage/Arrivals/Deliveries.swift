package import Configuration
internal import Correspondence
package import MailModel
internal import Maildir
internal import Octets
internal import Platform

extension Arrival {
  /// What ends the base names of files that a person had brought in: these did not arrive.
  package static let importedSuffix = [UInt8](ascii: ".imported")
}

extension Triage {
  /// Adds to the list what other programs delivered to `new`, in the folders in which messages arrive for rules.
  ///
  /// For accounts without a server, whose files no run fetches. Rules look at each of these files once, however long it lies there.
  /// To be called before these files are indexed: only then does the index tell what was moved.
  ///
  /// - Parameters:
  ///   - account: the account.
  ///   - set: the rules.
  ///   - store: the list of messages that came.
  ///   - areOld: whether rules begin now, so that what lies there now was there before.
  /// - Throws: that folders or the list cannot be read, or the list not be written.
  package func recordDeliveries(
    of account: Account,
    by set: RuleSet,
    _ store: ArrivalStore,
    areOld: Bool
  ) throws(Explanation) {
    let folders = AccountFolders(account)
    var sought: Set<[UInt8]> = []
    for rule in set.rules where rule.accounts.contains(account.name) {
      sought.formUnion(try rule.mailboxes(in: folders))
    }
    let (present, new) = try explaining(.noInput, place: account.name) { () throws(SystemError) in
      try deliveries(to: sought, of: account, folders, store)
    }
    var moved = MovedDeliveries(folders)
    let old = try areOld ? Set(new.map(\.arrival)) : moved.moved(among: new)
    try explaining(.cannotCreate, place: account.name) { () throws(SystemError) in
      try store.finish(old.sorted())
      let arrivals = new.map(\.arrival).filter { !old.contains($0) }
      try store.record(arrivals.sorted(), among: present)
    }
  }

  /// The files in `new`, and those of them that are not on the list and not too old.
  private func deliveries(
    to sought: Set<[UInt8]>,
    of account: Account,
    _ folders: AccountFolders,
    _ store: ArrivalStore
  ) throws(SystemError) -> (present: Set<Arrival>, new: [MovedDeliveries.New]) {
    var (present, new) = (Set<Arrival>(), [MovedDeliveries.New]())
    guard let list = try store.list() else { return (present, new) }
    let test = ArrivalTest(since: list.since, now: now())
    let open = Set(list.open)
    for folder in sought.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let maildir = folders.tree.path(of: folder)
      for file in try MaildirScan.scanNew(maildir).files {
        let arrival = Arrival.delivered(folder: folder, base: file.name.base)
        present.insert(arrival)
        guard !list.seen.contains(arrival), !open.contains(arrival),
          !file.name.base.reversed().starts(with: Arrival.importedSuffix.reversed()),
          let status = try FileSystem.status(file.path(in: maildir)),
          test.isRecent(status.fingerprint.modified / 1_000_000_000)
        else { continue }
        let target = TargetFile(account: account, folder: folder, file: file)
        new.append(MovedDeliveries.New(arrival: arrival, file: target, size: status.size))
      }
    }
    return (present, new)
  }
}
