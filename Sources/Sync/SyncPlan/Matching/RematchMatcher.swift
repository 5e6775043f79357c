internal import MailModel

/// The work of `Rematch` on indices: who belongs to whom, and what else must be known.
///
/// Each step joins only what no step before it joined. A step that lacks a fact about a message notes the
/// message as wanted and leaves it alone, so more facts add pairs and never need other facts without end.
struct RematchMatcher {
  /// Files and messages that may belong together, as indices.
  struct Group {
    var locals: [Int] = []
    var remotes: [Int] = []
  }

  private let locals: [Rematch.Local]
  private let remotes: [Rematch.Remote]
  private var isMatched: [Bool]

  /// The message of each file.
  private(set) var partners: [Int?]
  /// The messages whose header is wanted.
  private(set) var headersWanted: [Int] = []
  /// The messages whose body's hash is wanted.
  private(set) var bodiesWanted: [Int] = []

  /// Runs all steps.
  init(_ locals: [Rematch.Local], _ remotes: [Rematch.Remote]) {
    self.locals = locals
    self.remotes = Self.recognised(remotes, locals)
    isMatched = Array(repeating: false, count: remotes.count)
    partners = Array(repeating: nil, count: locals.count)
    matchExpected()
    matchDrafts()
    matchMessageIDs()
    matchUnidentified()
  }

  private static func recognised(
    _ remotes: [Rematch.Remote],
    _ locals: [Rematch.Local]
  ) -> [Rematch.Remote] {
    guard remotes.contains(where: { $0.former != nil }) else { return remotes }
    let bodies = Set(locals.flatMap { [$0.bodyHash, BodyHash($0.sent)] })
    return remotes.map { $0.recognised(among: bodies) }
  }

  /// The messages of no file.
  var unmatched: [Int] { remotes.indices.filter { !isMatched[$0] } }

  // MARK: Groups

  /// The parts of a group that agree in a key, where both sides have some; a message without the key is in none.
  private func parts<Key: Hashable>(
    of group: Group,
    _ localKey: (Rematch.Local) -> Key?,
    _ remoteKey: (Rematch.Remote) -> Key?
  ) -> [Group] {
    guard !group.locals.isEmpty, !group.remotes.isEmpty else { return [] }
    var parts: [Key: Group] = [:]
    for index in group.locals {
      guard let key = localKey(locals[index]) else { continue }
      parts[key, default: Group()].locals.append(index)
    }
    for index in group.remotes {
      guard let key = remoteKey(remotes[index]), let place = parts.index(forKey: key) else {
        continue
      }
      parts.values[place].remotes.append(index)
    }
    return parts.values.filter { !$0.remotes.isEmpty }
  }

  /// What no step has joined yet.
  private func rest(of group: Group) -> Group {
    Group(
      locals: group.locals.filter { partners[$0] == nil },
      remotes: group.remotes.filter { !isMatched[$0] }
    )
  }

  /// What no step has joined yet, of drafts or of all else.
  private func open(isDraft: Bool) -> Group {
    let files = locals.indices.filter { locals[$0].isDraft == isDraft }
    return rest(of: Group(locals: files, remotes: Array(remotes.indices)))
  }

  private mutating func join(_ local: Int, _ remote: Int) {
    partners[local] = remote
    isMatched[remote] = true
  }

  // MARK: Hints

  /// Joins by the UIDs that are known from elsewhere; of several files with one UID the most alike.
  private mutating func matchExpected() {
    var hinted: [UInt32: [Int]] = [:]
    for (index, local) in locals.enumerated() {
      if let uid = local.expectedUID { hinted[uid, default: []].append(index) }
    }
    guard !hinted.isEmpty else { return }
    for index in remotes.indices {
      let confirmed = hinted[remotes[index].message.uid, default: []].filter {
        isConfirmed($0, index) && isSame($0, index)
      }
      if let best = confirmed.min(by: { isMoreAlike($0, $1, to: remotes[index].message) }) {
        join(best, index)
      }
    }
  }

  private func isConfirmed(_ local: Int, _ remote: Int) -> Bool {
    let (local, remote) = (locals[local], remotes[remote])
    guard local.sent.messageID == remote.messageID else { return false }
    return remote.messageID != 0 || local.wireSize.equals(remote.message.size)
      || local.bodySize != nil && local.bodySize == remote.bodySize
      || local.headerKey == remote.headerKey
  }

