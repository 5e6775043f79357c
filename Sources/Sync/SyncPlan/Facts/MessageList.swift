internal import MailModel

/// Messages as the server describes them, in any order, in rows without references: a mailbox has a hundred thousand of them.
///
/// A message is made when it is asked for.
package struct MessageList: RandomAccessCollection, Sendable {
  /// A message without what only few have.
  private struct Row {
    let uid: UInt32
    /// The position among the lists of keywords.
    let keywords: UInt32
    let size: UInt64
    let date: Int64
    let flags: SystemFlags
    let told: Told
  }

  /// What the server told of a message.
  private struct Told: OptionSet {
    let rawValue: UInt8
    static let size = Self(rawValue: 1)
    static let date = Self(rawValue: 2)
    static let content = Self(rawValue: 4)
  }

  /// What was read of a message.
  private struct Content {
    let key: ContentKey?
    let identity: ContentIdentity?
  }

  private var rows: [Row] = []
  private var keywords = KeywordLists()
  /// By the positions of the messages that have any.
  private var contents: [Int: Content] = [:]

  /// No messages.
  package init() {}

  /// These messages in their order.
  package init(_ messages: some Sequence<RemoteMessage>) {
    rows.reserveCapacity(messages.underestimatedCount)
    for message in messages { append(message) }
  }

  /// The position of the first message.
  package var startIndex: Int { 0 }
  /// The position behind the last message.
  package var endIndex: Int { rows.count }

  /// The message in that position.
  package subscript(position: Int) -> RemoteMessage {
    let row = rows[position]
    let content = row.told.contains(.content) ? contents[position] : nil
    return RemoteMessage(
      uid: row.uid,
      flags: MessageFlags(row.flags, keywords: keywords[row.keywords]),
      size: row.told.contains(.size) ? row.size : nil,
      date: row.told.contains(.date) ? row.date : nil,
      key: content?.key,
      identity: content?.identity
    )
  }

  /// The UID of the message in that position.
  package func uid(at position: Int) -> UInt32 { rows[position].uid }

  /// The UIDs, in the order of the messages.
  package var uids: UIDs { UIDs(list: self) }

  /// The UIDs of messages, in the order of these.
  package struct UIDs: RandomAccessCollection, Sendable {
    fileprivate let list: MessageList
    /// The position of the first.
    package var startIndex: Int { 0 }
    /// The position behind the last.
    package var endIndex: Int { list.rows.count }
    /// The UID in that position.
    package subscript(position: Int) -> UInt32 { list.rows[position].uid }
  }

  /// Makes room for so many messages.
  package mutating func reserveCapacity(_ count: Int) { rows.reserveCapacity(count) }

  /// Adds a message behind the others.
  package mutating func append(_ message: RemoteMessage) {
    recordContent(message, at: rows.count)
    rows.append(row(message))
  }

  /// Puts a message in the place of another.
  mutating func replace(_ position: Int, with message: RemoteMessage) {
    contents[position] = nil
    recordContent(message, at: position)
    rows[position] = row(message)
  }

  private mutating func recordContent(_ message: RemoteMessage, at position: Int) {
    guard message.key != nil || message.identity != nil else { return }
    contents[position] = Content(key: message.key, identity: message.identity)
  }

  private mutating func row(_ message: RemoteMessage) -> Row {
    var told: Told = []
    if message.size != nil { told.insert(.size) }
    if message.date != nil { told.insert(.date) }
    if message.key != nil || message.identity != nil { told.insert(.content) }
    return Row(
      uid: message.uid,
      keywords: keywords.position(of: message.flags.keywords),
      size: message.size ?? 0,
      date: message.date ?? 0,
      flags: message.flags.system,
      told: told
    )
  }
}

extension MessageList: Hashable {
  package static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for message in self { hasher.combine(message) }
  }
}
