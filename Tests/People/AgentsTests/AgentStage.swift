import Glibc
import TestSupport

/// A home with mail of the account `work`, an index of it, and agents that `magnum mcp` serves.
struct AgentStage {
  let magnum: ProgramUnderTest

  init() throws {
    magnum = try ProgramUnderTest("magnum")
    for folder in ["INBOX", "Drafts"] { try makeFolder(folder) }
  }

  var mail: String { magnum.home["mail"] }

  /// The usual agent: it sees INBOX, and may do all there is.
  static let helper = """
    [agent.helper]
    accounts = ["work"]
    read = "folder:INBOX or folder:Drafts"
    never = "from:bank or thread:{tag:private}"
    rights = ["search", "show", "draft"]
    limits = { messages = 100000, bytes = "1GB", searches = 100000, drafts = 1000 }

    """

  /// Configures the account and agents.
  func configure(_ agents: String = helper, mode: UInt32 = 0o600) throws {
    try magnum.configure(
      """
      [account.work]
      address = "me@x.test"
      maildir = "\(mail)"
      smtp = "smtp+plain://127.0.0.1:1"
      smtp-login = "none"

      \(agents)
      """,
      mode: mode
    )
  }

  func makeFolder(_ name: String) throws {
    for sub in ["cur", "new", "tmp"] { try Files.makeDirectories("\(mail)/\(name)/\(sub)") }
  }

  /// Writes a message with these fields and this text.
  func deliver(
    _ id: String,
    _ fields: [String] = [],
    _ text: String = "text",
    folder: String = "INBOX",
    file: String? = nil,
    flags: String = "S"
  ) throws {
    try makeFolder(folder)
    var lines = fields
    for (name, usual) in [
      ("From", "Ann <ann@y.test>"), ("To", "me@x.test"), ("Subject", "about \(id)"),
      ("Date", "Mon, 2 Nov 2026 10:00:00 +0000"),
    ] where !fields.contains(where: { $0.hasPrefix("\(name):") }) {
      lines.append("\(name): \(usual)")
    }
    if !fields.contains(where: { $0.hasPrefix("Message-ID:") }) {
      lines.append("Message-ID: <\(id)@y.test>")
    }
    try magnum.home.write(
      (lines + ["", text, ""]).joined(separator: "\n"),
      to: "mail/\(folder)/cur/\(file ?? id):2,\(flags)"
    )
  }

  func index() throws {
    let outcome = try magnum.run("index", "--account", "work")
    guard outcome.code == 0 else { throw HarnessError("index: \(outcome.errors)") }
  }

  /// A client of an agent that is started.
  func client(
    _ agent: String = "helper",
    _ variables: [String: String] = [:]
  ) throws -> AgentClient {
    try AgentClient(magnum, agent, variables)
  }

  /// The lines of the record of an agent.
  func calls(of agent: String = "helper") throws -> [ParsedJSON] {
    let outcome = try magnum.run("log", "--agent", agent, "--json", "--limit", "100000")
    guard outcome.code == 0 else { throw HarnessError("log: \(outcome.errors)") }
    return try outcome.output.split(separator: "\n").map { try ParsedJSON(String($0)) }
  }

  /// All files of messages, as `INBOX/a:2,S`.
  var files: [String] {
    Files.names(in: mail).map { String(decoding: $0, as: UTF8.self) }.flatMap { folder in
      ["cur", "new"].flatMap { Files.names(in: "\(mail)/\(folder)/\($0)") }
        .map { "\(folder)/\(String(decoding: $0, as: UTF8.self))" }
    }.sorted()
  }

  /// The first draft.
  func draftText() throws -> String {
    guard let text = drafts.first.flatMap({ Files.text($0) }) else {
      throw HarnessError("no draft")
    }
    return text
  }

  /// The files of drafts.
  var drafts: [String] {
    Files.names(in: "\(mail)/Drafts/cur").map { String(decoding: $0, as: UTF8.self) }.sorted()
      .map { "\(mail)/Drafts/cur/\($0)" }
  }
}

/// A client that speaks the protocol with a server of its own.
final class AgentClient {
  let server: RunningCommand
  /// Its home stays as long as the client does.
  private let magnum: ProgramUnderTest
  private let input: Int32
  private let output: Int32
  private var number = 0
  private var pending: [UInt8] = []
  private var isOpen = true

