import MailModel
import Octets
import TestSupport
import Testing
import Threads

@Test(arguments: try Fixtures.load("Fixtures/threads.txt"))
func threads(_ fixture: Fixture) throws {
  let letters = Letters(fixture.lines())
  let threads = ThreadPartition.threads(of: letters.members, subjects: subjects(fixture))
  #expect(letters.words(of: threads) == fixture.lines("threads"))
}

@Test(arguments: try Fixtures.load("Fixtures/threads.txt").filter { $0.has("tree") })
func trees(_ fixture: Fixture) throws {
  let letters = Letters(fixture.lines())
  for order in permutations(of: letters.members.count) {
    let tree = ThreadTree(order.map { letters.members[$0] })
    let lines = tree.flattened.map {
      String(repeating: "  ", count: $0.depth) + letters.names[order[$0.place]]
    }
    #expect(lines == fixture.lines("tree"))
  }
}

/// Mail comes one by one, in every order: the threads are those of all of it at once.
@Test(arguments: try Fixtures.load("Fixtures/threads.txt"))
func everyOrderOfArrival(_ fixture: Fixture) throws {
  let letters = Letters(fixture.lines())
  let wanted = fixture.lines("threads")
  for order in permutations(of: letters.members.count) {
    var index = SmallIndex(subjects(fixture))
    for place in order { index.add(letters.members[place]) }
    let words = words(of: index, letters)
    if words != wanted { Issue.record("\(order): \(words)") }
  }
}

/// One goes after all have come, in every order, each in its turn; then the rest is as if it had never come.
@Test(arguments: try Fixtures.load("Fixtures/threads.txt"))
func everyRemoval(_ fixture: Fixture) throws {
  let letters = Letters(fixture.lines())
  let rests = letters.members.indices.map { without($0, letters, subjects(fixture)) }
  for order in permutations(of: letters.members.count) {
    var full = SmallIndex(subjects(fixture))
    for place in order { full.add(letters.members[place]) }
    for gone in order {
      var index = full
      index.remove(letters.members[gone])
      let words = words(of: index, letters)
      if words != rests[gone] { Issue.record("\(order) without \(letters.names[gone]): \(words)") }
    }
  }
}

@Test(arguments: try Fixtures.load("Fixtures/threads.txt"))
func removalsAsWritten(_ fixture: Fixture) throws {
  let letters = Letters(fixture.lines())
  for part in fixture.parts where part.name.hasPrefix("without ") {
    let gone = try #require(letters.names.firstIndex(of: String(part.name.dropFirst(8))))
    #expect(without(gone, letters, subjects(fixture)) == fixture.lines(part.name))
  }
}

@Test(arguments: try Fixtures.block("subjects", of: "Fixtures/subjects.txt").lines())
func subjectBases(_ line: String) throws {
  let parts = line.split(separator: "|", omittingEmptySubsequences: false)
  let base = SubjectBase(try Fixtures.unescape(String(parts[0])))
  #expect(String(decoding: base.text, as: UTF8.self).lowercased() == parts[1].trimmed)
  #expect(String(decoding: base.display, as: UTF8.self) == parts[2].trimmed)
  #expect(base.isReply == (parts.count > 3))
}

/// Names of threads are those of an index made anew, in whatever order mail came and went.
@Test(arguments: try Fixtures.load("Fixtures/threads.txt"))
func namesAreThoseOfANewIndex(_ fixture: Fixture) throws {
  let letters = Letters(fixture.lines())
  let subjects = subjects(fixture)
  for order in permutations(of: letters.members.count) {
    var index = SmallIndex(subjects)
    for place in order { index.add(letters.members[place]) }
    for gone in [nil] + order.map(Optional.init) {
      var index = index
      if let gone { index.remove(letters.members[gone]) }
      let made = names(of: index.members, subjects)
      if index.names != made { Issue.record("\(order) without \(String(describing: gone))") }
    }
  }
}

/// What only its subject joins to a thread: all that no ids link to its oldest message, or to those that are asked about.
@Test func joinedBySubject() throws {
  let letters = Letters(["A 1|||p", "B 2|A|A|p", "C 3|||Re: p", "D 4|C|C|Re: p", "E 5|||Re: p"])
  let names = { (seeds: Set<Int>) in
    ThreadPartition.joinedBySubject(letters.members, seeds: seeds).map { letters.names[$0] }
      .sorted().joined()
  }
  #expect(names([]) == "CDE" && names([3]) == "ABE" && names([0, 2]) == "E")
}

@Test func longChainsAreNoTrouble() throws {
  let count = 50_000
  var chain: [ThreadMember] = []
  for number in 0..<UInt64(count) {
    let links = number == 0 ? [] : [LinkKey(rawValue: number - 1)]
    let id = LinkKey(rawValue: number)
    chain.append(ThreadMember(id: id, links: links, subject: nil, date: Int64(number)))
  }
  let start = Stopwatch.now()
  #expect(ThreadPartition.threads(of: chain).count == 1)
  #expect(ThreadTree(chain).flattened.last?.depth == count - 1)
  #expect(Stopwatch.now() - start < 10)
}

@Test func manyReferencesAreCutAtTheFarEnd() throws {
  let references = (0..<10_000).map { Array("<\($0)@x>".utf8) }
  let member = ThreadMember(
    id: Array("me".utf8),
    inReplyTo: [],
    references: references,
    subject: [],
    date: 0
  )
  #expect(member.links.count == ThreadMember.linkLimit)
  #expect(member.links.first == LinkKey(id: Array("<9999@x>".utf8)))
}

private func subjects(_ fixture: Fixture) -> SubjectThreading {
  fixture["subjects"].flatMap { SubjectThreading(rawValue: $0) } ?? .all
}

private func words(of index: SmallIndex, _ letters: Letters) -> [String] {
  letters.words(of: index.threads.map { $0.compactMap { letters.members.firstIndex(of: $0) } })
}

private func without(_ gone: Int, _ letters: Letters, _ subjects: SubjectThreading) -> [String] {
  var rest = letters
  rest.names.remove(at: gone)
  rest.members.remove(at: gone)
  return rest.words(of: ThreadPartition.threads(of: rest.members, subjects: subjects))
}

/// The names when all messages are threaded at once.
private func names(of members: [ThreadMember], _ subjects: SubjectThreading) -> [ThreadID?] {
  let threads = ThreadPartition.threads(of: members, subjects: subjects)
  return members.indices.map { place in
    threads.first { $0.contains(place) }.map { ThreadID(oldest: members[$0[0]].id) }
  }
}

@Test(arguments: [
  "", "...", "[...]", "[list] ...", "(no subject)", "Re: no subject", "Subject Unavailable",
  "Encrypted Message",
  "AW: test", "Hi!", "*** TEST ***", "?", "Re: Re:",
])
func subjectsThatAreNone(_ subject: String) {
  #expect(SubjectLink(Array(subject.utf8)) == nil)
}

@Test(arguments: ["Hi Bob", "test results", "42", "会议", "no subject yet"])
func subjectsThatAreSome(_ subject: String) {
  #expect(SubjectLink(Array(subject.utf8)) != nil)
}
