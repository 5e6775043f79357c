import Octets
import Query
import Testing

private let names = NamedQueries([
  "team": "from:ada or from:grace", "todo": "is:flagged query:team", "odd": "date:never",
  "self": "x query:self", "one": "query:two", "two": "query:one", "all": "*",
])

@Test(arguments: [
  ("query:team lunch", "(from:ada or from:grace) lunch"),
  ("query:\"team\"", "(from:ada or from:grace)"),
  ("-query:team", "-(from:ada or from:grace)"),
  ("query:todo", "is:flagged (from:ada or from:grace)"),
  ("query:all", "*"), ("query:team query:all", "(from:ada or from:grace) (*)"),
])
func namedQueriesStandInParentheses(text: String, meaning: String) throws {
  let dates = DateContext(now: 1_795_267_845)
  let named = try QueryParser.parse(Array(text.utf8), dates, names: names)
  if meaning == "*" {
    #expect(named == .everything)
  } else if !meaning.contains("(*)") {
    #expect(named == (try QueryParser.parse(Array(meaning.utf8), dates)))
  }
}

@Test(arguments: [
  (
    "a query:nobody", 8..<14,
    "no query is called \"nobody\"; there are: all, odd, one, self, team, todo, two"
  ),
  ("query:odd", 6..<9, "in \"query:odd\": this is not a date"),
  ("query:self", 6..<10, "in \"query:self\": \"query:self\" calls itself"),
  ("query:one", 6..<9, "in \"query:one\": in \"query:two\": \"query:one\" calls itself"),
  ("query:", 0..<6, "\"query:\" needs a value right behind the colon"),
])
func mistakesInNamedQueriesAreShownWhereTheyAreCalled(
  text: String,
  place: Range<Int>,
  what: String
) {
  do {
    _ = try QueryParser.parse(Array(text.utf8), DateContext(now: 0), names: names)
    Issue.record("\(text) was taken")
  } catch {
    #expect(error.place == place && error.description == what, "\(error.place) \(error)")
  }
}

@Test func withoutNamesNoneIsThere() {
  do {
    _ = try QueryParser.parse(Array("query:x".utf8), DateContext(now: 0))
    Issue.record("it was taken")
  } catch {
    #expect(error.description.hasPrefix("no query is called \"x\": [search]"))
  }
}