  init(_ magnum: ProgramUnderTest, _ agent: String, _ variables: [String: String] = [:]) throws {
    self.magnum = magnum
    let pipes = ["in", "out"].map { magnum.home["\($0)-\(UInt32.random(in: 0...(.max)))"] }
    for pipe in pipes {
      guard mkfifo(pipe, 0o600) == 0 else { throw HarnessError("mkfifo") }
    }
    input = open(pipes[0], O_RDWR | O_CLOEXEC)
    output = open(pipes[1], O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    var command = magnum.command([], variables)
    command.program = "/bin/sh"
    command.arguments = [
      "-c", "exec \"$0\" mcp --agent \"$1\" <\"$2\" >\"$3\"",
      "\(ProgramUnderTest.products)/magnum", agent, pipes[0], pipes[1],
    ]
    command.timeLimit = 300
    server = try command.start()
  }

  deinit {
    end()
    close(output)
  }

  /// Ends the input of the server.
  func end() {
    if isOpen { close(input) }
    isOpen = false
  }

  func send(_ line: String) throws { try Files.writeAll(Array((line + "\n").utf8), to: input) }

  func send(_ octets: [UInt8]) throws { try Files.writeAll(octets, to: input) }

  /// The next line of the server.
  func line() throws -> String {
    let deadline = Stopwatch.now() + 60
    while true {
      if let end = pending.firstIndex(of: 10) {
        defer { pending.removeFirst(end + 1) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      guard Stopwatch.now() < deadline else { break }
      var file = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      _ = poll(&file, 1, 1000)
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(output, &buffer, buffer.count)
      if count > 0 { pending += buffer[..<count] }
      // Before the server opens it, too, a pipe has no other end.
      if count == 0 {
        if server.hasEnded { break }
        _ = poll(nil, 0, 1)
      }
    }
    throw HarnessError("no answer: \(server.errorsSoFar)")
  }

  func answer() throws -> ParsedJSON { try ParsedJSON(try line()) }

  /// The answer to a request of the revision without `initialize`.
  func request(_ method: String, _ parameters: String = "") throws -> ParsedJSON {
    number += 1
    try send(Self.line(number, method, parameters))
    return try answer()
  }

  static func line(_ number: Int, _ method: String, _ parameters: String = "") -> String {
    let meta =
      #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#
      + #""io.modelcontextprotocol/clientCapabilities":{}}"#
    let more = parameters.isEmpty ? "" : ",\(parameters)"
    return #"{"jsonrpc":"2.0","id":\#(number),"method":"\#(method)","params":{\#(meta)\#(more)}}"#
  }

  static func call(_ number: Int, _ tool: String, _ arguments: String) -> String {
    line(number, "tools/call", #""name":"\#(tool)","arguments":\#(arguments)"#)
  }

  /// The result of a tool.
  ///
  /// - Throws: its code where it failed.
  func call(_ tool: String, _ arguments: String = "{}") throws -> ParsedJSON {
    let answer = try request("tools/call", #""name":"\#(tool)","arguments":\#(arguments)"#)
    guard let result = answer["result"] else { throw HarnessError("\(answer)") }
    guard let text = result["content"]?[0]?["text"]?.text else { throw HarnessError("\(answer)") }
    let value = try ParsedJSON(text)
    if result["isError"] == .boolean(true) { throw HarnessError(value["code"]?.text ?? "?") }
    guard value == result["structuredContent"] else { throw HarnessError("two results") }
    return value
  }

  /// The code with which a tool fails; nil where it does not.
  func failure(_ tool: String, _ arguments: String = "{}") throws -> String? {
    do {
      _ = try call(tool, arguments)
      return nil
    } catch let error as HarnessError {
      return error.description
    }
  }
}

extension ParsedJSON {
  var elements: [ParsedJSON] { if case .array(let elements) = self { elements } else { [] } }

  /// All texts in it that do not stand below a member called `mail`, with the names of members.
  var textsOutsideMail: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.textsOutsideMail)
    case .object(let members):
      members.flatMap { $0.key == "mail" ? [] : [$0.key] + $0.value.textsOutsideMail }
    case .null, .boolean, .number: []
    }
  }

  /// All texts in it.
  var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.texts)
    case .object(let members): members.flatMap { [$0.key] + $0.value.texts }
    case .null, .boolean, .number: []
    }
  }
}
