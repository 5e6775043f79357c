internal import MIME
internal import MailModel
internal import MailStore
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Finds messages that are gone from one mailbox of the server, and were fetched anew in another.
///
/// The server moved them there, and a run saw only one of the mailboxes.
///
/// Since then it may have moved them on, or back. Only a message of the same content, size and date counts that was fetched
/// since the first mailbox was last looked at (`RecentMessages`). An older one is a copy that was wanted, with two exceptions:
/// the message was marked as deleted when it was seen last, or the first mailbox took no part in runs since. Its file has to be
/// there; where it was moved or removed since, it is reported as under way.
struct MovedBeforeSearch {
  private let context: MailboxContext
  private let records: any AccountRecords

  init(_ context: MailboxContext, _ records: any AccountRecords) {
    self.context = context
    self.records = records
  }

  /// What became of those of the messages that were `lost` from one mailbox, by the base names of these records.
  ///
  /// - Parameters:
  ///   - lost: the records of messages that are gone.
  ///   - mailbox: the one that had them.
  ///   - group: the other mailboxes that are planned together.
  ///   - entries: the mailboxes that are not.
  ///   - recorded: what is on record of those.
  /// - Returns: what became of those that were found.
  /// - Throws: what keeps records or files from being read.
  func find(
    _ lost: [BaseRecord],
    of mailbox: OpenMailbox,
    in group: [OpenMailbox],
    outside entries: [Summary.Entry],
    _ recorded: RecordedFiles
  ) throws(SyncFailure) -> OctetTable<Survival> {
    guard SyncRule.survivors.isOn, var found = SurvivorSearch(lost) else { return OctetTable() }
    let source = recent(in: mailbox.state.header)
    lookAmongReturned(for: &found, in: mailbox, source)
    try look(for: &found, from: source, in: group, outside: entries, recorded)
    if source.isLeftOut { try look(for: &found, from: nil, in: group, outside: entries, recorded) }
    // Clients that cannot move copy, mark and expunge: what was marked as deleted when it was seen last had its copy then.
    guard found.narrowToMarked() else { return found.survivors }
    try look(for: &found, from: nil, in: group, outside: entries, recorded)
    return found.survivors
  }

  /// Looks among the messages of the source itself that were fetched in another mailbox, and which the server moved back since.
  private func lookAmongReturned(
    for found: inout SurvivorSearch,
    in source: OpenMailbox,
    _ recent: RecentMessages
  ) {
    let (header, remote) = (source.state.header, RemoteIndex(source.remote.view))
    let isTold = context.policy(of: source.mailbox).pushes && !source.remote.isReadOnly
    for record in source.state.messages.values
    where found.wants(record) && !remote.isGone(record.uid) {
      guard let key = MessageKey(baseName: record.name), key.mailbox != header.id,
        records.recent(in: key.mailbox, validity: key.validity)?.mayHave(key.uid, from: recent)
          == true
      else { continue }
      found.addMessage(record, source.flags(of: record.name), in: header, isTold: isTold)
    }
  }

  /// Looks among the messages that may have come from the source; where that is nil, among all that were fetched.
  private func look(
    for found: inout SurvivorSearch,
    from source: RecentMessages?,
    in group: [OpenMailbox],
    outside entries: [Summary.Entry],
    _ recorded: RecordedFiles
  ) throws(SyncFailure) {
    for mailbox in group {
      let (header, remote) = (mailbox.state.header, RemoteIndex(mailbox.remote.view))
      let isTold = context.policy(of: mailbox.mailbox).pushes && !mailbox.remote.isReadOnly
      let candidates = candidates(in: header, from: source)
      for record in mailbox.state.messages.values
      where candidates(record) && found.wants(record) {
        if !remote.isGone(record.uid) {
          found.addMessage(record, mailbox.flags(of: record.name), in: header, isTold: isTold)
        } else if source != nil, isAsRecorded(record, in: mailbox) {
          // The server may have moved it on; else it is forgotten in this run, and no more in the way of the next.
          found.addMessage(record, nil, in: header, isTold: true)
        }
      }
      guard source != nil else { continue }
      for record in try unrecorded(mailbox) {
        found.addMessage(record, [], in: header, isTold: true)
      }
    }
    for entry in entries { try addRecords(entry, source, recorded, &found) }
    found.settleAbsent()
  }

