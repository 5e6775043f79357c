internal import Octets
internal import Query
internal import SearchIndex

/// People whose names or addresses have words that begin as wanted, those first to whom the user writes.
///
/// A message to a person counts most, one from a person that was answered less, any other least; each half as much after
/// half a year.
struct RankedPeople {
  /// One person, by an address.
  private struct Entry {
    var score = 0.0
    /// How often each name was seen with the address, in each spelling.
    var people: [Person: Int] = [:]
  }

  private static let (written, answered, seen) = (16.0, 4.0, 1.0)

  /// Days after which a message counts half.
  private static let halfLife = 182.0

  /// Addresses at which no mail is read.
  private static let unread = [
    "noreply", "no-reply", "no_reply", "donotreply", "do-not-reply", "mailer-daemon", "bounce",
  ].map { [UInt8]($0.utf8) }

  static let fields: [TextField] = [.from, .to, .cc]

  /// What words of them begin with.
  let wanted: [[UInt8]]
  private let own: Set<[UInt8]>
  private let now: Int64
  private var scanner = WordScanner()
  private var entries: [[UInt8]: Entry] = [:]
  private var messages: Set<[UInt8]> = []
  private var wantedKeys: [Person: [UInt8]?] = [:]

  /// An empty list.
  ///
  /// - Parameters:
  ///   - text: what names or addresses are to begin with, as it is typed.
  ///   - own: the addresses of the user, in small letters.
  ///   - now: in seconds since 1970.
  init(_ text: String, own: Set<[UInt8]>, now: Int64) {
    wanted = scanner.words(Array(text.utf8))
    self.own = own
    self.now = now
  }

  /// What finds messages in whose addresses there are words that begin so; all messages for none.
  static func query(_ starts: [[UInt8]]) -> Query {
    let words = starts.map { start in Query.or(fields.map { .beginning(start, $0) }) }
    return words.isEmpty ? .everything : .and(words)
  }

  /// What finds those of them that the user wrote; nil where no address is known.
  func ownQuery(_ starts: [[UInt8]]) -> Query? {
    guard !own.isEmpty else { return nil }
    var scanner = WordScanner()
    let authors = own.sorted { $0.lexicographicallyPrecedes($1) }
      .map { Query.phrase(scanner.words($0), .from) }
    return .and([Self.query(starts), .or(authors)])
  }

  /// Adds the people of a message, once.
  mutating func addMessage(_ message: FoundPeople) {
    guard messages.insert(message.key).inserted else { return }
    let days = Double(max(0, now - message.date)) / 86_400
    let weight = Self.decayed(days)
    let isOwn = message.from.contains { own.contains(Self.key($0)) }
    for person in message.to + message.cc {
      add(person, weight * (isOwn ? Self.written : Self.seen))
    }
    let received = message.isAnswered ? Self.answered : Self.seen
    for person in message.from { add(person, weight * received) }
  }

  /// Half after each half-life, and never quite nothing.
  private static func decayed(_ days: Double) -> Double {
    var weight = 1.0
    var rest = days / halfLife
    while rest >= 1, weight > 1e-6 {
      weight /= 2
      rest -= 1
    }
    return weight * (1 - rest.truncatingRemainder(dividingBy: 1) / 2)
  }

  private mutating func add(_ person: Person, _ score: Double) {
    guard let key = wantedKey(of: person) else { return }
    entries[key, default: Entry()].score += score
    entries[key]?.people[person, default: 0] += 1
  }

  /// The key of a person who is wanted; nil for others.
  ///
  /// Most people come many times, and are looked at once.
  private mutating func wantedKey(of person: Person) -> [UInt8]? {
    if let known = wantedKeys[person] { return known }
    let key = Self.key(person)
    let isOut = person.address.isEmpty || own.contains(key) || Self.isUnread(key)
    let wanted = !isOut && isWanted(person) ? key : nil
    wantedKeys[person] = .some(wanted)
    return wanted
  }

  private static func key(_ person: Person) -> [UInt8] {
    person.address.map { ASCII.lowercased($0) }
  }

  private static func isUnread(_ key: [UInt8]) -> Bool {
    let local = key.prefix { $0 != ASCII.at }
    return unread.contains { local.starts(with: $0) }
  }

  private mutating func isWanted(_ person: Person) -> Bool {
    guard !wanted.isEmpty else { return true }
    let words = scanner.words(person.name) + scanner.words(person.address)
    return wanted.allSatisfy { wanted in words.contains { $0.starts(with: wanted) } }
  }

  /// Whether no person was found yet.
  var isEmpty: Bool { entries.isEmpty }

  /// One person for each address, under the name that came most often, the best first.
  var people: [Person] {
    entries.sorted { left, right in
      if left.value.score != right.value.score { return left.value.score > right.value.score }
      return left.key.lexicographicallyPrecedes(right.key)
    }
    .compactMap { _, entry in
      let named = entry.people.filter { !$0.key.name.isEmpty }
      return (named.isEmpty ? entry.people : named).max { left, right in
        if left.value != right.value { return left.value < right.value }
        return right.key.name.lexicographicallyPrecedes(left.key.name)
      }?.key
    }
  }
}

/// People as they come, those that are the same made one.
struct PeopleList {
  private let deduplicate: SearchOptions.Deduplicate
  private var places: [[UInt8]: Int] = [:]
  /// For each result, who it may be, with how often; several where only the address counts.
  private var results: [[(person: Person, count: Int)]] = []

  init(_ deduplicate: SearchOptions.Deduplicate) {
    self.deduplicate = deduplicate
  }

  /// Adds a person once more, or so many times.
  mutating func add(_ person: Person, _ count: Int = 1) {
    guard let key = key(person) else { return results.append([(person, count)]) }
    guard let place = places[key] else {
      places[key] = results.count
      return results.append([(person, count)])
    }
    if let same = results[place].firstIndex(where: { $0.person == person }) {
      results[place][same].count += count
    } else {
      results[place].append((person, count))
    }
  }

  /// Each with the number of fields, under the name and in the spelling that came most often.
  var people: [(person: Person, count: Int)] {
    results.compactMap { variants in
      var best = variants.first
      for variant in variants where variant.count > (best?.count ?? 0) { best = variant }
      return best.map { ($0.person, variants.reduce(0) { $0 + $1.count }) }
    }
  }

  /// What is the same for all that count as one; nil where none do.
  private func key(_ person: Person) -> [UInt8]? {
    switch deduplicate {
    case .no: nil
    case .mailbox: person.nameAddress
    case .address:
      (person.address.isEmpty ? person.name : person.address).map { ASCII.lowercased($0) }
    }
  }
}
