import MailModel
import Testing

@testable import Triage

private func octets(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite struct TagTests {
  @Test(
    arguments: [
      ("+a +b -- id:x@y", "x@y", ["a", "b"]),
      ("+a%20b +%c3%bc -- id:x@y", "x@y", ["a b", "ü"]),
      ("-- id:x@y", "x@y", []),
      ("+a -- id:\"x y\"\"z\"", "x y\"z", ["a"]),
      ("+a -- id:%22x%22", "%22x%22", ["a"]),
      ("+a\t--  id:\"x)\" \r", "x)", ["a"]),
      ("+a -- id:x y", nil, nil), ("+a -- id:x\"y", "x\"y", ["a"]),
      ("a -- id:x@y", nil, nil), ("+a -- from:x", nil, nil), ("+a id:x@y", nil, nil),
      ("+ -- id:x@y", nil, nil), ("+a -- id:", nil, nil), ("+%zz -- id:x", nil, nil),
    ] as [(String, String?, [String]?)]
  )
  func linesOfADump(_ text: String, _ id: String?, _ tags: [String]?) throws {
    guard let id, let tags else {
      #expect(throws: TagLineError.self) { try TagLine(octets(text)) }
      return
    }
    let line = try #require(try TagLine(octets(text)))
    #expect(line == TagLine(id: octets(id), tags: tags.map(octets)))
    #expect(try TagLine(line.octets) == line)
  }

  /// Earlier versions encoded ids, where notmuch quotes them.
  @Test func idsOfEarlierDumps() throws {
    let line = try #require(try TagLine(octets("+a -- id:x%24y@z")))
    #expect(line.id == octets("x%24y@z") && line.decodedID == octets("x$y@z"))
    #expect(try TagLine(octets("+a -- id:x@y"))?.decodedID == nil)
    #expect(TagLine(id: octets("x\ny"), tags: []).octets == octets("-- id:x%0Ay\n"))
  }

  @Test(
    arguments: [
      ("+a -b -- id:x@y", ["+a", "-b"], "id:x@y"),
      (" +a%20b  -%c3%bc from:x  and to:y \r", ["+a b", "-ü"], "from:x  and to:y"),
      ("+a -- -- x", ["+a"], "-- x"), ("+a -- -b", ["+a"], "-b"),
      ("+a -- 50%25", ["+a"], "50%25"),
      ("", nil, nil), ("# +a -- x", nil, nil),
    ] as [(String, [String]?, String?)]
  )
  func linesOfABatch(_ text: String, _ words: [String]?, _ query: String?) throws {
    let line = try TagBatchLine(octets(text))
    #expect(line?.words == words && line?.query == query)
  }

  @Test(arguments: ["+a", "+a --", "-- x", "x", "+%zz -- x", "+%ff -- x"])
  func linesOfNoBatch(_ text: String) {
    #expect(throws: TagLineError.self) { try TagBatchLine(octets(text)) }
  }

  @Test func allOtherTagsGo() throws {
    let edit = try TagEdit(["+work", "+unread", "-work", "+Work"], replacing: true)
    #expect(edit.added == [octets("Work")])
    #expect(edit.lost(of: [octets("work"), octets("todo")]) == [octets("todo")])
    #expect(edit.marks.on == [] && edit.marks.off == [.seen, .flagged, .answered, .forwarded])
    #expect(try TagEdit(["-work"], replacing: true).marks.on == .seen)
  }

  @Test(arguments: ["", "  ", "#notmuch-dump batch-tag:3 config,properties,tags", "# +a -- id:x"])
  func linesThatSayNothing(_ text: String) throws {
    #expect(try TagLine(octets(text)) == nil)
  }

  /// One of several messages of a Message-ID; another program takes the line for a comment.
  @Test func aLineOfOneMessageOfSeveral() throws {
    let text = octets("#magnum 0000000000abcdef +a +b -- id:x@y\n")
    let line = TagLine(id: octets("x@y"), tags: [octets("a"), octets("b")], content: 0xabcdef)
    #expect(line.octets == text)
    #expect(try TagLine(text) == line)
    #expect(try TagLine(octets("#magnum is a program")) == nil)
    #expect(throws: TagLineError.self) { try TagLine(octets("#magnum 0f +a")) }
  }

  @Test func someTagsAreFlags() throws {
    let edit = try TagEdit(["+work", "-todo", "+flagged", "-unread", "-Replied"])
    #expect(edit.added == [octets("work")] && edit.removed == [octets("todo")])
    #expect(edit.marks.on == [.flagged, .seen] && edit.marks.off == .answered)
    #expect(try TagEdit(["+unread"]).marks.off == .seen)
  }

  @Test(arguments: [
    "-trash", "+attachment", "+draft", "+spam", "+*", "+-a", "++a", "+a\u{7}",
    "+\\Deleted",
    "+" + String(repeating: "a", count: 101),
  ])
  func someTagsAreNotForPeopleToSet(_ word: String) {
    #expect(throws: Explanation.self) { try TagEdit([word]) }
  }
}
