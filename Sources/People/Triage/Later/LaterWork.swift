package import Configuration
internal import Correspondence
package import MailModel
internal import Maildir
internal import Octets
package import Platform
internal import SpoolPlan

/// Does for one account what is to be done about messages once their time is there.
package struct LaterWork {
  let configuration: Configuration
  let account: Account
  let store: LaterStore
  let stateHome: Path
  let now: Int64

  /// Nothing is looked at yet; `now` is the time, in seconds since 1970.
  package init(
    _ configuration: Configuration,
    _ account: Account,
    stateHome: Path,
    now: Int64 = Clock.now()
  ) {
    (self.configuration, self.account) = (configuration, account)
    (self.stateHome, self.now) = (stateHome, now)
    store = LaterStore(of: account.name, in: stateHome)
  }

  /// Seconds until the next entry is due, 0 where one is; nil where there is none, or none can be read.
  package var delay: Int64? {
    let first = (try? store.items())?.first
    return first.map { max(0, $0.entry.due - now) }
  }

  /// Does what is due.
  ///
  /// - Parameter reminds: whether it is also looked whether sent messages were answered, since mail that came is in the index.
  /// - Returns: what was done.
  /// - Throws: why nothing can be done; `tryAgain` where another command has the journal.
  package func doWhatIsDue(reminds: Bool) throws(Explanation) -> LaterReport {
    var report = LaterReport()
    try explaining(.cannotCreate, place: account.name) { () throws(SystemError) in
      try store.removeLeftovers()
    }
    guard try !items().isEmpty, isRootThere else { return report }
    try wake(&report)
    if reminds { try remind(&report) }
    return report
  }

  func items(_ kind: LaterEntry.Kind? = nil) throws(Explanation) -> [LaterStore.Item] {
    let items = try explaining(.noInput, place: account.name) { () throws(SystemError) in
      try store.items()
    }
    return items.filter { kind == nil || $0.entry.kind == kind }
  }

  func remove(_ item: LaterStore.Item) throws(Explanation) {
    try explaining(.cannotCreate, place: account.name) { () throws(SystemError) in
      try store.remove(item)
    }
  }

  var triage: Triage {
    let now = now
    return Triage(configuration, stateHome: stateHome) { now }
  }

  func finder() throws(Explanation) -> TargetFinder {
    try TargetFinder(configuration, accounts: [account.name], now: now)
  }

  /// Where a disk is not mounted, no message is gone.
  private var isRootThere: Bool {
    (try? FileSystem.status(account.maildir)).flatMap { $0 }?.kind == .directory
  }

  // MARK: Snoozed messages

  /// An entry whose message comes back, and its file.
  private struct Due {
    let item: LaterStore.Item
    let file: TargetFile
  }

  private func wake(_ report: inout LaterReport) throws(Explanation) {
    guard try !items(.snooze).isEmpty, try hasWork() else { return }
    let (due, tag) = try findDue(&report)
    guard !due.isEmpty else { return }
    let finder = try finder()
    let targets = due.map { Target(id: $0.item.entry.id, subject: [], among: [$0.file]) }
    let inbox = TriageVerb.move("INBOX")
    let edit = try TagEdit(
      ["+unread"] + (tag.map { ["-" + String(decoding: $0, as: UTF8.self)] } ?? [])
    )
    let plan = try triage.plan(inbox, targets, finder, and: edit)
    let result = try triage.carryOut(
      plan,
      command: [UInt8](ascii: "wake"),
      by: .program([UInt8](ascii: "wake"))
    ) { (_) throws(Explanation) in try checkUnchanged(due.map(\.item)) }
    report.problems += result.unindexed
    if let remainder = result.remainder {
      report.problems.append(
        Explanation(.partial, place: "snooze", remainder.error.description)
      )
    }
    let (undone, failed) = (result.undone, Set(result.failed.map { plan.steps[$0.step].message }))
    for (number, due) in due.enumerated() where !failed.contains(number) {
      let last = plan.steps.indices.last { index in
        plan.steps[index].message == number && !undone.contains(index)
      }
      if let place = last.flatMap({ plan.steps[$0].step.target }) {
        report.woken.append(message(due.file, at: place, finder))
      }
      try remove(due.item)
    }
  }

  func message(
    _ file: TargetFile,
    at place: FilePlace,
    _ finder: TargetFinder
  ) -> LaterReport.Message {
    let folders = finder.folders(of: account)
    let name = file.file.name.with(flags: place.flags)
    return LaterReport.Message(
      maildir: folders.tree.path(of: place.folder),
      folder: folders.name(place.folder),
      file: ScannedFile(name: name, subdirectory: .cur)
    )
  }

  /// Whether there is more to do than to wait.
  ///
  /// Where labels are tags, all mail would be looked through for that: so only once something is due.
  private func hasWork() throws(Explanation) -> Bool {
    if account.sync.labels == .tags, delay != 0 { return false }
    return try decisions().decisions.contains { decision in
      if case .wait = decision { false } else { true }
    }
  }

  private func decisions() throws(Explanation) -> (
    items: [LaterStore.Item], folder: SnoozedFolder?, decisions: [SnoozeDecision]
  ) {
    let items = try items(.snooze)
    let folder = try SnoozedFolder(of: AccountFolders(account))
    let entries = items.map(\.entry)
    return (items, folder, SnoozeDecision.all(entries, folder?.facts(for: entries) ?? [], now: now))
  }

  /// Finds the messages that come back, with the tag that they have until then, and removes the entries of those that are gone.
  ///
  /// All of it once an act that was cut short is finished, and while none begins: one that is being snoozed has an entry before
  /// it lies there.
  private func findDue(
    _ report: inout LaterReport
  ) throws(Explanation) -> (due: [Due], tag: [UInt8]?) {
    let writer = try triage.writer()
    let (items, folder, decisions) = try decisions()
    var due: [Due] = []
    for (item, decision) in zip(items, decisions) {
      switch decision {
      case .wait: continue
      case .over: try remove(item)
      case .unclear: report.problems.append(unclear(item.entry))
      case .wake(let number):
        if let folder { due.append(Due(item: item, file: folder.target(number))) }
      }
    }
    withExtendedLifetime(writer) {}
    return (due, folder?.tag)
  }

  /// Removes the entries of messages that are no longer in the folder for snoozed ones.
  ///
  /// - Throws: why they cannot be read or removed; `tryAgain` where another command has the journal.
  package func removeWhatIsOver() throws(Explanation) {
    guard store.isThere, isRootThere, try !items(.snooze).isEmpty else { return }
    let writer = try triage.writer()
    let (items, _, decisions) = try decisions()
    for (item, decision) in zip(items, decisions) where decision == .over { try remove(item) }
    withExtendedLifetime(writer) {}
  }

  private func unclear(_ entry: LaterEntry) -> Explanation {
    Explanation(
      .partial,
      place: account.name,
      "a snoozed message is there twice and does not come back: id:\(Printable.text(entry.id))",
      hint: "remove one of the two, or move them by hand"
    )
  }

  /// Keeps an act from being done about entries that were changed or done meanwhile.
  func checkUnchanged(_ items: [LaterStore.Item]) throws(Explanation) {
    guard Set(try self.items()).isSuperset(of: items) else {
      throw Explanation(.tryAgain, place: account.name, "another command is at work")
    }
  }

  // MARK: Lists

  /// A snoozed message as it is listed.
  package struct Snoozed: Sendable {
    package let message: LaterReport.Message
    /// When it comes back here, in seconds since 1970; nil where another machine or program put it there.
    package let due: Int64?
  }

  /// The snoozed messages, the next one first, those of other machines last; nothing is changed.
  ///
  /// - Throws: why they cannot be read.
  package func snoozed() throws(Explanation) -> [Snoozed] {
    let (items, folder, decisions) = try decisions()
    guard let folder else { return [] }
    let name = AccountFolders(account).name(folder.folder)
    var dues: [Int: Int64] = [:]
    for (item, decision) in zip(items, decisions) {
      switch decision {
      case .wait(let file), .wake(let file): dues[file] = item.entry.due
      case .over, .unclear: continue
      }
    }
    let all = folder.files.indices.map { number in
      let maildir = account.maildir.appending(folder.folder)
      let message = LaterReport.Message(
        maildir: maildir,
        folder: name,
        file: folder.files[number]
      )
      return Snoozed(message: message, due: dues[number])
    }
    return all.sorted { ($0.due ?? .max) < ($1.due ?? .max) }
  }
}
