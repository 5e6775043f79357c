/// Finds new files that the server has as new messages already: a pure function on one mailbox.
///
/// A client stored a copy in both places, or records were lost.
///
/// The same Message-ID and the same size of the body, on one file and one message only. In Sent the
/// Message-ID is enough; in Drafts it says nothing, since each new version has the same.
struct AdditionMatcher {
  /// The message of each file, by base name.
  private(set) var messages: [[UInt8]: RemoteMessage] = [:]

  init(_ snapshot: MailboxSnapshot, _ added: [LocalFile], unknown: [RemoteMessage]) {
    guard snapshot.role != .drafts else { return }
    let isIdentifierEnough = snapshot.role == .sent
    let key = { (key: ContentKey) in
      ContentKey(messageID: key.messageID, bodySize: isIdentifierEnough ? 0 : key.bodySize)
    }
    var found: [ContentKey: [RemoteMessage]] = [:]
    for message in unknown {
      guard let content = message.key, content.messageID != 0 else { continue }
      found[key(content), default: []].append(message)
    }
    guard !found.isEmpty else { return }
    var files: [ContentKey: [LocalFile]] = [:]
    for file in added where file.ownUID == nil && !file.flags.contains(.draft) {
      guard let content = file.key, content.messageID != 0 else { continue }
      files[key(content), default: []].append(file)
    }
    for (content, candidates) in files where candidates.count == 1 {
      guard let matches = found[content], matches.count == 1 else { continue }
      messages[candidates[0].name] = matches[0]
    }
  }
}
