internal import Octets

/// Finds where a file went that its mailbox no longer has: a pure function on all mailboxes' differences.
///
/// First matcher: the same base name in another mailbox that does not know it. Second: the same
/// content, where exactly one absent message and one new file have it (a client that writes a new
/// name). The second leaves drafts alone: there the same content under another header is a new version.
struct MoveMatcher {
  /// Where each absent message's file lies now.
  private(set) var places: [MessageReference: Place] = [:]
  /// The files that are the new places, so that they are no additions.
  private(set) var arrivals: Set<Place> = []

  private let includesMissing: Bool

  /// `includesMissing` also looks for the files of messages that the server has no more.
  init(_ differences: [LocalDifference], includesMissing: Bool) {
    self.includesMissing = includesMissing
    matchNames(differences)
    matchContents(differences)
  }

  private func fileless(_ difference: LocalDifference) -> [BaseRecord] {
    includesMissing ? difference.absent + difference.missing : difference.absent
  }

  private mutating func matchNames(_ differences: [LocalDifference]) {
    var additions = OctetTable<[Place]>()
    let orphans = differences.flatMap { difference in
      difference.orphans.map { Place(mailbox: difference.mailbox, file: $0) }
    }
    for place in differences.flatMap(\.places) + orphans {
      additions[place.file.name] = (additions[place.file.name] ?? []) + [place]
    }
    for difference in differences {
      for record in fileless(difference) {
        // Of several the first is the move, and the others are copies.
        guard let place = additions[record.name]?.first(where: { !arrivals.contains($0) })
        else { continue }
        join(MessageReference(mailbox: difference.mailbox, uid: record.uid), place)
      }
    }
  }

  private mutating func matchContents(_ differences: [LocalDifference]) {
    var additions: [ContentIdentity: [Place]] = [:]
    for place in differences.filter({ !$0.isDrafts }).flatMap(\.places)
    where !arrivals.contains(place) && !place.file.flags.contains(.draft) {
      guard let identity = place.file.identity else { continue }
      additions[identity, default: []].append(place)
    }
    guard !additions.isEmpty else { return }
    for (identity, messages) in absentByContent(differences) where messages.count == 1 {
      guard let found = additions[identity], found.count == 1 else { continue }
      join(messages[0], found[0])
    }
  }

  private func absentByContent(
    _ differences: [LocalDifference]
  ) -> [ContentIdentity: [MessageReference]] {
    var absent: [ContentIdentity: [MessageReference]] = [:]
    for difference in differences where !difference.isDrafts {
      for record in fileless(difference) {
        let message = MessageReference(mailbox: difference.mailbox, uid: record.uid)
        guard let identity = record.identity, places[message] == nil,
          !record.flags.system.contains(.draft)
        else { continue }
        absent[identity, default: []].append(message)
      }
    }
    return absent
  }

  private mutating func join(_ message: MessageReference, _ place: Place) {
    places[message] = place
    arrivals.insert(place)
  }
}
