import JSON
import TestSupport
import Testing

@testable import AgentPlan

/// What a client sends, and what it gets, octet by octet.
@Suite struct ProtocolTests {
  /// A server without mail: requests are answered in their order, calls are given back.
  private struct Server {
    private var session = ProtocolSession(version: "V")
    private var frames = LineFrames()
    let offered: [AgentTool]
    private(set) var calls: [ToolCall] = []
    private(set) var cancelled: [RequestID] = []

    init(offering offered: [AgentTool] = []) {
      self.offered = offered
    }

    mutating func answers(to octets: [UInt8]) -> [JSONValue] {
      frames.add(octets).compactMap { answer($0) }
    }

    private mutating func answer(_ message: IncomingMessage) -> JSONValue? {
      switch message {
      case .ignored: return nil
      case .cancellation(let id):
        cancelled.append(id)
        return nil
      case .invalid(let error, let id): return ProtocolAnswer.failure(error, to: id)
      case .request(let request):
        switch session.step(request, offering: offered) {
        case .answered(let answer): return answer
        case .call(let call):
          calls.append(call)
          return nil
        }
      }
    }

    func answer(_ call: ToolCall, _ outcome: ToolOutcome) -> JSONValue {
      session.answer(call, outcome)
    }

    var client: String? { session.client }
  }

  private static func lines(_ body: String, _ mark: String) -> [[UInt8]] {
    body.split(separator: "\n").filter { $0.hasPrefix(mark) }.map { line in
      let text = String(line.dropFirst(2)).replacing("<SOH>", with: "\u{1}")
        .replacing("<BOM>", with: "\u{FEFF}").replacing("<CR>", with: "\r")
        .replacing("INSTRUCTIONS", with: instructions)
      return [UInt8](text.utf8)
    }
  }

  private static let instructions =
    ProtocolSession.instructions.replacing("\"", with: "\\\"")

  static let rows = (try? Fixtures.load("Fixtures/protocol.txt")) ?? []

