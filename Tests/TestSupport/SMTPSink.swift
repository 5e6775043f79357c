import Glibc
import Synchronization

/// A server on 127.0.0.1 that takes mail, keeps what came octet by octet, and fails where it is asked to.
///
/// Recipients and senders ask by their local parts: `t450…` is refused for now, `p550…` for good, `h421…` ends the
/// connection with 421, `drop…` drops it, `w450…` and `p554…` are refused and drop it. `at-data-421…` does what its last
/// word says (`421`, `450`, `drop`, or `stall` for no answer at all) at MAIL (`mail`), RCPT (`rcpt`), DATA (`data`), in the
/// midst of the text (`text`) or at its end (`end`); of a message that comes as a chunk (BDAT), the latter three behind that,
/// except for `data` where it is not `450`. The header of a message asks by a field `X-Judge`: `data451`, `data554`,
/// `closing` (421 for an answer), `drop-before-data`, `drop-in-data`, `drop-after-data` (taken, but not answered),
/// `drop-after-data-once`, `slow` (a second until the answer).
package final class SMTPSink: Sendable {
  /// A message that was taken.
  package struct Message: Sendable {
    /// The sender, with brackets and parameters.
    package let from: String
    /// The recipients, with brackets and parameters.
    package let to: [String]
    /// The octets between 354 and the final dot, as they came, or those of a chunk; the line with the dot not among them.
    package let octets: [UInt8]
    /// The number of the connection, from 1.
    package let connection: Int
    /// Whether the client was told that it was taken.
    package let isAnswered: Bool
    /// Whether it came as a chunk (BDAT), in which no dots are stuffed.
    package let isChunk: Bool

    /// The message as the sender had it: stuffed dots taken away, lines ended by LF.
    package var text: String {
      let lines = octets.split(separator: 10, omittingEmptySubsequences: false).map { line in
        let line = line.last == 13 ? line.dropLast() : line
        return line.first == 46 && !isChunk ? line.dropFirst() : line
      }
      return String(decoding: Array(lines.joined(separator: [10])), as: UTF8.self)
    }
  }

  /// What the server is like.
  package struct Options: Sendable {
    /// The lines of the reply to EHLO but the first.
    package var extensions = ["PIPELINING", "SIZE 1000000", "8BITMIME", "SMTPUTF8", "DSN"]
    /// The first words.
    package var greeting = "220 sink"
    /// The answer to AUTH, 235 to take it.
    package var authentication = "235 2.7.0 ok"
    /// The answer to further ones on the same connection; nil for the same.
    package var secondAuthentication: String?

    /// A server that offers what most do.
    package init() {}
  }

  /// Where it listens.
  package let port: UInt16

  private struct State {
    var options: Options
    var messages: [Message] = []
    var commands: [String] = []
    var dropped: Set<String> = []
  }

  private let listener: Int32
  private let state: Mutex<State>
  private let connections = Atomic<Int>(0)
  private let openConnections = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)

  /// Starts a server.
  ///
  /// - Throws: `HarnessError` when it cannot listen.
  package init(_ options: Options = Options(), port: UInt16 = 0) throws {
    (listener, self.port) = try Loopback.listen(port: port)
    state = Mutex(State(options: options))
    let sink = Reference(self)
    let listener = listener
    _ = Background {
      while let sink = sink.value, !sink.isStopped.load(ordering: .relaxed) {
        guard let connection = Loopback.accept(listener, seconds: 0.05) else { continue }
        sink.serve(connection)
      }
      close(listener)
    }
  }

  deinit { stop() }

  /// The messages taken, in the order of their ends.
  package var messages: [Message] { state.withLock { $0.messages } }

  /// The commands that came, over all connections.
  package var commands: [String] { state.withLock { $0.commands } }

  /// How many connections came.
  package var connectionCount: Int { connections.load(ordering: .relaxed) }

  /// Waits until all that clients which have ended sent to it is worked on, for some seconds at most.
  package func settle() {
    _ = Stopwatch.wait(upTo: 10) { openConnections.load(ordering: .acquiring) == 0 }
  }

  /// Forgets what came.
  package func clear() {
    state.withLock { state in
      state.messages = []
      state.commands = []
      state.dropped = []
    }
  }

  /// Changes what the server is like, for connections to come.
  package func change(_ body: @Sendable (inout Options) -> Void) {
    state.withLock { body(&$0.options) }
  }

  /// Takes no more connections.
  package func stop() {
    isStopped.store(true, ordering: .relaxed)
  }

  private func serve(_ descriptor: Int32) {
    let number = connections.add(1, ordering: .relaxed).newValue
    let options = state.withLock { $0.options }
    openConnections.add(1, ordering: .relaxed)
    _ = Background { [self] in
      var conversation = Conversation(descriptor, number, options)
      conversation.run(self)
      openConnections.subtract(1, ordering: .releasing)
      close(descriptor)
    }
  }

  fileprivate func note(_ command: String) {
    state.withLock { $0.commands.append(command) }
  }

  fileprivate func keep(_ message: Message) {
    state.withLock { $0.messages.append(message) }
  }

  /// Whether this is the first time that the message is to be dropped.
  fileprivate func dropsNow(_ message: String) -> Bool {
    state.withLock { $0.dropped.insert(message).inserted }
  }

  private final class Reference: Sendable {
    private let reference: Mutex<Weak>

    init(_ sink: SMTPSink) { reference = Mutex(Weak(sink: sink)) }

    var value: SMTPSink? { reference.withLock { $0.sink } }

    private struct Weak { weak var sink: SMTPSink? }
  }
}

