/// Finds where a file went that its mailbox no longer has: a pure function on all mailboxes' differences.
///
/// First matcher: the same base name in another mailbox that does not know it. Second: the same
/// content, where exactly one absent message and one new file have it (a client that writes a new name).
struct MoveMatcher {
  /// A new place of a message's file.
  struct Place: Hashable {
    let mailbox: UInt64
    let file: LocalFile
  }

  /// A message of a mailbox.
  struct Message: Hashable {
    let mailbox: UInt64
    let uid: UInt32
  }

  /// Where each absent message's file lies now.
  private(set) var places: [Message: Place] = [:]
  /// The files that are the new places, so that they are no additions.
  private(set) var arrivals: Set<Place> = []

  init(_ differences: [LocalDifference]) {
    matchNames(differences)
    matchContents(differences)
  }

  private mutating func matchNames(_ differences: [LocalDifference]) {
    var additions: [[UInt8]: [Place]] = [:]
    for place in differences.flatMap(\.places) {
      additions[place.file.name, default: []].append(place)
    }
    for difference in differences {
      for record in difference.absent {
        guard let found = additions[record.name], found.count == 1, let place = found.first
        else { continue }
        join(Message(mailbox: difference.mailbox, uid: record.uid), place)
      }
    }
  }

  private mutating func matchContents(_ differences: [LocalDifference]) {
    var additions: [ContentIdentity: [Place]] = [:]
    for place in differences.flatMap(\.places) where !arrivals.contains(place) {
      guard let identity = place.file.identity else { continue }
      additions[identity, default: []].append(place)
    }
    guard !additions.isEmpty else { return }
    var absent: [ContentIdentity: [Message]] = [:]
    for difference in differences {
      for record in difference.absent {
        let message = Message(mailbox: difference.mailbox, uid: record.uid)
        guard let identity = record.identity, places[message] == nil else { continue }
        absent[identity, default: []].append(message)
      }
    }
    for (identity, messages) in absent where messages.count == 1 {
      guard let found = additions[identity], found.count == 1 else { continue }
      join(messages[0], found[0])
    }
  }

  private mutating func join(_ message: Message, _ place: Place) {
    guard !arrivals.contains(place) else { return }
    places[message] = place
    arrivals.insert(place)
  }
}
