/// Messages that are to be fetched and why, in about the order in which they are wanted.
package struct PlannedDownloads: RandomAccessCollection, Sendable {
  /// The messages.
  package private(set) var messages: Messages
  private var reasons: [Reason] = []

  /// Nothing is to be fetched yet; most that will be is listed by the server.
  init(of listed: RemoteMessages = []) {
    messages = Messages(listed)
  }

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

  /// Messages in an order of their own; those that the server listed are not kept once more.
  package struct Messages: RandomAccessCollection, Sendable {
    /// Where a message is: in that position of those that are listed, or of the others.
    private enum Place {
      case listed(UInt32)
      case other(UInt32)
    }

    private let listed: RemoteMessages
    private var others: [RemoteMessage] = []
    private var places: [Place] = []

    fileprivate init(_ listed: RemoteMessages) { self.listed = listed }

    /// The position of the first.
    package var startIndex: Int { 0 }
    /// The position behind the last.
    package var endIndex: Int { places.count }

    /// The message in that position.
    package subscript(position: Int) -> RemoteMessage {
      switch places[position] {
      case .listed(let place): listed[Int(place)]
      case .other(let place): others[Int(place)]
      }
    }

    fileprivate mutating func append(_ message: RemoteMessage) {
      if let place = listed.position(of: message.uid), listed[place] == message {
        places.append(.listed(UInt32(place)))
      } else {
        places.append(.other(UInt32(others.count)))
        others.append(message)
      }
    }
  }
}

extension PlannedDownloads: Hashable {
  package static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for download in self { hasher.combine(download) }
  }
}
