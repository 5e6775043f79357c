import JSON
import TestSupport
import Testing

@testable import AgentPlan

/// The tools as clients are told of them.
@Suite struct ToolTests {
  private static func installed(_ name: String) throws -> JSONValue {
    let text = try #require(Files.text(Fixtures.project("man/schemas/\(name).json")), "\(name)")
    return try JSONValue([UInt8](text.utf8))
  }

  /// A schema without the members that only the installed file has.
  private static func core(_ schema: JSONValue) -> JSONValue {
    guard case .object(let members) = schema else { return schema }
    return .object(members.filter { !["$schema", "title", "description"].contains($0.name) })
  }

  @Test(arguments: AgentTool.allCases)
  func schemasAreTheInstalledOnes(_ tool: AgentTool) throws {
    #expect(tool.argumentSchema == Self.core(try Self.installed("mcp-\(tool.rawValue)-arguments")))
    #expect(tool.resultSchema == Self.core(try Self.installed("mcp-\(tool.rawValue)")))
    #expect(tool.argumentSchema.member("type") == .string("object"))
  }

  /// Otherwise a schema would promise what is not held.
  @Test(arguments: AgentTool.allCases)
  func schemasOfArgumentsUseKnownWordsAlone(_ tool: AgentTool) {
    #expect(Self.words(of: tool.argumentSchema).isSubset(of: SchemaCheck.words))
  }

  private static func words(of schema: JSONValue) -> Set<String> {
    guard case .object(let members) = schema else { return [] }
    var words = Set(members.map(\.name))
    if case .object(let inner)? = schema.member("properties") {
      for member in inner { words.formUnion(Self.words(of: member.value)) }
    }
    if let items = schema.member("items") { words.formUnion(Self.words(of: items)) }
    return words
  }

  @Test func theListIsShort() {
    let list = JSONValue.array(AgentTool.allCases.map(\.definition))
    #expect(list.text.count <= 12_000)
    #expect(
      AgentTool.allCases.map(\.rawValue) == [
        "search", "show", "status", "draft", "attachment", "send", "act", "undo",
      ]
    )
  }

  @Test func toolsSayWhetherTheyChangeAnything() {
    for tool in AgentTool.allCases {
      let hints = tool.definition.member("annotations")
      let isReading = [.search, .show, .status, .attachment].contains(tool)
      #expect(hints?.member("readOnlyHint") == .boolean(isReading))
      #expect(hints?.member("destructiveHint") == .boolean(tool == .act))
      #expect(hints?.member("openWorldHint") == .boolean(false))
    }
  }

  @Test func eachFailureHasACodeAndASentence() {
    let codes = [
      "arguments", "query", "not-found", "limit", "again", "refused", "ambiguous", "full",
    ]
    #expect(Set(ToolFailure.allCases.map(\.code)) == Set(codes))
    for failure in ToolFailure.allCases { #expect(failure.sentence.count > 20) }
    // One sentence means one thing.
    #expect(Set(ToolFailure.allCases.map(\.sentence)).count == ToolFailure.allCases.count)
  }

  private static let tooMany = [String](repeating: "\"a\"", count: 51).joined(separator: ",")

  /// Arguments, each with whether the schema takes them.
  static let arguments: [(tool: AgentTool, json: String, isTaken: Bool)] = [
    (.search, #"{"query":"a"}"#, true), (.search, "{}", false), (.search, "[]", false),
    (.search, #"{"query":1}"#, false), (.search, #"{"query":"a","limit":50}"#, true),
    (.search, #"{"query":"a","limit":51}"#, false), (.search, #"{"query":"a","limit":0}"#, false),
    (.search, #"{"query":"a","limit":1.5}"#, false),
    (.search, #"{"query":"a","limit":"9"}"#, false),
    (.search, #"{"query":"a","sort":"newest"}"#, true),
    (.search, #"{"query":"a","sort":"size"}"#, false),
    (.search, #"{"query":"a","collapse":"yes"}"#, false), (.search, #"{"query":"a","x":1}"#, false),
    (.show, #"{"id":"a@b"}"#, true), (.show, #"{"id":""}"#, false),
    (.show, #"{"id":"a","page":64}"#, true), (.show, #"{"id":"a","page":65}"#, false),
    (.show, #"{"id":"a","headers":["List-Id"]}"#, true),
    (.show, #"{"id":"a","headers":["1","2","3","4","5","6","7","8","9","10","11"]}"#, false),
    (.show, #"{"id":"a","headers":[1]}"#, false), (.status, "{}", true),
    (.status, #"{"agent":"other"}"#, false), (.draft, #"{"text":"a"}"#, true),
    (.draft, #"{"discard":"0123456789abcdef"}"#, true), (.draft, #"{"discard":"01"}"#, false),
    (.draft, #"{"bcc":["a@b"]}"#, false), (.draft, #"{"attachments":["/etc/passwd"]}"#, false),
    (.attachment, #"{"id":"a","part":"2"}"#, true), (.attachment, #"{"id":"a"}"#, false),
    (.attachment, #"{"id":"a","part":"2","octets":true}"#, false),
    (.act, #"{"do":"read","ids":["a"]}"#, true), (.act, #"{"do":"read","ids":[]}"#, false),
    (.act, #"{"do":"expunge","ids":["a"]}"#, false), (.act, #"{"do":"copy","ids":["a"]}"#, false),
    (.act, #"{"do":"read","query":"*"}"#, false), (.act, #"{"do":"read","ids":"a"}"#, false),
    (.act, #"{"do":"read","ids":["a"],"all-copies":true}"#, false),
    (.act, #"{"do":"read","ids":[\#(tooMany)]}"#, false),
    (.undo, #"{"act":1}"#, true), (.undo, "{}", false), (.undo, #"{"act":0}"#, false),
    (.undo, #"{"act":"1"}"#, false), (.draft, #"{"to":"a@b"}"#, false),
    (.draft, #"{"headers":{"Reply-To":"a@b"}}"#, false),
  ]

  @Test(arguments: arguments.indices)
  func argumentsAreHeldAgainstTheSchema(_ index: Int) throws {
    let row = Self.arguments[index]
    let value = try JSONValue([UInt8](row.json.utf8))
    #expect(SchemaCheck.allows(value, row.tool.argumentSchema) == row.isTaken, "\(row.json)")
  }
}