/// One connection of a client.
private struct Conversation {
  private let descriptor: Int32
  private let number: Int
  private let options: SMTPSink.Options
  private var buffer: [UInt8] = []
  private var from: String?
  private var to: [String] = []

  init(_ descriptor: Int32, _ number: Int, _ options: SMTPSink.Options) {
    self.descriptor = descriptor
    self.number = number
    self.options = options
  }

  mutating func run(_ sink: SMTPSink) {
    guard say(options.greeting), options.greeting.hasPrefix("2") else { return }
    while let line = takeLine() {
      sink.note(line)
      guard answer(line, sink) else { return }
    }
  }

  private mutating func answer(_ line: String, _ sink: SMTPSink) -> Bool {
    switch line.prefix(4).uppercased() {
    case "EHLO":
      let lines = ["sink"] + options.extensions
      let all = lines.enumerated().map { "250\($0 == lines.count - 1 ? " " : "-")\($1)\r\n" }
      return Loopback.send(all.joined().utf8, to: descriptor)
    case "AUTH": return authenticate(line)
    case "MAIL":
      if let fault = fault(at: "mail", [String(line.dropFirst(10))]) { return commit(fault) }
      guard let (path, isKept) = judge(line.dropFirst(10)) else { return false }
      if isKept { from = path }
      return true
    case "RCPT":
      guard from != nil else { return say("503 5.5.1 MAIL first") }
      if let fault = fault(at: "rcpt", [String(line.dropFirst(8))]) { return commit(fault) }
      guard let (path, isKept) = judge(line.dropFirst(8)) else { return false }
      if isKept { to.append(path) }
      return true
    case "DATA": return takeMessage(sink)
    case "BDAT": return takeChunk(line, sink)
    case "RSET":
      reset()
      return say("250 2.0.0 ok")
    case "NOOP": return say("250 2.0.0 ok")
    case "QUIT":
      _ = say("221 2.0.0 bye")
      return false
    default: return say("500 5.5.2 what")
    }
  }

  private mutating func authenticate(_ line: String) -> Bool {
    if line.split(separator: " ").count == 2, say("334 "), takeLine() == nil { return false }
    logins += 1
    return say(
      logins > 1 ? options.secondAuthentication ?? options.authentication : options.authentication
    )
  }

  /// Answers MAIL or RCPT; `nil` when that ends the connection.
  private func judge(_ path: Substring) -> (path: String, isKept: Bool)? {
    let local = path.drop { $0 == "<" }
    if local.hasPrefix("t450") { return say("450 4.2.0 later") ? (String(path), false) : nil }
    if local.hasPrefix("p550") {
      return say("550 5.1.1 no such user") ? (String(path), false) : nil
    }
    if local.hasPrefix("w450") || local.hasPrefix("p554") {
      _ = say(local.hasPrefix("w450") ? "450 4.2.0 later" : "554 5.7.1 never")
      return nil
    }
    if local.hasPrefix("h421") {
      _ = say("421 4.3.2 going down")
      return nil
    }
    guard !local.hasPrefix("drop"), say("250 2.1.0 ok") else { return nil }
    return (String(path), true)
  }

  private mutating func reset() {
    from = nil
    to = []
  }

