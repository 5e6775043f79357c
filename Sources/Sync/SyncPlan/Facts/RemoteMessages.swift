internal import Octets

/// Messages as the server describes them, from the lowest UID, no UID twice, each found by its UID.
package struct RemoteMessages: RandomAccessCollection, Hashable, Sendable {
  /// So many messages that came out of order are kept beside the others, or an eighth of their number.
  private static let lateLimit = 1024

  private var sorted = MessageList()
  /// Those that came behind one with a higher UID, and are not among `sorted`; empty where all are told.
  private var late: [UInt32: RemoteMessage] = [:]

  /// No messages.
  package init() {}

  /// These messages, which may be in any order; of two with one UID the last counts.
  package init(_ messages: some Sequence<RemoteMessage>) {
    sorted.reserveCapacity(messages.underestimatedCount)
    for message in messages { set(message) }
    mergeLate()
  }

  /// The position of the message of the lowest UID.
  package var startIndex: Int { 0 }
  /// The position behind the last message.
  package var endIndex: Int { sorted.count + late.count }

  /// The message in that position; all have to be settled.
  package subscript(position: Int) -> RemoteMessage {
    precondition(late.isEmpty, "messages have positions once they are settled")
    return sorted[position]
  }

  /// The message of that UID; nil where there is none.
  package subscript(uid uid: UInt32) -> RemoteMessage? {
    if let message = late[uid] { return message }
    return position(of: uid).map { sorted[$0] }
  }

  /// Whether there is a message of that UID.
  package func contains(uid: UInt32) -> Bool {
    position(of: uid) != nil || late[uid] != nil
  }

  /// The UIDs, ascending; all messages have to be settled.
  package var uids: MessageList.UIDs {
    precondition(late.isEmpty, "messages are in order once they are settled")
    return sorted.uids
  }

  /// Adds a message, in the place of the one of its UID.
  package mutating func set(_ message: RemoteMessage) {
    if sorted.isEmpty || sorted.uid(at: sorted.count - 1) < message.uid {
      sorted.append(message)
    } else if let position = position(of: message.uid) {
      sorted.replace(position, with: message)
    } else {
      late[message.uid] = message
      if late.count > Swift.max(Self.lateLimit, sorted.count / 8) { mergeLate() }
    }
  }

  /// Puts those that came out of order in their places.
  package mutating func mergeLate() {
    guard !late.isEmpty else { return }
    var merged = MessageList()
    merged.reserveCapacity(count)
    var position = 0
    for message in late.values.sorted(by: { $0.uid < $1.uid }) {
      while position < sorted.count, sorted.uid(at: position) < message.uid {
        merged.append(sorted[position])
        position += 1
      }
      merged.append(message)
    }
    while position < sorted.count {
      merged.append(sorted[position])
      position += 1
    }
    (sorted, late) = (merged, [:])
  }

  /// The position of the message of that UID among those that are settled; nil where there is none.
  func position(of uid: UInt32) -> Int? {
    let position = sorted.uids.firstPosition { $0 >= uid }
    return position < sorted.count && sorted.uid(at: position) == uid ? position : nil
  }
}

extension RemoteMessages: ExpressibleByArrayLiteral {
  /// These messages.
  package init(arrayLiteral messages: RemoteMessage...) { self.init(messages) }
}
