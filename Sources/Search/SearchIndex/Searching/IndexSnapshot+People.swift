internal import CXapian
package import Query

// Senders and receivers from values: no message is read, except for those that an earlier version of the program took in.
extension IndexSnapshot {
  /// The senders and receivers of what a query finds, each person in each spelling once, in the order in which they first come,
  /// with how often they come.
  package func people(
    of query: Query,
    _ order: SearchOrder,
    _ fields: PeopleFields
  ) throws(IndexError) -> [(person: Person, count: Int)] {
    let documents = try ascending(query)
    let values = try database.values(documents, Schema.Slot.people)
    var table = PeopleTable(database)
    var list = CountedPeople()
    for place in try places(documents, order) {
      let numbers = values.read(place) { PeopleNumbers($0) }
      if let numbers {
        if fields.contains(.senders) { list.add(numbers.from) }
        if fields.contains(.recipients) {
          list.add(numbers.to)
          list.add(numbers.cc)
        }
      } else {
        let record = try Record(database.data(documents[place]))
        if fields.contains(.senders) { list.add(record.from) }
        if fields.contains(.recipients) { list.add(record.to + record.cc) }
      }
    }
    return try list.people { (number) throws(IndexError) in try table[number] }
  }

  /// The senders and receivers of each message that a query finds, the newest first.
  package func people(
    ofNewest query: Query,
    limit: Int
  ) throws(IndexError) -> [FoundPeople] {
    let newest = try found(try compiler.compile(query), .newestFirst, offset: 0, limit: limit)
    let documents = newest.sorted()
    let people = try database.values(documents, Schema.Slot.people)
    let dates = try database.values(documents, Schema.Slot.date)
    let answered = try Schema.slot(.replied).map { (slot) throws(IndexError) in
      try database.values(documents, slot)
    }
    let places = Dictionary(
      documents.enumerated().map { ($1, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var table = PeopleTable(database)
    var found: [FoundPeople] = []
    for number in newest {
      guard let place = places[number] else { continue }
      let fields: [[Person]]
      if let numbers = people.read(place, { PeopleNumbers($0) }) {
        var lists: [[Person]] = []
        for list in [numbers.from, numbers.to, numbers.cc] {
          var people: [Person] = []
          for number in list { people.append(try table[number]) }
          lists.append(people)
        }
        fields = lists
      } else {
        let record = try Record(database.data(number))
        fields = [record.from, record.to, record.cc]
      }
      found.append(
        FoundPeople(
          key: dates[place],
          from: fields[0],
          to: fields[1],
          cc: fields[2],
          isAnswered: answered.map { !$0[place].isEmpty } ?? false
        )
      )
    }
    return found
  }

  /// The documents that a query finds, in ascending order.
  private func ascending(_ query: Query) throws(IndexError) -> [UInt32] {
    if query == .everything { return try database.postings([]) }
    let found = try database.search(
      try compiler.compile(query),
      order: SearchOrder.unsorted.library
    )
    return found.sorted()
  }

  /// The places of documents, whose numbers ascend, in an order of results.
  private func places(
    _ documents: [UInt32],
    _ order: SearchOrder
  ) throws(IndexError) -> [Int] {
    guard order != .unsorted else { return Array(documents.indices) }
    let values = try database.values(documents, Schema.Slot.date)
    // Documents with equal values, in the order of their numbers.
    var dated = documents.indices.map { place in
      let date = values.read(place) { octets in octets.reduce(0) { $0 << 8 | UInt64($1) } }
      return (date: date, place: place)
    }
    dated.sort { ($0.date, $0.place) < ($1.date, $1.place) }
    if order == .newestFirst { dated.reverse() }
    return dated.map(\.place)
  }
}

/// People as they come, with how often they come.
private struct CountedPeople {
  /// Where in ``entries`` each number is, or -1.
  private var places: [Int] = []
  private var named: [Person: Int] = [:]
  private var entries: [(who: Who, count: Int)] = []

  private enum Who {
    case number(UInt32)
    case person(Person)
  }

  mutating func add(_ numbers: [UInt32]) {
    for number in numbers {
      while places.count <= Int(number) { places.append(-1) }
      let place = places[Int(number)]
      if place >= 0 {
        entries[place].count += 1
      } else {
        places[Int(number)] = entries.count
        entries.append((.number(number), 1))
      }
    }
  }

  mutating func add(_ people: [Person]) {
    for person in people {
      if let place = named[person] {
        entries[place].count += 1
      } else {
        named[person] = entries.count
        entries.append((.person(person), 1))
      }
    }
  }

  /// Each person once, though it may have come by its number and by itself.
  func people(
    _ person: (UInt32) throws(IndexError) -> Person
  ) throws(IndexError) -> [(person: Person, count: Int)] {
    var result: [(person: Person, count: Int)] = []
    var known: [Person: Int] = [:]
    for (who, count) in entries {
      let one =
        switch who {
        case .number(let number): try person(number)
        case .person(let person): person
        }
      if let place = known[one] {
        result[place].count += count
      } else {
        known[one] = result.count
        result.append((one, count))
      }
    }
    return result
  }
}
