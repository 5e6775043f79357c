internal import MailModel
internal import Octets

/// Finds where a file went that its mailbox no longer has: a pure function on all mailboxes' differences.
///
/// First the same base name in another mailbox that does not know it, then the same content under a new name, as some clients
/// write it. In each step, messages that the server still has come first. Only a file that none of them claims can be the file
/// of a message that is gone, and such a file is kept, since it was moved.
struct MoveMatcher {
  /// Where the file of each absent message lies now.
  private(set) var places: [RemoteReference: Place] = [:]
  /// The messages whose files these are, so that they are no additions.
  private(set) var sources: [Place: RemoteReference] = [:]
  /// Those of them that hold another content than the message: they were moved and written anew.
  private(set) var edited: Set<Place> = []
  /// Where the file of each message lies that the server has no more.
  private(set) var deserted: [RemoteReference: Place] = [:]
  /// The messages whose files lie in these places.
  private(set) var kept: [Place: RemoteReference] = [:]
  /// What was agreed on of the message whose file lies in a place.
  private(set) var records: [Place: BaseRecord] = [:]

  private struct Message {
    let reference: RemoteReference
    let record: BaseRecord
    let isDrafts: Bool
  }

  private var names = OctetTable<[Place]>()
  /// Files whose names say which message of their own mailbox they are.
  private var keyed: [RemoteReference: Place] = [:]
  private let additions: [Place]
  private let drafts: Set<UInt64>
  /// The mailboxes in which the server has a new message of the mark.
  private let arrivals: [Sameness.Key: Set<UInt64>]

  init(_ differences: [LocalDifference], arrivals: [Sameness.Key: Set<UInt64>]) {
    self.arrivals = arrivals
    drafts = Set(differences.filter(\.isDrafts).map(\.mailbox))
    additions = differences.flatMap(\.places)
    let detached = differences.flatMap { difference in
      difference.detached.map { Place(mailbox: difference.mailbox, file: $0) }
    }
    for place in additions + detached {
      names[place.file.name] = (names[place.file.name] ?? []) + [place]
      guard let uid = place.file.ownUID else { continue }
      keyed[RemoteReference(mailbox: place.mailbox, uid: uid)] = place
    }
    let absent = Self.messages(differences, \.absent)
    let missing = Self.messages(differences, \.missing)
    matchNames(absent) { $0.join($1, $2) }
    matchNames(missing) { $0.keep($1, $2) }
    matchContents(absent) { $0.join($1, $2) }
    matchContents(missing) { $0.keep($1, $2) }
    for message in absent { noteEdit(message) }
  }

  /// Where the file of a message was moved that holds what it held, and is not marked to go; nil where it was not.
  func movedPlace(of reference: RemoteReference) -> Place? {
    guard let place = places[reference], !edited.contains(place),
      !place.file.flags.contains(.deleted)
    else { return nil }
    return place
  }

  private static func messages(
    _ differences: [LocalDifference],
    _ records: (LocalDifference) -> [BaseRecord]
  ) -> [Message] {
    differences.flatMap { difference in
      records(difference).map { record in
        Message(
          reference: RemoteReference(mailbox: difference.mailbox, uid: record.uid),
          record: record,
          isDrafts: difference.isDrafts
        )
      }
    }
  }

  /// Whether the file is not that of a message that was moved here.
  func isFree(_ place: Place) -> Bool {
    sources[place] == nil && kept[place] == nil
  }

  private func isOpen(_ message: Message) -> Bool {
    places[message.reference] == nil && deserted[message.reference] == nil
  }

  private mutating func join(_ message: Message, _ place: Place) {
    places[message.reference] = place
    sources[place] = message.reference
    records[place] = message.record
  }

  private mutating func keep(_ message: Message, _ place: Place) {
    deserted[message.reference] = place
    kept[place] = message.reference
    records[place] = message.record
  }

  // MARK: Matching

  private mutating func matchNames(
    _ messages: [Message],
    _ take: (inout Self, Message, Place) -> Void
  ) {
    for message in messages {
      guard let place = renamed(message) ?? equalPlace(named: message.record) else { continue }
      take(&self, message, place)
    }
    // Two messages had the name where one is a former text of the other: no file is taken from the one that it is equal to.
    for message in messages where isOpen(message) {
      guard let place = names[message.record.name]?.first(where: isFree) else { continue }
      take(&self, message, place)
    }
  }

