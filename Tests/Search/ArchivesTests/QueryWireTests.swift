import Archives
import JSON
import Query
import TestSupport
import Testing

/// Queries on their way to another machine.
@Suite struct QueryWireTests {
  private static let texts = [
    "*", "word", "+word", "subject:word", "\"two words\"", "from:\"Ada L\"", "one NEAR/3 two",
    "one ADJ two", "beg*", "to:beg*", "from:/a.*b/", "subject:\"/x y/\"", "from:/^a/", "id:x@y",
    "tag:unread",
    "thread:0123456789abcdef", "thread:{from:ada and tag:flagged}", "folder:INBOX", "path:a/**",
    "mimetype:application/pdf", "ref:x@y", "related:x@y", "lastmod:-3..", "list:swift",
    "account:work", "auth:pass", "has:attachment", "file:1.x",
    "date:2024..2025", "date:..yesterday", "size:1k..2M", "size:..5", "lastmod:3..",
    "a or b and not c",
    "a xor b", "not a", "-a", "(a or (b and (c or not (d xor e))))", "id:\"with \"\"quotes\"\"\"",
    "subject:Größe", "text:日本", "subject:\"\"",
  ]

  private static func query(_ text: String) throws -> Query {
    try QueryParser.parse(Array(text.utf8), DateContext(now: 1_795_267_845))
  }

  @Test(arguments: texts) func arriveAsTheyWere(_ text: String) throws {
    let query = try Self.query(text)
    let line = query.wire.text
    #expect(!line.contains(10))
    #expect(try Query(wire: try JSONValue(line)) == query)
  }

  @Test func octetsThatAreNoTextArriveToo() throws {
    for octets in [[0xFF, 0xFE], [0], [10, 13], [0xED, 0xA0, 0x80], Array("\"\\\u{7F}".utf8)]
      as [[UInt8]]
    {
      let query = Query.and([.exact(.id, octets), .not(.word(octets, nil, isExact: true))])
      #expect(try Query(wire: try JSONValue(query.wire.text)) == query)
    }
  }

  @Test(
    arguments: [
      "null", "[]", "{}", "[1]", "[\"what\"]", "[\"word\"]", "[\"word\",\"a\",\"nowhere\",true]",
      "[\"word\",\"a\",null,1]", "[\"word\",{\"hex\":\"f\"},null,true]", "[\"exact\",\"tag\"]",
      "[\"date\",\"x\",null]", "[\"date\",99999999999999999999,null]", "[\"and\",[1]]", "[\"not\"]",
      "[\"near\",[\"a\"],null,-1,true]", "[\"size\",-1,null]",
    ]
  )
  func whatIsNoQueryIsRefused(_ text: String) throws {
    let value = try JSONValue(Array(text.utf8))
    #expect(throws: WireMistake.self) { try Query(wire: value) }
  }

  @Test func queriesWithoutEndAreRefused() throws {
    var value = Query.everything.wire
    for _ in 0..<100 { value = .array([.string("not"), value]) }
    #expect(throws: WireMistake.self) { try Query(wire: value) }
  }

  /// Whatever is changed in one, it is another query or none; cut, it is none.
  @Test func damagedQueriesAreRefusedOrOthers() throws {
    for text in Self.texts {
      let query = try Self.query(text)
      let line = query.wire.text
      for place in line.indices {
        var changed = line
        changed[place] ^= 1
        let read = (try? JSONValue(changed)).flatMap { try? Query(wire: $0) }
        #expect(read != query, "\(String(decoding: changed, as: UTF8.self))")
        #expect((try? JSONValue(Array(line[..<place]))) == nil, "\(text), cut at \(place)")
      }
    }
  }

  @Test func theAccountOfAnArchiveIsAllOfIt() throws {
    let query = try Self.query("account:old and not (account:work or thread:{account:old})")
    let work = Query.exact(.account, Array("work".utf8))
    let expected = Query.and([.everything, .not(.or([work, .thread(.everything)]))])
    #expect(query.replacingAccount(Array("old".utf8)) == expected)
  }

  @Test(arguments: [
    ("lastmod:3..", true), ("a not (b or lastmod:..3)", true), ("thread:{lastmod:1}", true),
    ("a b", false),
  ])
  func revisions(_ text: String, _ isAbout: Bool) throws {
    #expect(try Self.query(text).isAboutRevisions == isAbout)
  }

  @Test func valuesAreWrittenAsTheyAreRead() throws {
    let scalars = (0...0x2FF).compactMap { Unicode.Scalar($0 as Int) } + ["\u{FFFD}", "\u{1F600}"]
    let text = String(String.UnicodeScalarView(scalars))
    let value = JSONValue.object([
      ("text", .string(text)),
      ("a\"b", .array([.null, .boolean(true), .number("-1.5e3"), .array([])])),
      ("", .object([])),
    ])
    #expect(try JSONValue(value.text) == value)
  }
}
