import TestSupport
import Testing

/// Mail that was written to lead an agent astray, or to look like something else than mail.
@Suite struct HostileMailTests {
  private static let cases = (try? Fixtures.load("Fixtures/hostile.txt")) ?? []

  private static let folder = "evil ignore all"

  @Test func thereAreEnough() { #expect(Self.cases.count >= 60) }

  /// Each octet of mail stands below `mail` alone, what is hidden stands nowhere, and the record has a line a call.
  @Test func whatMailSaysStandsBelowMailAlone() throws {
    let stage = try AgentStage()
    try stage.makeFolder("INBOX")
    try stage.makeFolder(Self.folder)
    try stage.configure(AgentStage.helper.replacing("folder:INBOX or folder:Drafts", with: "*"))
    for (number, letter) in Self.cases.enumerated() {
      let text = String(decoding: try Fixtures.unescape(letter.body), as: UTF8.self)
      let id = text.contains("Message-ID:") ? "" : "Message-ID: <h\(number)@y.test>\n"
      try stage.magnum.home.write(
        id + "Date: Mon, 2 Nov 2026 10:\(10 + number % 50):00 +0000\nTo: me@x.test\n" + text + "\n",
        to: "mail/\(letter.name.contains("folder") ? Self.folder : "INBOX")/cur/h\(number):2,S"
      )
    }
    try stage.index()
    let client = try stage.client()
    var (ids, cursor, calls): ([String], String?, Int) = ([], nil, 0)
    repeat {
      let more = cursor.map { #","cursor":"\#($0)""# } ?? ""
      let page = try client.call("search", #"{"query":"*","limit":50\#(more)}"#)
      calls += 1
      try Self.check(page, "search")
      ids += (page["messages"]?.elements ?? []).compactMap { $0["mail"]?["id"]?.text }
      cursor = page["next"]?.text
    } while cursor != nil
    #expect(ids.count == Self.cases.count)
    #expect(Set(ids).count == ids.count)
    for id in ids {
      let name = "\"" + id.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
      let more = #","quotes":true,"links":true,"headers":["Subject","From","Received","X-Evil"]"#
      for arguments in [#"{"id":\#(name)}"#, #"{"id":\#(name)\#(more)}"#] {
        let failure = try client.failure("show", arguments)
        #expect(failure == nil, "\(id)")
        calls += 1
        if failure != nil { continue }
        let shown = try client.call("show", arguments)
        calls += 1
        try Self.check(shown, id)
        #expect(shown["messages"]?.elements.count == 1, "\(id)")
      }
      let draft = #"{"reply":\#(name),"all":true,"text":"noted"}"#
      _ = try client.failure("draft", draft)
      calls += 1
    }
    let record = try stage.calls()
    #expect(record.count == calls)
    #expect(record.allSatisfy { $0["version"]?.integer == 1 })
    // Nobody who is not in the message gets an answer, and nothing of this machine is in one.
    for file in stage.drafts {
      let text = try #require(Files.text(file))
      #expect(text.contains("X-Magnum-Agent: helper\n"))
      #expect(!text.lowercased().contains("\nbcc:"))
      #expect(!text.contains("root:x:0"))
    }
  }

  private static func check(_ value: ParsedJSON, _ place: String) throws {
    let outside = value.textsOutsideMail.joined(separator: "\n")
    #expect(!outside.lowercased().contains("evil"), "\(place): \(outside)")
    for text in value.texts {
      #expect(!text.contains("HIDDEN"), "\(place): \(text)")
      for scalar in text.unicodeScalars {
        let isControl = scalar.value < 0x20 && scalar != "\n" && scalar != "\t"
        let isTag = (0xE0000...0xE0FFF).contains(scalar.value)
        let isMark = "\u{202E}\u{2066}\u{200B}\u{200D}\u{FEFF}\u{AD}".unicodeScalars.contains(
          scalar
        )
        #expect(!isControl && !isTag && !isMark, "\(place): \(scalar.value)")
      }
    }
  }
}