  private mutating func matchContents(
    _ messages: [Message],
    _ take: (inout Self, Message, Place) -> Void
  ) {
    matchOctets(messages, take)
    matchTexts(messages, take)
  }

  /// The file that has another base name with the key of the message: a run was ended between a rename and its record.
  private func renamed(_ message: Message) -> Place? {
    guard SyncRule.keys.isOn, let place = keyed[message.reference],
      place.file.name != message.record.name,
      isFree(place)
    else { return nil }
    return message.record.sameness(to: place.file) != .no ? place : nil
  }

  /// Of several files of one name one with the message's content is the move, the others are copies.
  private func equalPlace(named record: BaseRecord) -> Place? {
    let equal = (names[record.name] ?? []).filter {
      isFree($0) && record.sameness(to: $0.file) == .certain
    }
    return equal.isEmpty ? nil : equal[choice(among: equal, for: record)]
  }

  /// Of equal files the one that lies where the server has a new message of that content, else the first.
  ///
  /// That one need not move; another one would be removed from where it was put.
  private func choice(among places: [Place], for record: BaseRecord) -> Int {
    guard places.count > 1, let mark = Trace(record).key(.mark), let mailboxes = arrivals[mark]
    else {
      return 0
    }
    return places.firstIndex { mailboxes.contains($0.mailbox) } ?? 0
  }

  /// The same octets: whichever of several it is, drafts included.
  ///
  /// A file whose name says which message of its own mailbox it is is that one's.
  private mutating func matchOctets(
    _ messages: [Message],
    _ take: (inout Self, Message, Place) -> Void
  ) {
    let free = additions.filter { isFree($0) && $0.file.ownUID == nil }
    var found = Sameness.places(free, by: .content)
    guard !found.isEmpty else { return }
    for message in messages where isOpen(message) {
      guard let content = Trace(fileOf: message.record).key(.content),
        let alike = found[content], !alike.isEmpty,
        let place = found[content]?.remove(at: choice(among: alike, for: message.record))
      else { continue }
      take(&self, message, place)
    }
  }

  /// The same text under another header, where just one message and one file have it.
  ///
  /// Not of drafts: there it is a new version.
  private mutating func matchTexts(
    _ messages: [Message],
    _ take: (inout Self, Message, Place) -> Void
  ) {
    guard SyncRule.contents.isOn else { return }
    let free = additions.filter { isFree($0) && $0.file.ownUID == nil && !isDraft($0) }
    let found = Sameness.places(free, by: .text)
    guard !found.isEmpty else { return }
    var open: [Sameness.Key: [Message]] = [:]
    for message in messages where isOpen(message) && !message.isDrafts {
      guard let text = message.record.identity?.text,
        !message.record.flags.system.contains(.draft)
      else { continue }
      open[text, default: []].append(message)
    }
    for (text, messages) in open where messages.count == 1 {
      guard let places = found[text], places.count == 1 else { continue }
      take(&self, messages[0], places[0])
    }
  }

  /// Of drafts the header counts; other files may get fields that say nothing about the message.
  private mutating func noteEdit(_ message: Message) {
    guard let place = places[message.reference] else { return }
    let isDraft = message.isDrafts || isDraft(place)
    if message.record.sameness(to: place.file, isDraft: isDraft) == .no { edited.insert(place) }
  }

  private func isDraft(_ place: Place) -> Bool {
    drafts.contains(place.mailbox) || place.file.flags.contains(.draft)
  }
}

extension Sameness {
  /// Files by what they are looked up by, as far as they were read.
  static func places(_ places: [Place], by facts: Facts) -> [Key: [Place]] {
    var found: [Key: [Place]] = [:]
    for place in places {
      if let key = Trace(place.file).key(facts) { found[key, default: []].append(place) }
    }
    return found
  }

  /// The mailboxes in which the server has messages that their records do not know, by the marks of these.
  static func newMarks(
    _ mailboxes: [MailboxSnapshot],
    _ remotes: [RemoteIndex]
  ) -> [Key: Set<UInt64>] {
    var found: [Key: Set<UInt64>] = [:]
    for (mailbox, remote) in zip(mailboxes, remotes) {
      for message in remote.newestFirst(but: mailbox.knownUIDs) {
        guard let mark = Trace(message).key(.mark) else { continue }
        found[mark, default: []].insert(mailbox.mailbox)
      }
    }
    return found
  }
}
