internal import Octets
internal import SearchIndex

/// People as they come, those that are the same made one.
struct PeopleList {
  private let deduplicate: SearchOptions.Deduplicate
  private var places: [[UInt8]: Int] = [:]
  /// For each result, who it may be, with how often; several where only the address counts.
  private var results: [[(person: Person, count: Int)]] = []

  init(_ deduplicate: SearchOptions.Deduplicate) {
    self.deduplicate = deduplicate
  }

  /// Takes a person once more.
  mutating func add(_ person: Person) {
    guard let key = key(person) else { return results.append([(person, 1)]) }
    guard let place = places[key] else {
      places[key] = results.count
      return results.append([(person, 1)])
    }
    if let same = results[place].firstIndex(where: { $0.person == person }) {
      results[place][same].count += 1
    } else {
      results[place].append((person, 1))
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
