internal import IMAP
internal import MailModel
internal import MailStore

// X-GM-EXT-1.
extension IMAPStore {
  /// So many messages are asked for one by one; more with all behind the first.
  private static let fewMessages = 500

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