  private func isMoreAlike(_ one: Int, _ other: Int, to message: RemoteMessage) -> Bool {
    let (one, other) = (locals[one], locals[other])
    let sizes = (one.wireSize.equals(message.size), other.wireSize.equals(message.size))
    if sizes.0 != sizes.1 { return sizes.0 }
    let dates = (one.date.equals(message.date), other.date.equals(message.date))
    if dates.0 != dates.1 { return dates.0 }
    return one.name.lexicographicallyPrecedes(other.name)
  }

  /// Whether a file and a message of one Message-ID are one message; false until that is known.
  ///
  /// The Message-ID may be that of another message too, which some programs make with one and the same. Where the
  /// file was on the server and sizes and dates agree that is enough, else header and size of the body have to be equal,
  /// and where they differ in anything the bodies are compared.
  private mutating func isSame(_ local: Int, _ remote: Int) -> Bool {
    if locals[local].isDraft {
      if remotes[remote].bodyHash == nil { bodiesWanted.append(remote) }
      let (local, remote) = (locals[local], remotes[remote])
      return remote.identity == local.sent
        || local.serverHeader != nil && remote.header == local.serverHeader
    }
    if let hash = remotes[remote].bodyHash { return locals[local].bodyHash == hash }
    if wasThere(local, remote) { return true }
    guard let header = remotes[remote].header else {
      headersWanted.append(remote)
      return false
    }
    if header == locals[local].identity.header, let size = locals[local].bodySize,
      size == remotes[remote].bodySize
    {
      return true
    }
    bodiesWanted.append(remote)
    return false
  }

  /// Whether size and date are those of a file that was on the server, as far as they are told, under no other UID.
  private func wasThere(_ local: Int, _ remote: Int) -> Bool {
    let (local, message) = (locals[local], remotes[remote].message)
    guard local.wasSynced, local.expectedUID.map({ $0 == message.uid }) ?? true else {
      return false
    }
    return (message.size.map { $0 == local.wireSize || $0 == local.recordedSize } ?? true)
      && (message.date.map { $0 == local.date || $0 == local.recordedDate } ?? true)
  }

  // MARK: Drafts

  private mutating func matchDrafts() {
    for group in parts(of: open(isDraft: true), \.sent.messageID, \.messageID) {
      let alike = group.remotes.filter { remotes[$0].messageID != 0 || isAsLong($0, group.locals) }
      bodiesWanted += alike.filter { remotes[$0].bodyHash == nil }
      let equal = parts(of: Group(locals: group.locals, remotes: alike), \.sent, \.identity)
      for part in equal { joinAny(part) }
      // A server that rewrites what it is given adds fields that no two messages have.
      for part in parts(of: rest(of: group), \.serverHeader, \.header) { joinAny(part) }
    }
  }

  /// Octets by which a file may be longer than its message, since a program wrote header fields into it, and by which the
  /// message may be longer, since a server added a line end.
  private static let (fieldOctets, lineEndOctets): (UInt64, UInt64) = (512, 2)

  /// Whether the message may be as long as one of the files without the fields that programs add, as far as that is told.
  private func isAsLong(_ remote: Int, _ files: [Int]) -> Bool {
    guard let size = remotes[remote].message.size else { return true }
    return files.contains { file in
      guard let own = locals[file].wireSize else { return true }
      return locals[file].recordedSize == size || size == own + Self.lineEndOctets
        || size <= own && own - size <= Self.fieldOctets
    }
  }

  // MARK: Message-IDs

  private mutating func matchMessageIDs() {
    let open = open(isDraft: false)
    for group in parts(of: open, \.identity.messageID, { $0.messageID == 0 ? nil : $0.messageID }) {
      if group.locals.count == 1, group.remotes.count == 1 {
        if isSame(group.locals[0], group.remotes[0]) { join(group.locals[0], group.remotes[0]) }
      } else if hasHeaders(group) {
        matchContents(group)
      }
    }
  }

  private mutating func matchUnidentified() {
    var group = open(isDraft: false)
    group.locals.removeAll { locals[$0].identity.messageID != 0 }
    group.remotes.removeAll { remotes[$0].messageID != 0 }
    guard !group.locals.isEmpty, hasHeaders(group) else { return }
    for part in parts(of: group, \.headerKey, \.headerKey) { matchContents(part) }
  }

  /// Whether the headers of all messages are known; those that are not are wanted.
  private mutating func hasHeaders(_ group: Group) -> Bool {
    let missing = group.remotes.filter {
      remotes[$0].header == nil || remotes[$0].headerKey == nil || remotes[$0].headerSize == nil
    }
    headersWanted += missing
    return missing.isEmpty
  }

