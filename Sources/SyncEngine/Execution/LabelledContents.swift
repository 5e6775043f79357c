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
  private struct Content: Hashable {
    let identity: ContentIdentity
    /// In octets, as the server counts them.
    let size: UInt64
  }

  /// The names of the files that are on record, by their content.
  private let names: [Content: OctetSet]

  /// The messages on record in a mailbox whose files are there.
  init(_ mailbox: OpenMailbox) {
    var names: [Content: OctetSet] = [:]
    let remote = RemoteIndex(mailbox.remote.view)
    for message in mailbox.state.messages.values where mailbox.file(of: message.name) != nil {
      guard let identity = message.identity, let size = message.size, !remote.isGone(message.uid)
      else { continue }
      names[Content(identity: identity, size: size), default: []].insert(message.name)
    }
    self.names = names
  }

  /// Whether a file of the same content is there and on record under another base name.
  func holds(_ content: MessageContents, besides name: [UInt8]) -> Bool {
    let key = Content(identity: content.identity, size: content.wireSize)
    return names[key]?.contains { $0 != name } ?? false
  }
}
