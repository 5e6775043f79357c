internal import MailModel

/// Finds new files that the server has as new messages already: a pure function on one mailbox.
///
/// A client stored a copy in both places, or records were lost. Message-ID and size are only a hint: the two are one
/// where their contents were read and are the same. Among drafts each new version has the same Message-ID, and may
/// have the same body, so that the header counts too; likewise without a Message-ID.
struct AdditionMatcher {
  /// The message of each file, by base name.
  private(set) var messages: [[UInt8]: RemoteMessage] = [:]
  private var taken: Set<UInt32> = []

  /// `unknown` are the messages that the map does not know and that come from no other mailbox.
  init(
    _ snapshot: MailboxSnapshot,
    _ added: [LocalFile],
    _ remote: RemoteIndex,
    unknown: [RemoteMessage]
  ) {
    let claimed = Set(added.compactMap(\.ownUID))
    let messages = unknown.filter { $0.identity != nil && !claimed.contains($0.uid) }
      .sorted { $0.uid < $1.uid }
    guard SyncRule.contents.isOn, !messages.isEmpty else { return }
    let files = added.filter { file in file.ownUID.map { remote.isGone($0) } ?? true }
    match(files, messages, .content)
    guard snapshot.role != .drafts else { return }
    match(files.filter { !$0.flags.contains(.draft) }, messages, [.named, .body])
  }

  /// Joins files and messages of one content in their orders: any of them is as good as another.
  private mutating func match(
    _ files: [LocalFile],
    _ candidates: [RemoteMessage],
    _ facts: Sameness.Facts
  ) {
    var found: [Sameness.Key: [RemoteMessage]] = [:]
    for message in candidates where !taken.contains(message.uid) {
      guard let key = Trace(message).key(facts) else { continue }
      found[key, default: []].append(message)
    }
    for file in files where messages[file.name] == nil {
      guard let key = Trace(file).key(facts), let message = found[key]?.first else { continue }
      found[key]?.removeFirst()
      taken.insert(message.uid)
      messages[file.name] = message
    }
  }
}
