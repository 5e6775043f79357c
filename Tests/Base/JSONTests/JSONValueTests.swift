import JSON
import Testing

struct JSONValueTests {
  @Test(arguments: [
    ("null", JSONValue.null), (" true ", .boolean(true)), ("-1.5e3", .number("-1.5e3")),
    (#""a\"\\\/\b\f\n\r\té\ud83d\ude00""#, .string("a\"\\/\u{8}\u{C}\n\r\té😀")),
    ("[1,[],{}]", .array([.number("1"), .array([]), .object([])])),
    (#"{"b":1,"a":"x"}"#, .object([("b", .number("1")), ("a", .string("x"))])),
  ])
  func valuesAreRead(text: String, value: JSONValue) throws {
    #expect(try JSONValue(Array(text.utf8)) == value)
  }

  @Test(arguments: [
    ("", "a value", 1), ("nul", "a value", 1), ("[1,]", "a value", 1),
    ("{\"a\":1,\"a\":2}", "\"a\" once only", 1),
    ("{a:1}", "a name in quotes", 1), ("{\"a\" 1}", "\":\"", 1), ("1 2", "the end", 1),
    ("[1\n\n2]", "\",\" or \"]\"", 3), ("\"a", "a quote that ends a text", 1),
    ("\"\n\"", "no control character in a text", 2), (#""\x""#, "an escape", 1),
    (#""\ud83d""#, "a whole surrogate pair", 1), (#""\u12""#, "four hexadecimal digits", 1),
    ("+1", "a value", 1),
  ])
  func mistakesAreFound(text: String, expected: String, line: Int) {
    do {
      _ = try JSONValue(Array(text.utf8))
      Issue.record("\(text) was read")
    } catch {
      #expect(error.expected == expected)
      #expect(error.line == line)
    }
  }

  @Test func valuesAreLimited() throws {
    let text = Array("[1,[],{\"a\":2}]".utf8)
    #expect(try JSONValue(text, valueLimit: 5) == JSONValue(text))
    #expect(throws: JSONValue.Problem.self) { try JSONValue(text, valueLimit: 4) }
  }

  @Test func depthIsLimited() {
    let deep = String(repeating: "[", count: 10_000)
    #expect(throws: JSONValue.Problem.self) { try JSONValue(Array(deep.utf8)) }
    #expect(throws: JSONValue.Problem.self) { try JSONValue([0x22, 0xFF, 0x22]) }
  }
}