  /// Whether nothing was made of a message here, so that its own removal waits for no other.
  private func isAsRecorded(_ record: BaseRecord, in mailbox: OpenMailbox) -> Bool {
    !context.policy(of: mailbox.mailbox).keepsFiles
      && mailbox.flags(of: record.name) == record.flags.system
  }

  private func addRecords(
    _ entry: Summary.Entry,
    _ source: RecentMessages?,
    _ recorded: RecordedFiles,
    _ found: inout SurvivorSearch
  ) throws(SyncFailure) {
    let directory = context.tree.path(of: entry.header.directory)
    let isAsRecorded = MaildirFingerprints(of: directory) == entry.fingerprints
    let next = entry.header.uidNext
    let isAny = source.map { recent(in: entry.header).mayHaveAny(below: next, from: $0) } ?? true
    guard isAny || !isAsRecorded, let state = try recorded.state(of: directory) else { return }
    let candidates = candidates(in: entry.header, from: source)
    let records = state.messages.values.filter { candidates($0) && found.wants($0) }
    guard !records.isEmpty else { return }
    let scan = try attempt(MaildirScan.scanIfPresent(directory))
    for record in records {
      let flags = scan?.files[record.name]?.name.flags
      found.addMessage(record, flags, in: entry.header, isTold: context.reach.pushes)
    }
  }

  /// Whether a message of that mailbox may have come from the source, and was fetched, here or elsewhere before it was moved
  /// on here, and not sent from here.
  private func candidates(
    in header: MailboxHeader,
    from source: RecentMessages?
  ) -> (BaseRecord) -> Bool {
    guard let source else {
      return { MessageKey(baseName: $0.name)?.mailbox == header.id }
    }
    let here = recent(in: header)
    return { record in
      guard here.mayHave(record.uid, from: source), let key = MessageKey(baseName: record.name)
      else { return false }
      guard key.mailbox != header.id else { return true }
      let there = records.recent(in: key.mailbox, validity: key.validity)
      return there?.mayHave(key.uid, from: source) ?? false
    }
  }

  /// Under another UIDVALIDITY than the one that is on record by now, all messages are recent.
  private func recent(in mailbox: MailboxHeader) -> RecentMessages {
    records.recent(in: mailbox.id, validity: mailbox.validity) ?? RecentMessages()
  }

  /// What a run that was cut short fetched and did not record: messages whose UIDs files bear, as they would be on record.
  private func unrecorded(_ mailbox: OpenMailbox) throws(SyncFailure) -> [BaseRecord] {
    let strangers = mailbox.local.strangers(mailbox.difference, mailbox.state)
    guard !strangers.isEmpty else { return [] }
    let messages = mailbox.unknown.keyed(by: \.uid)
    let store = context.store
    let seals = try attempt(PartialSeals.find(store))
    var found: [BaseRecord] = []
    for (name, uid) in strangers {
      guard let message = messages[uid], let content = try mailbox.content(of: name) else {
        continue
      }
      let record = BaseRecord(
        uid: uid,
        name: name,
        flags: message.flags,
        size: message.size,
        date: message.date,
        identity: content.identity,
        completeness: seals?.mark(in: content).map { .partial(name: $0.name) } ?? .whole
      )
      found.append(record)
    }
    return found
  }
}

extension SurvivorSearch {
  fileprivate mutating func addMessage(
    _ record: BaseRecord,
    _ flags: SystemFlags?,
    in header: MailboxHeader,
    isTold: Bool
  ) {
    addMessage(record, flags, in: header.id, header.directory, isTold: isTold)
  }
}
