/// Messages that are to be fetched and why, in about the order in which they are wanted.
package struct PlannedDownloads: RandomAccessCollection, Hashable, Sendable {
  /// The messages.
  package private(set) var messages = MessageList()
  private var reasons: [Reason] = []

  /// Nothing is to be fetched.
  init() {}

  /// The position of the first.
  package var startIndex: Int { 0 }
  /// The position behind the last.
  package var endIndex: Int { reasons.count }

  /// The message in that position.
  package subscript(position: Int) -> Planned<RemoteMessage> {
    Planned(messages[position], reasons[position])
  }

  mutating func append(_ message: RemoteMessage, _ reason: Reason) {
    messages.append(message)
    reasons.append(reason)
  }
}
