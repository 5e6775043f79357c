import Octets
import Query
import TestSupport
import Testing

private let dates = DateContext(now: 1_795_267_845, offset: 7200)

@Test(arguments: try Fixtures.load("Fixtures/queries.txt"))
func queries(_ fixture: Fixture) throws {
  for line in fixture.lines() where line.contains(" => ") || line.hasPrefix("=> ") {
    let (text, wanted) = Table.cut(line)
    let query = try QueryParser.parse(Array(text.utf8), dates)
    #expect(QueryText.text(query) == wanted, "\(text)")
  }
}

@Test(arguments: try Fixtures.load("Fixtures/mistakes.txt"))
func mistakes(_ fixture: Fixture) throws {
  let lines = fixture.lines()
  let error = #expect(throws: QueryError.self) {
    _ = try QueryParser.parse(Array(lines[0].utf8), dates)
  }
  let place = try #require(error?.place)
  let marks =
    String(repeating: " ", count: place.lowerBound)
    + String(repeating: "^", count: place.count)
  let wanted = lines[1].hasPrefix("\\s") ? " " + lines[1].dropFirst(2) : lines[1]
  #expect(marks == wanted)
  #expect(error?.description == lines[2])
}

@Test(arguments: try Fixtures.load("Fixtures/words.txt"))
func words(_ fixture: Fixture) throws {
  for line in fixture.lines() {
    let (text, wanted) = Table.cut(line)
    var scanner = WordScanner()
    let words = scanner.words(try Fixtures.unescape(text))
    #expect(words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ") == wanted)
  }
}

@Test(arguments: try Fixtures.load("Fixtures/dates.txt"))
func dates(_ fixture: Fixture) throws {
  for line in fixture.lines() {
    let (text, wanted) = Table.cut(line)
    #expect(Table.range(Array(text.utf8), dates) == wanted, "\(text)")
  }
}

@Test func clocksThatChange() throws {
  // Central Europe: summer ended on 2026-10-25 at 01:00 UTC.
  let change: Int64 = 1_792_890_000
  let dates = DateContext(now: change + 7200) { $0 < change ? 7200 : 3600 }
  let today = try DateRange(Array("today".utf8), dates)
  #expect(today.first == change - 3600 * 3 && today.last == change + 22 * 3600 - 1)
  let yesterday = try DateRange(Array("yesterday".utf8), dates)
  #expect((yesterday.last ?? 0) + 1 == today.first)
}

@Test func nothingThatIsTypedTraps() throws {
  var generator = SeededGenerator(seed: 7)
  let pieces = [
    "a", "\"", "(", ")", " ", "-", "+", "*", "/", "tag:", "from:", "date:", "size:", "thread:", "{",
    "}", "..", "and", "or", "not", "NEAR/2", "会议", "\u{FF}", "2012", "5M", "@", ":", "id:", "!",
    "9999999999999999999999", "xor", "ADJ", "has:", "..9999999999999999999G",
  ]
  for _ in 0..<20_000 {
    let count = Int.random(in: 1...8, using: &generator)
    let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }
    _ = try? QueryParser.parse(Array(text.joined().utf8), dates)
    _ = try? QueryParser.parse(Array(text.joined(separator: " ").utf8), dates)
  }
}

@Test func longQueries() throws {
  let many = (0..<5000).map { "w\($0)" }.joined(separator: " or ")
  guard case .or(let parts) = try QueryParser.parse(Array(many.utf8), dates) else {
    Issue.record("no alternatives")
    return
  }
  #expect(parts.count == 5000)
  let deep = String(repeating: "(", count: 50_000)
  #expect(throws: QueryError.self) { _ = try QueryParser.parse(Array(deep.utf8), dates) }
  let negations = String(repeating: "not ", count: 50_000) + "a"
  #expect(throws: QueryError.self) { _ = try QueryParser.parse(Array(negations.utf8), dates) }
  let braces = String(repeating: "thread:{", count: 500) + "a" + String(repeating: "}", count: 500)
  #expect(throws: QueryError.self) { _ = try QueryParser.parse(Array(braces.utf8), dates) }
}

/// What fuzzing has found to be worth keeping (Tests/fuzz): a tree, or a mistake that points into the query.
@Test func whatFuzzingFound() throws {
  let folder = Fixtures.project("Tests/fuzz/corpus/query")
  let names = Files.names(in: folder)
  #expect(names.count > 20)
  for name in names {
    let octets = try #require(Files.read(Array("\(folder)/".utf8) + name))
    do throws(QueryError) {
      _ = try QueryParser.parse(octets, dates)
    } catch {
      #expect(error.place.lowerBound >= 0 && error.place.upperBound <= octets.count)
    }
  }
}
