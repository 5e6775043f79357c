import SearchIndex
import TestSupport
import Testing

/// Words of many languages are found as people type them: without accents, in other forms of letters, across lines.
@Suite struct LanguageTests {
  @Test(arguments: try Fixtures.load("Fixtures/languages.txt"))
  func mailIsFound(_ fixture: Fixture) throws {
    let mailbox = try Mailbox()
    var queries: [(query: String, ids: [String])] = []
    for line in fixture.lines() {
      let text = String(decoding: try Fixtures.unescape(line), as: UTF8.self)
      if let arrow = text.firstRange(of: " =>") {
        let ids = text[arrow.upperBound...].split(separator: " ").map { "\($0)@x" }
        queries.append((String(text[..<arrow.lowerBound]), ids))
        continue
      }
      let id = text.prefix { $0 != ":" }
      let parts = text.dropFirst(id.count + 2).split(separator: " | ", maxSplits: 1)
      let mail = """
        Message-ID: <\(id)@x>
        Subject: \(parts[0])
        Content-Type: text/plain; charset=utf-8
        Content-Transfer-Encoding: 8bit

        \(parts[1])

        """
      try mailbox.write("INBOX/cur/\(id):2,S", Array(mail.utf8))
    }
    try mailbox.index.scan()
    #expect(queries.count > 5)
    var right = 0
    for (query, ids) in queries {
      let found = try mailbox.ids(query)
      #expect(found == ids, "\(fixture.name): \(query)")
      if found == ids { right += 1 }
    }
    print("\(fixture.name): \(right) of \(queries.count) queries right")
  }
}