  // MARK: Contents

  /// Joins messages of one Message-ID, or of one From, Date and Subject, by their bodies.
  private mutating func matchContents(_ group: Group) {
    let equal = parts(
      of: group,
      {
        Trace(messageID: nil, header: $0.identity.header, size: $0.bodySize).key([.header, .size])
      },
      { Trace(messageID: nil, header: $0.header, size: $0.bodySize).key([.header, .size]) }
    )
    for part in equal { matchBodies(part) }
    // What never was on the server has to be compared by its content where the headers differ.
    let alike = parts(
      of: synced(rest(of: group)),
      { Trace(messageID: nil, header: $0.headerKey, size: $0.bodySize).key([.header, .size]) },
      { Trace(messageID: nil, header: $0.headerKey, size: $0.bodySize).key([.header, .size]) }
    )
    for part in alike { matchBodies(part) }
    // Some tools write From, Date and Subject anew, and some servers report sizes that are not true.
    matchHashes(rest(of: group))
    let rest = rest(of: group)
    if !rest.locals.isEmpty {
      bodiesWanted += rest.remotes.filter { remotes[$0].bodyHash == nil }
    }
  }

  /// Joins messages whose headers are alike and whose bodies are equally long.
  private mutating func matchBodies(_ group: Group) {
    matchTwins(group)
    matchHashes(rest(of: group))
    matchAlike(rest(of: group))
  }

  /// Of files with the same body, joins those that have a message of the same date and whole size each.
  ///
  /// Without a Message-ID only those that were on the server.
  private mutating func matchTwins(_ group: Group) {
    guard haveOneBody(group.locals) else { return }
    let files = group.locals.filter { locals[$0].identity.messageID != 0 || locals[$0].wasSynced }
    let twins = parts(
      of: Group(locals: files, remotes: group.remotes),
      { Trace(size: $0.wireSize, date: $0.date).key(.look) },
      { $0.bodyHash == nil ? Trace($0.message).key(.look) : nil }
    )
    for part in twins where part.remotes.count <= part.locals.count { joinAny(part) }
  }

  private mutating func matchHashes(_ group: Group) {
    for part in parts(of: group, \.bodyHash, \.bodyHash) { joinAny(part) }
  }

  /// Joins messages of unknown body where every remaining file has the same body, and enough files remain.
  ///
  /// A message too many could have another body of the same length, and so could a message without a Message-ID.
  private mutating func matchAlike(_ group: Group) {
    guard group.locals.allSatisfy({ locals[$0].identity.messageID != 0 }) else { return }
    let unknown = group.remotes.filter { remotes[$0].bodyHash == nil }
    guard unknown.count <= group.locals.count, haveOneBody(group.locals) else { return }
    joinAny(Group(locals: group.locals, remotes: unknown))
  }

  /// The group without files that never were on the server.
  private func synced(_ group: Group) -> Group {
    Group(locals: group.locals.filter { locals[$0].wasSynced }, remotes: group.remotes)
  }

  private func haveOneBody(_ indices: [Int]) -> Bool {
    guard let first = indices.first else { return false }
    return indices.allSatisfy { locals[$0].bodyHash == locals[first].bodyHash }
  }

  // MARK: Equal contents

  /// Joins as many as there are on both sides, the same content all of them; what was once synced goes first,
  /// since a file left over should rather be one that is still to be uploaded.
  private mutating func joinAny(_ group: Group) {
    guard group.locals.count > group.remotes.count else { return joinByDate(group) }
    joinByDate(synced(group))
    joinByDate(rest(of: group))
  }

  /// Joins equal dates first, then in the order of date and name against that of UIDs.
  private mutating func joinByDate(_ group: Group) {
    if group.locals.count > 1 || group.remotes.count > 1 {
      for part in parts(of: group, \.date, \.message.date) { joinInOrder(part) }
    }
    joinInOrder(rest(of: group))
  }

  private mutating func joinInOrder(_ group: Group) {
    let files = group.locals.sorted { isEarlier(locals[$0], locals[$1]) }
    let messages = group.remotes.sorted { remotes[$0].message.uid < remotes[$1].message.uid }
    for (local, remote) in zip(files, messages) { join(local, remote) }
  }

  /// Those of unknown date come last.
  private func isEarlier(_ one: Rematch.Local, _ other: Rematch.Local) -> Bool {
    let (date, later) = (one.date ?? .max, other.date ?? .max)
    return date == later ? one.name.lexicographicallyPrecedes(other.name) : date < later
  }
}
