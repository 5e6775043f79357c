/// Messages that are to be fetched and why, in about the order in which they are wanted.
package struct PlannedDownloads: RandomAccessCollection, Sendable {
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
    private let listed: RemoteMessages
    private var others: [RemoteMessage] = []
    /// The positions of the messages among those that are listed and, from there on, the others.
    private var places: [UInt32] = []

    fileprivate init(_ listed: RemoteMessages) { self.listed = listed }

    /// The position of the first.
    package var startIndex: Int { 0 }
    /// The position behind the last.
    package var endIndex: Int { places.count }

    /// The message in that position.
    package subscript(position: Int) -> RemoteMessage {
      message(Int(places[position]))
    }

    private func message(_ place: Int) -> RemoteMessage {
      place < listed.count ? listed[place] : others[place - listed.count]
    }

    /// Puts the messages first for which that is so; among them, and among the others, the order stays.
    package mutating func moveToFront(where isFirst: (RemoteMessage) -> Bool) {
      let front = places.map { isFirst(message(Int($0))) }
      places =
        zip(places, front).filter(\.1).map(\.0) + zip(places, front).filter { !$0.1 }.map(\.0)
    }

    /// Leaves messages out, by their UIDs.
    package mutating func remove(_ uids: Set<UInt32>) {
      guard !uids.isEmpty else { return }
      places = places.filter { !uids.contains(message(Int($0)).uid) }
    }

    fileprivate mutating func append(_ message: RemoteMessage) {
      if let place = listed.position(of: message.uid), listed[place] == message {
        places.append(UInt32(place))
      } else {
        places.append(UInt32(listed.count + others.count))
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
