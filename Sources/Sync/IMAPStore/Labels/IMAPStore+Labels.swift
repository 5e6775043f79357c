internal import IMAP
internal import MailModel
internal import MailStore

// X-GM-EXT-1.
extension IMAPStore {
  /// So many messages are asked for one by one; more with all behind the first.
  static let fewMessages = 500

  /// Whether messages are moved, and expunged by themselves.
  var canPushLabels: Bool {
    get throws(SyncFailure) {
      let capabilities = try session().connection.capabilities
      return capabilities.canMove && capabilities.hasUIDPlus
    }
  }

  /// The labels and flags of messages as they are now, by UID; those that are gone are left out.
  func labelled(
    _ uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: (labels: [[UInt8]], flags: [Flag])] {
    let connection = try open(mailbox)
    var found: [UInt32: (labels: [[UInt8]], flags: [Flag])] = [:]
    for piece in UIDSet(sortedUIDs: uids.sorted()).pieces(ofAtMost: Self.fewMessages) {
      let command = Command.uidFetch(.uids(piece), [.uid, .flags, .labels], changedSince: nil)
      let response = try connection.perform(command) { event in
        guard case .fetch(let fetch) = event, let uid = fetch.uid, let labels = fetch.labels,
          let flags = fetch.flags
        else { return }
        found[uid] = (labels, flags)
      }
      guard response.kind == .ok else { throw .commandRefused(.fetch, ServerReply(response)) }
    }
    return found
  }

  /// The labels of messages, by UID, ascending; those that are gone are left out, and others may be told too.
  ///
  /// A line that tells of flags alone says nothing of labels.
  func labels(
    of uids: [UInt32],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> [UInt32: MessageLabels] {
    guard let first = uids.first else { return [:] }
    let connection = try open(mailbox)
    let set: MessageSet =
      uids.count > Self.fewMessages ? .from(first) : .uids(UIDSet(sortedUIDs: uids))
    var found: [UInt32: MessageLabels] = [:]
    // Few combinations of labels are many messages'.
    var known: [[[UInt8]]: MessageLabels] = [:]
    let command = Command.uidFetch(set, [.uid, .labels], changedSince: nil)
    let response = try connection.perform(command) { event in
      guard case .fetch(let fetch) = event, let uid = fetch.uid, let labels = fetch.labels else {
        return
      }
      let meaning = known[labels] ?? MessageLabels(labels)
      known[labels] = meaning
      found[uid] = meaning
    }
    guard response.kind == .ok else { throw .commandRefused(.fetch, ServerReply(response)) }
    return found
  }
}
