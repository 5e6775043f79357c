internal import MailModel
internal import Octets
internal import SearchIndex
internal import Terminal

/// The people whose names or addresses begin as typed, for mutt's query_command.
struct PeopleCompletion {
  let set: SearchSet
  /// How many are printed at most.
  let bound: Int
  let now: Int64
  let console: Console
  let isQuiet: Bool

  /// How many messages are looked at for people that are completed, and of those that the user wrote.
  private static let (seenLimit, ownLimit) = (600, 400)

  /// Where more words begin as typed, only the newest messages are looked at, with all people in them.
  ///
  /// After a letter or two, finding all messages of a quarter of all people would take too long for a list.
  private static let wordLimit = 300

  /// Prints the people whose names or addresses begin so, as mutt's query_command wants them.
  func printPeople(_ text: String, own: Set<[UInt8]>) throws(Explanation) -> Int {
    var ranked = RankedPeople(text, own: own, now: now)
    do throws(IndexError) {
      var rare: [[UInt8]] = []
      for start in ranked.wanted
      where try !set.hasMoreWords(
        than: Self.wordLimit,
        beginning: start,
        in: RankedPeople.fields
      ) {
        rare.append(start)
      }
      try addPeople(rare, &ranked)
      if ranked.isEmpty, rare.count < ranked.wanted.count { try addPeople(ranked.wanted, &ranked) }
    } catch {
      throw Explanation(error)
    }
    let people = ranked.people.prefix(bound)
    // Mutt shows the first line as a message.
    var printer = ResultPrinter(console, .text, isQuiet: isQuiet)
    printer.add(Array("\(people.count) found".utf8))
    for person in people {
      let name = person.name.map { $0 < ASCII.space || $0 == ASCII.delete ? ASCII.space : $0 }
      printer.add(person.address + [ASCII.tab] + name)
    }
    return people.count
  }

  /// Adds the people of messages in whose addresses there are words that begin so.
  private func addPeople(_ starts: [[UInt8]], _ ranked: inout RankedPeople) throws(IndexError) {
    if let query = ranked.ownQuery(starts) {
      for people in try set.people(ofNewest: query, limit: Self.ownLimit) {
        ranked.addMessage(people)
      }
    }
    let query = RankedPeople.query(starts)
    for people in try set.people(ofNewest: query, limit: Self.seenLimit) {
      ranked.addMessage(people)
    }
  }
}
