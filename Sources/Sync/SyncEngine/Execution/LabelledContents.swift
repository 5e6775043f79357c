internal import MailStore
internal import Mailboxes
internal import MessageContent
internal import Octets
internal import SyncPlan
internal import SyncState

/// What is in a mailbox that is a label, as Gmail's are: it holds a message once.
///
/// A second message of the same octets is the first to such a server. It names that one's UID for an upload, and an upload of
/// it would be made again by every run.
struct LabelledContents {
  /// The names of the files that are on record, by their content.
  private let names: [Sameness.Key: OctetSet]

  /// The messages on record in a mailbox whose files are there.
  init(_ mailbox: OpenMailbox) {
    var names: [Sameness.Key: OctetSet] = [:]
    let remote = RemoteIndex(mailbox.remote.view)
    for message in mailbox.state.messages.values where mailbox.file(of: message.name) != nil {
      guard let key = Trace(fileOf: message).key([.content, .size]), !remote.isGone(message.uid)
      else { continue }
      names[key, default: []].insert(message.name)
    }
    self.names = names
  }

  /// Whether a file of the same content is there and on record under another base name.
  func holds(_ content: MessageContents, besides name: [UInt8]) -> Bool {
    guard SyncRule.labels.isOn, let key = content.trace.key([.content, .size]) else { return false }
    return names[key]?.contains { $0 != name } ?? false
  }
}
