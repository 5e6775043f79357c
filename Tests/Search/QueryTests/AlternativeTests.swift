import Query
import Testing

/// Queries taken apart at "or".
@Suite struct AlternativeTests {
  private static func query(_ text: String) throws -> Query {
    try QueryParser.parse(Array(text.utf8), DateContext(now: 0))
  }

  @Test(arguments: [
    ("a", ["a"]), ("a and b", ["a and b"]), ("tag:a and b or c", ["tag:a and b", "c"]),
    (
      "(tag:a or b) and (tag:c or d)",
      [
        "tag:a and tag:c", "tag:a and d", "b and tag:c", "b and d",
      ]
    ),
    ("not (tag:a and tag:b)", ["not tag:a", "not tag:b"]),
    ("not (not tag:a and not tag:b)", ["tag:a", "tag:b"]),
    ("not (tag:a or tag:b)", ["(not tag:a) and (not tag:b)"]),
  ])
  func aQueryIsTakenApart(_ text: String, _ expected: [String]) throws {
    let found = try Self.query(text).alternatives(limit: 10).map(QueryText.text)
    #expect(try found == expected.map { QueryText.text(try Self.query($0)) })
  }

  @Test func whatExcludesTheOtherIsTakenApart() throws {
    let (one, other) = (try Self.query("tag:a"), try Self.query("tag:b"))
    let found = Query.xor([one, other]).alternatives(limit: 10)
    #expect(found == [.and([one, .not(other)]), .and([.not(one), other])])
    #expect(Query.not(.xor([one])).alternatives(limit: 10) == [.not(one)])
    #expect(Query.xor([]).alternatives(limit: 10) == [.nothing])
  }

  @Test func tooManyAreLeftTogether() throws {
    let tags = (0..<40).map { Query.exact(.tag, Array("\($0)".utf8)) }
    for query in [Query.or(tags), .xor(tags), .and(tags.map { .or([$0, .everything]) })] {
      #expect(query.alternatives(limit: 30) == [query])
    }
  }
}