  @Test func thereAreRows() { #expect(Self.rows.count >= 60) }

  @Test(arguments: rows.map(\.name))
  func linesAreAnswered(_ name: String) throws {
    let row = try #require(Self.rows.first { $0.name == name })
    let given = [UInt8](Self.lines(row.body, "> ").joined(separator: [10])) + [10]
    let wanted = Self.lines(row.body, "< ").map { String(decoding: $0, as: UTF8.self) }
    var whole = Server()
    let answers = whole.answers(to: given).map { String(decoding: $0.text, as: UTF8.self) }
    #expect(answers == wanted)
    // However the octets come.
    var pieces = Server()
    var again: [JSONValue] = []
    for octet in given { again += pieces.answers(to: [octet]) }
    #expect(again.map { String(decoding: $0.text, as: UTF8.self) } == wanted)
  }

  private static let start =
    [UInt8](
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#
        .utf8
    ) + [10]

  private static func ping(_ id: Int) -> [UInt8] {
    [UInt8](#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#.utf8) + [10]
  }

  private static func codes(_ answers: [JSONValue]) -> [JSONValue?] {
    answers.map { $0.member("error")?.member("code") }
  }

  @Test("a line over the limit is dropped, and the next one works", arguments: [1, 9])
  func longLines(_ factor: Int) {
    let limit = IncomingMessage.lengthLimit
    #expect(limit == 1 << 20)
    var server = Server()
    _ = server.answers(to: Self.start)
    let long = [UInt8](repeating: 0x20, count: limit * factor + 1)
    var answers = long.count < 2 << 20 ? server.answers(to: long) : []
    if long.count >= 2 << 20 {
      for start in stride(from: 0, to: long.count, by: 1 << 16) {
        answers += server.answers(to: [UInt8](long[start...].prefix(1 << 16)))
      }
    }
    answers += server.answers(to: [10] + Self.ping(7))
    #expect(Self.codes(answers) == [.number("-32600"), nil])
    #expect(answers.last?.member("id") == .number("7"))
    #expect(answers.first?.member("id") == nil)
  }

  @Test func aLineAtTheLimitIsRead() {
    var server = Server()
    _ = server.answers(to: Self.start)
    let ping = Self.ping(1).dropLast()
    let rest = IncomingMessage.lengthLimit - ping.count
    let line = ping + [UInt8](repeating: 0x20, count: rest) + [10]
    #expect(Self.codes(server.answers(to: [UInt8](line))) == [nil])
  }

  @Test("depth and values are bounded")
  func bounds() {
    for (depth, isTaken) in [(63, true), (64, false), (100_000, false)] {
      let inner = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let line = #"{"jsonrpc":"2.0","id":1,"method":"x","a":\#(inner)}"#
      var server = Server()
      _ = server.answers(to: Self.start)
      let code = isTaken ? "-32601" : "-32700"
      #expect(Self.codes(server.answers(to: [UInt8](line.utf8) + [10])) == [.number(code)])
    }
    for (count, isTaken) in [(9_995, true), (10_000, false), (200_000, false)] {
      let values = [String](repeating: "1", count: count).joined(separator: ",")
      let line = #"{"jsonrpc":"2.0","id":1,"method":"x","a":[\#(values)]}"#
      var server = Server()
      _ = server.answers(to: Self.start)
      let code = isTaken ? "-32601" : "-32700"
      #expect(Self.codes(server.answers(to: [UInt8](line.utf8) + [10])) == [.number(code)])
    }
  }

  @Test func octetsThatAreNoTextAreNoJSON() {
    for octets in [[0xFF], [0xC0, 0x80], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x00]] as [[UInt8]] {
      var server = Server()
      #expect(Self.codes(server.answers(to: octets + [10])) == [.number("-32700")])
    }
  }

  @Test func callsGetTheirArguments() throws {
    var server = Server(offering: [.search, .status])
    let call =
      #"{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"search","arguments":{"query":"a"}}}"#
    #expect(server.answers(to: Self.start + [UInt8](call.utf8) + [10]).count == 1)
    let made = try #require(server.calls.first)
    #expect(made.tool == .search)
    #expect(made.text("query") == "a")
    let answer = server.answer(made, .result(.object([("count", .number("0"))])))
    #expect(
      String(decoding: answer.text, as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":"c","result":{"content":[{"type":"text","text":"{\"count\":0}"}],"#
        + #""structuredContent":{"count":0},"isError":false}}"#
    )
    let failed = server.answer(made, .failed(.notFound))
    let text = String(decoding: failed.text, as: UTF8.self)
    #expect(text.contains(#"\"code\":\"not-found\""#))
    #expect(text.hasSuffix(#""isError":true}}"#))
    #expect(!text.contains("structuredContent"))
  }

  @Test func onlyOfferedToolsAreListed() throws {
    for tools in [[], [.status], [.search, .status], AgentTool.allCases] as [[AgentTool]] {
      var server = Server(offering: tools)
      let list = [UInt8](#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.utf8) + [10]
      let answer = try #require(server.answers(to: Self.start + list).last)
      guard case .array(let listed)? = answer.member("result")?.member("tools") else {
        Issue.record("no list")
        return
      }
      #expect(listed.map { $0.member("name") } == tools.map { .string($0.rawValue) })
      #expect(answer.member("result")?.member("nextCursor") == nil)
    }
  }

  @Test func cancellationsNameRequests() {
    var server = Server()
    let line = { (id: String) in
      [UInt8](
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#.utf8
      ) + [10]
    }
    _ = server.answers(to: line("3") + line("\"3\"") + line("null") + line("1.5"))
    #expect(server.cancelled == [.number("3"), .text("3")])
  }

  @Test func namesOfClientsAreCleaned() {
    var server = Server()
    let name = "evil\\u202e\\n\\u0007" + String(repeating: "x", count: 100)
    let line =
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":"\#(name)"}}}"#
    _ = server.answers(to: [UInt8](line.utf8) + [10])
    #expect(server.client == "evil " + String(repeating: "x", count: 59))
  }
}
