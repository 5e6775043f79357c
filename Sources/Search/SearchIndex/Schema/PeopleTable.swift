internal import CXapian
internal import Octets
internal import Platform

/// The senders and receivers of all messages, each person in each spelling once, by number.
///
/// Metadata hold them some dozens at a time, and under a checksum of each its number. A person keeps its number as long as the
/// generation lives.
struct PeopleTable {
  /// How many people are kept under one key.
  static let step = 64

  private let database: XapianDatabase
  private var chunks: [Int: [Person]] = [:]

  init(_ database: XapianDatabase) {
    self.database = database
  }

  /// The person of a number; an empty one for a number that nothing has.
  subscript(number: UInt32) -> Person {
    mutating get throws(IndexError) {
      let (place, offset) = Int(number).quotientAndRemainder(dividingBy: Self.step)
      if chunks[place] == nil { chunks[place] = try Self.chunk(place, database) }
      let people = chunks[place] ?? []
      return people.indices.contains(offset) ? people[offset] : Person(name: [], address: [])
    }
  }

  /// The people under a key.
  static func chunk(_ place: Int, _ database: XapianDatabase) throws(IndexError) -> [Person] {
    var reader = OctetReader(try database.metadata(key(place), MAGNUM_INDEX_ANY))
    var people: [Person] = []
    while !reader.isAtEnd, !reader.isCut {
      people.append(Person(name: reader.text(), address: reader.text()))
    }
    return people
  }

  /// People as a key holds them.
  static func octets(_ people: some Sequence<Person>) -> [UInt8] {
    var writer = OctetWriter()
    for person in people {
      writer.add(person.name)
      writer.add(person.address)
    }
    return writer.octets
  }

  /// What to keep in place of the people whom no message names any longer.
  ///
  /// - Parameters:
  ///   - values: the values of all messages.
  ///   - database: where they are; nothing is changed there.
  /// - Returns: metadata; empty for keys that go.
  /// - Throws: why the database cannot be read.
  static func withoutUnused(
    _ values: TermList,
    _ database: XapianDatabase
  ) throws(IndexError) -> [(key: String, value: [UInt8])] {
    var used: Set<UInt32> = []
    for place in values.indices {
      guard let numbers = values.read(place, { PeopleNumbers($0) }) else { continue }
      for list in [numbers.from, numbers.to, numbers.cc] { used.formUnion(list) }
    }
    var metadata: [(key: String, value: [UInt8])] = []
    let empty = Person(name: [], address: [])
    for key in try database.keys(Array(start.utf8)) {
      guard let place = Int(String(decoding: key.dropFirst(start.utf8.count), as: UTF8.self)) else {
        continue
      }
      var people = try chunk(place, database)
      let unused = people.indices.filter { offset in
        people[offset] != empty && !used.contains(UInt32(place * step + offset))
      }
      guard !unused.isEmpty else { continue }
      for offset in unused {
        metadata.append((Self.key(people[offset]), []))
        people[offset] = empty
      }
      metadata.append((Self.key(place), octets(people)))
    }
    return metadata
  }

  /// What the keys of all begin with.
  static let start = "people:"

  /// The key of some dozens of people.
  static func key(_ place: Int) -> String { "\(start)\(place)" }

  /// The key under which the number of a person is.
  static func key(_ person: Person) -> String {
    var hash = Hash64()
    hash.update(person.name)
    hash.update([0])
    hash.update(person.address)
    return "who:\(String(decoding: Hex.digits(hash.value), as: UTF8.self))"
  }
}

/// Gives people numbers in a first build.
struct PeopleCollector {
  private(set) var people: [Person] = []
  private var numbers: [Person: UInt32] = [:]

  mutating func number(of person: Person) -> UInt32 {
    if let number = numbers[person] { return number }
    let number = UInt32(people.count)
    numbers[person] = number
    people.append(person)
    return number
  }

  /// What metadata keep of them.
  var metadata: [(key: String, value: [UInt8])] {
    var metadata = [(Schema.Key.people, Array(decimal: people.count))]
    for (place, start) in stride(from: 0, to: people.count, by: PeopleTable.step).enumerated() {
      let some = people[start..<min(start + PeopleTable.step, people.count)]
      metadata.append((PeopleTable.key(place), PeopleTable.octets(some)))
    }
    let keys = numbers.map { (PeopleTable.key($0), Array(decimal: Int($1))) }
    return metadata + keys.sorted { $0.0 < $1.0 }
  }
}

/// Gives people numbers in a transaction.
final class PeopleWriter {
  private let database: XapianDatabase
  private var known: [Person: UInt32] = [:]
  private var count: Int
  /// The people of each key that has become another one.
  private var chunks: [Int: [Person]] = [:]

  init(_ database: XapianDatabase) throws(IndexError) {
    self.database = database
    let text = try database.metadata(Schema.Key.people)
    count = Int(String(decoding: text, as: UTF8.self)) ?? 0
  }

  /// The number of a person, a new one where it has none.
  func number(of person: Person) throws(IndexError) -> UInt32 {
    if let number = known[person] { return number }
    let text = try database.metadata(PeopleTable.key(person), MAGNUM_INDEX_ANY)
    if let number = UInt32(String(decoding: text, as: UTF8.self)) {
      let (place, offset) = Int(number).quotientAndRemainder(dividingBy: PeopleTable.step)
      let people = try chunk(place)
      // Another one may have the same checksum.
      if people.indices.contains(offset), people[offset] == person {
        known[person] = number
        return number
      }
    }
    let number = UInt32(count)
    chunks[count / PeopleTable.step] = try chunk(count / PeopleTable.step) + [person]
    count += 1
    known[person] = number
    try database.setMetadata(PeopleTable.key(person), Array(decimal: Int(number)))
    return number
  }

  private func chunk(_ place: Int) throws(IndexError) -> [Person] {
    if let people = chunks[place] { return people }
    return try PeopleTable.chunk(place, database)
  }

  /// Keeps the people that have come.
  func write() throws(IndexError) {
    guard !chunks.isEmpty else { return }
    for (place, people) in chunks {
      try database.setMetadata(PeopleTable.key(place), PeopleTable.octets(people))
    }
    try database.setMetadata(Schema.Key.people, Array(decimal: count))
    chunks = [:]
  }
}