  private mutating func takeMessage(_ sink: SMTPSink) -> Bool {
    guard let from, !to.isEmpty else { return say("554 5.5.1 no recipients") }
    if let fault = fault(at: "data", [from] + to) { return commit(fault) }
    guard say("354 go on") else { return false }
    var octets: [UInt8] = []
    while let line = takeOctets() {
      if let fault = fault(at: "text", [from] + to) { return commit(fault) }
      if line == [46, 13, 10] { break }
      octets += line
      // At each line, but not once for each line of all that is long.
      if octets.count < Self.wishLimit + line.count, wish(octets) == "drop-in-data" {
        Loopback.resetWhenClosed(descriptor)
        return false
      }
    }
    guard !isOver else { return false }
    defer { reset() }
    if let fault = fault(at: "end", [from] + to) { return commit(fault) }
    return end(octets, from, sink)
  }

  /// Takes a message that goes as one chunk, which is read whatever becomes of it.
  private mutating func takeChunk(_ line: String, _ sink: SMTPSink) -> Bool {
    let words = line.split(separator: " ")
    guard words.count == 3, words[2] == "LAST", let size = Int(words[1]) else {
      return say("501 5.5.4 what")
    }
    if let fault = fault(at: "data", [from ?? ""] + to), fault != "450" { return commit(fault) }
    guard let octets = takeOctets(size) else { return false }
    defer { reset() }
    guard let from, !to.isEmpty else { return say("503 5.5.1 no recipients") }
    for step in ["data", "text", "end"] {
      if let fault = fault(at: step, [from] + to) { return commit(fault) }
    }
    guard wish(octets) != "drop-in-data" else {
      Loopback.resetWhenClosed(descriptor)
      return false
    }
    return end(octets, from, sink, isChunk: true)
  }

  /// What the address asks for that is named after a step.
  private func fault(at step: String, _ paths: [String]) -> String? {
    let start = "<at-\(step)-"
    guard let path = paths.first(where: { $0.hasPrefix(start) }) else { return nil }
    return String(path.dropFirst(start.count).prefix { $0 != "@" && $0 != "." })
  }

  /// Does what is asked for; whether the connection goes on.
  private mutating func commit(_ fault: String) -> Bool {
    switch fault {
    case "421":
      _ = say("421 4.3.2 going down")
      return false
    case "450": return say("450 4.2.0 later")
    case "stall":
      while takeOctets() != nil {}
      return false
    default:
      Loopback.resetWhenClosed(descriptor)
      return false
    }
  }

  private mutating func end(
    _ octets: [UInt8],
    _ from: String,
    _ sink: SMTPSink,
    isChunk: Bool = false
  ) -> Bool {
    let wish = wish(octets)
    let isLost =
      wish == "drop-after-data"
      || wish == "drop-after-data-once" && sink.dropsNow(String(decoding: octets, as: UTF8.self))
    switch wish {
    case "data451": return say("451 4.3.0 later")
    case "data554": return say("554 5.6.0 rejected")
    case "closing":
      _ = say("421 4.3.2 going down")
      return false
    case "slow": Stopwatch.sleep(1)
    default: break
    }
    sink.keep(
      SMTPSink.Message(
        from: from,
        to: to,
        octets: octets,
        connection: number,
        isAnswered: !isLost,
        isChunk: isChunk
      )
    )
    return isLost ? false : say("250 2.0.0 taken")
  }

  /// So many octets of a message are looked at for what it asks for.
  private static let wishLimit = 4096

  private func wish(_ octets: [UInt8]) -> String? {
    let text = String(decoding: octets.prefix(Self.wishLimit), as: UTF8.self)
    guard let start = text.firstRange(of: "X-Judge: ")?.upperBound else { return nil }
    return String(text[start...].prefix { $0.isLetter || $0.isNumber || $0 == "-" })
  }

  private var isOver = false
  private var logins = 0

  private func say(_ line: String) -> Bool {
    Loopback.send(Array("\(line)\r\n".utf8), to: descriptor)
  }

  private mutating func takeLine() -> String? {
    guard let line = takeOctets() else { return nil }
    return String(decoding: line.dropLast(line.suffix(2) == [13, 10] ? 2 : 1), as: UTF8.self)
  }

  /// The next octets, so many; nil at the end of the connection.
  private mutating func takeOctets(_ count: Int) -> [UInt8]? {
    while buffer.count < count {
      guard let octets = Loopback.receive(descriptor, seconds: 120), !octets.isEmpty else {
        isOver = true
        return nil
      }
      buffer += octets
    }
    defer { buffer.removeSubrange(..<count) }
    return Array(buffer[..<count])
  }

  /// The next line with its end; only LF ends one, so that lone CRs are seen.
  private mutating func takeOctets() -> [UInt8]? {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        defer { buffer.removeSubrange(...end) }
        return Array(buffer[...end])
      }
      guard let octets = Loopback.receive(descriptor, seconds: 120), !octets.isEmpty else {
        isOver = true
        return nil
      }
      buffer += octets
    }
  }
}
