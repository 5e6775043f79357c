import CommandLine
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
      ("+a -- id:\"x y\"\"z\"", nil, nil),
      ("+a -- id:%22x%22", "x", ["a"]),
      ("+a\t--  id:x%20y\r", "x y", ["a"]),
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
    "+inbox", "-trash", "+attachment", "+draft", "+spam", "+*", "+-a", "++a", "+a\u{7}",
    "+\\Deleted",
    "+" + String(repeating: "a", count: 101),
  ])
  func someTagsAreNotForPeopleToSet(_ word: String) {
    #expect(throws: Explanation.self) { try TagEdit([word]) }
  }
}
