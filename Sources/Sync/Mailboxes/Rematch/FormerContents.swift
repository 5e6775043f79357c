internal import MailStore
internal import MessageContent
internal import SyncPlan
internal import SyncState

/// Has the content of files and messages be what is on record of it.
///
/// Older versions recorded what a message holds with what servers add or drop: it is still the same message.
enum FormerContents {
  /// Looks through all records of the account, where a file or message of the group was read of which that makes a difference.
  static func recognise(
    in group: [OpenMailbox],
    _ gathering: DetailGathering,
    _ outside: OutsideGroup
  ) throws(SyncFailure) {
    let files = group.map { ($0, $0.formerContents) }
    let messages = gathering.details.values.flatMap { $0.contents.values }
      .filter { $0.former != nil }
    let contents = files.flatMap { $0.1.map(\.content) } + messages
    guard SyncRule.contents.isOn, !contents.isEmpty else { return }
    let wanted = Set(contents.flatMap { [$0.identity.text, $0.former?.text].compactMap { $0 } })
    var states = group.map(\.state)
    for entry in outside.entries {
      if let state = try outside.state(of: entry) { states.append(state) }
    }
    let recorded = Set(states.flatMap { $0.messages.texts(among: wanted) })
    let lacking = Set(group.flatMap(\.fileless).compactMap { $0.identity?.text })
    let isRecorded = { (former: ContentIdentity, now: ContentIdentity) in
      guard recorded.contains(former.text) else { return false }
      // Both are on record: it is rather that of a message whose file is gone from its place.
      return !recorded.contains(now.text) || lacking.contains(former.text)
    }
    for (mailbox, contents) in files {
      for (name, content) in contents {
        guard let former = content.former, isRecorded(former, content.identity) else { continue }
        mailbox.takeFormerContent(of: name)
      }
    }
    gathering.recogniseFormer(isRecorded)
  }
}

/// Which UIDs the messages of a mailbox have since its UIDVALIDITY changed in this run.
struct Renumbering {
  private let validity: UInt32
  private var uids: [UInt32: UInt32] = [:]

  /// Of those on record before and after that; nil where UIDs mean what they meant.
  init?(_ before: MailboxState?, _ after: MailboxState) {
    guard let before, before.header.validity != after.header.validity else { return nil }
    validity = before.header.validity
    for message in after.messages.values {
      if let uid = before.uid(of: message.name) { uids[uid] = message.uid }
    }
    for (uid, expunge) in after.pendingExpunges {
      let old = before.pendingExpunges.first { _, old in
        guard let was = old.former, let now = expunge.former, was.name == now.name
        else { return false }
        return Sameness.compare(Trace(fileOf: was), Trace(fileOf: now), .inPlace).level != .no
      }
      if let old { uids[old.key] = uid }
    }
  }

  /// The message by its UID now; as it was where it had another UIDVALIDITY then, or was not found again.
  func current(_ origin: Intent.Origin, in validity: UInt32) -> Intent.Origin {
    guard SyncRule.arrivals.isOn, origin.validity == self.validity, let uid = uids[origin.uid]
    else { return origin }
    return Intent.Origin(source: origin.source, validity: validity, uid: uid)
  }
}
