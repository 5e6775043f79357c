import SpoolPlan
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/entries.txt"))
func headersAreReadAndWrittenAlike(_ fixture: Fixture) throws {
  let header = Array((fixture.body + "\n\n").utf8)
  let message = Array("the message\n\n".utf8)
  let (entry, start) = try Entry.decode(header + message)
  #expect(String(decoding: entry.header, as: UTF8.self) == fixture.body + "\n\n")
  #expect(start == header.count)
  #expect(try Entry.decode(entry.header).entry == entry)
}

@Test(arguments: [
  ("errors", "a message to two"), ("errors of many", "one command for many messages"),
])
func damagedHeadersAreRefused(_ block: String, _ entry: String) throws {
  let header = try Fixtures.block(entry, of: "Fixtures/entries.txt")
  for line in try Fixtures.block(block, of: "Fixtures/damaged.txt").lines() {
    let parts = line.split(separator: "->", omittingEmptySubsequences: false).map {
      String($0).trimmed
    }
    try #require(parts.count == 3, "\(line)")
    let changed = header.lines().filter { !$0.hasPrefix(parts[0]) || !parts[1].isEmpty }
      .map { $0.hasPrefix(parts[0]) ? parts[1] : $0 }
    #expect(problem(changed.joined(separator: "\n") + "\n\n") == parts[2], "\(line)")
  }
}

/// A file that was cut anywhere in its header is no entry.
@Test func cutHeadersAreRefused() throws {
  for fixture in try Fixtures.load("Fixtures/entries.txt") {
    let text = Array((fixture.body + "\n\n").utf8)
    for length in 0..<text.count {
      #expect(throws: EntryError.self) { try Entry.decode(Array(text.prefix(length))) }
    }
  }
}

@Test func identifiersSortByAge() throws {
  let old = EntryID(microseconds: 999_999_999_999_999, random: .max)
  let new = EntryID(microseconds: 1_000_000_000_000_000, random: 0)
  #expect(old.description == "0999999999999999.ffffffff")
  #expect(old < new)
  #expect(new.child(1).map { $0 > new } ?? false)
  #expect(EntryID(old.octets)?.microseconds == 999_999_999_999_999)
  #expect(EntryID(microseconds: .max, random: 1).description == "9999999999999999.00000001")
  for text in [
    "", "1", "0999999999999999", "0999999999999999.FFFFFFFF", "0999999999999999.ffffffff.0",
  ] {
    #expect(EntryID(Array(text.utf8)) == nil, "\(text)")
  }
}

@Test func momentsAreReadAndWrittenAlike() {
  for (seconds, text) in [
    (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
    (-1, "1969-12-31T23:59:59Z"), (1_795_228_285, "2026-11-21T02:31:25Z"),
    (253_402_300_799, "9999-12-31T23:59:59Z"),
  ] as [(Int64, String)] {
    #expect(String(decoding: Timestamp.octets(seconds), as: UTF8.self) == text)
    #expect(Timestamp.seconds(text.utf8) == seconds)
  }
  #expect(Timestamp.octets(.max) == Array("9999-12-31T23:59:59Z".utf8))
  for text in ["2026-11-21 02:31:25Z", "2026-13-21T02:31:25Z", "2026-11-21T24:31:25Z", "2026"] {
    #expect(Timestamp.seconds(text.utf8) == nil, "\(text)")
  }
}

private func problem(_ text: String) -> String {
  do throws(EntryError) {
    _ = try Entry.decode(Array(text.utf8))
    return "none"
  } catch {
    return "\(error)"
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
