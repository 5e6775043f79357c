import IMAP
import MailModel
import Octets
import TestSupport
import Testing

/// A server that knows lines and literals, answers late, and may refuse the first command anywhere.
private struct LiteralServer {
  private enum Phase {
    case line
    case literal(remaining: Int)
  }

  /// The commands that came, whole, with their literals.
  private(set) var commands: [[UInt8]] = []

  /// After how many octets the first command is refused; `nil`: never.
  let refusal: Int?

  private var phase = Phase.line
  private var received = 0
  private var command: [UInt8] = []
  private var lineStart = 0
  private var isRefused = false
  private var replies: [[UInt8]] = []

  init(refusal: Int?) {
    self.refusal = refusal
  }

  /// What the server says next, one reply a call.
  mutating func reply() -> [UInt8]? {
    replies.isEmpty ? nil : replies.removeFirst()
  }

  mutating func receive(_ octets: [UInt8]) {
    for octet in octets { receive(octet) }
  }

  private mutating func receive(_ octet: UInt8) {
    if received == refusal, commands.isEmpty { refuse() }
    received += 1
    command.append(octet)
    switch phase {
    case .literal(let remaining):
      phase = remaining == 1 ? .line : .literal(remaining: remaining - 1)
      if remaining == 1 { lineStart = command.count }
    case .line:
      if octet == ASCII.lineFeed { endLine() }
    }
  }

  private mutating func refuse() {
    isRefused = true
    say("M1 NO [OVERQUOTA] full")
  }

  private mutating func endLine() {
    let line = command[lineStart...].dropLast(2)
    lineStart = command.count
    guard line.last == ASCII.closeBrace, let brace = line.lastIndex(of: ASCII.openBrace) else {
      return endCommand()
    }
    var digits = Cursor(line[(brace + 1)...])
    let size = Int(digits.decimal() ?? 0)
    if !digits.skip(ASCII.plus) {
      // A refused command ends where the client would have to wait.
      if isRefused { return endCommand() }
      say("+ go")
    }
    phase = .literal(remaining: size)
  }

  private mutating func endCommand() {
    if !isRefused { say("\(CommandText.text(command.prefix { $0 != ASCII.space })) OK done") }
    commands.append(command)
    (command, lineStart, isRefused) = ([], 0, false)
  }

  private mutating func say(_ line: String) {
    replies.append([UInt8]("\(line)\r\n".utf8))
  }
}

/// A session that appends, talking to a `LiteralServer`.
private struct Appending {
  var session: Session
  var server: LiteralServer
  var events = EventText()

  /// The octets fed at once, and the rounds for which each reply is on its way.
  let piece: Int
  let delay: Int

  private var rounds = 0

  /// Sends an APPEND of these messages, a NOOP and an APPEND of one octet.
  init(_ sizes: [UInt64], _ capabilities: String, refusal: Int?, piece: Int, delay: Int) throws {
    session = try greetedSession(capabilities)
    server = LiteralServer(refusal: refusal)
    (self.piece, self.delay) = (piece, delay)
    let inbox = MailboxName(wire: "INBOX".utf8)
    session.send(.append(inbox, sizes.compactMap { AppendMessage(size: $0) }))
    session.send(.noop)
    session.send(.append(inbox, [1].compactMap { AppendMessage(size: $0) }))
  }

  mutating func run() throws {
    var idleRounds = 0
    while idleRounds <= delay + 1 {
      let sent = sendPiece()
      let reply = waited(sent) ? server.reply() : nil
      if let reply { events.append(try session.receive(reply[...])) }
      idleRounds = sent || reply != nil ? 0 : idleRounds + 1
    }
  }

  private mutating func waited(_ sent: Bool) -> Bool {
    rounds += 1
    return !sent || rounds % (delay + 1) == 0
  }

  private mutating func sendPiece() -> Bool {
    if let literal = session.wantedLiteral {
      let count = min(UInt64(piece), literal.remaining)
      let filler = UInt8(ascii: "a") + UInt8(literal.index)
      session.feedLiteral([UInt8](repeating: filler, count: Int(count))[...])
    }
    let octets = session.takeOutgoing()
    server.receive(octets)
    return !octets.isEmpty
  }
}

private func checkFraming(
  _ sizes: [UInt64],
  _ capabilities: String,
  refusal: Int?,
  piece: Int,
  delay: Int
) throws {
  let place = "\(sizes) \(capabilities) \(refusal ?? -1) \(piece) \(delay)"
  var play = try Appending(sizes, capabilities, refusal: refusal, piece: piece, delay: delay)
  try play.run()
  let commands = play.server.commands
  #expect(commands.count == 3, "\(place)")
  #expect(commands.dropFirst().first == [UInt8](ascii: "M2 NOOP\r\n"), "\(place)")
  #expect(commands.last?.suffix(5) == [UInt8](ascii: "\r\na\r\n")[...], "\(place)")
  #expect(play.session.pending == 0 && play.session.wantedLiteral == nil, "\(place)")
  #expect(play.events.lines.dropFirst() == ["M2 ok done", "M3 ok done"], "\(place)")
  if play.events.lines.first == "M1 ok done" {
    let letters = commands[0].filter { (0x61...0x7A).contains($0) }
    let expected = sizes.enumerated().flatMap { index, size in
      [UInt8](repeating: UInt8(ascii: "a") + UInt8(index), count: Int(size))
    }
    #expect(letters == expected, "\(place)")
  } else {
    #expect(play.events.lines.first == "M1 no [overQuota] full", "\(place)")
    #expect(refusal != nil, "\(place)")
  }
}

/// Wherever the server refuses, and however late that is heard, it understands what comes after.
@Test(arguments: ["IMAP4rev1", "LITERAL+"], [1, 3, 100])
func refusalsKeepTheFraming(_ capabilities: String, _ piece: Int) throws {
  for delay in [0, 1, 4] {
    for sizes in [[5], [3, 1, 4]] as [[UInt64]] {
      for refusal in [nil] + (0..<60).map(Optional.init) {
        try checkFraming(sizes, capabilities, refusal: refusal, piece: piece, delay: delay)
      }
    }
  }
}

/// With LITERAL- some messages wait and some do not, in one command.
@Test(arguments: 0..<60)
func refusalsKeepTheFramingOfMixedLiterals(_ seed: UInt64) throws {
  var generator = SeededGenerator(seed: seed)
  let sizes: [UInt64] = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
    [1, 7, 4096, 4097, 5000].randomElement(using: &generator) ?? 1
  }
  let total = Int(sizes.reduce(0, +)) + 80
  try checkFraming(
    sizes,
    "LITERAL-",
    refusal: Int.random(in: -1..<total, using: &generator),
    piece: Int.random(in: 1...3000, using: &generator),
    delay: Int.random(in: 0...3, using: &generator)
  )
}

/// Messages go through in pieces: what was taken is not held.
@Test func largeMessagesAreNotHeld() throws {
  var session = try greetedSession("LITERAL+")
  let piece = [UInt8](repeating: 0x61, count: 1 << 20)
  let message = try #require(AppendMessage(size: 100 << 20))
  session.send(.append(MailboxName(wire: "INBOX".utf8), [message]))
  #expect(session.takeOutgoing().count < 100)
  for _ in 0..<100 {
    session.feedLiteral(piece[...])
    #expect((piece.count...piece.count + 2).contains(session.takeOutgoing().count))
  }
  #expect(session.wantedLiteral == nil)
}

/// However a message is cut, the wire has the same octets.
@Test func everyCutOfAMessageMeansTheSame() throws {
  let text = [UInt8](ascii: "From: a\r\n\r\nM2 NOOP\r\n")
  let message = try #require(AppendMessage(size: UInt64(text.count)))
  for cut in text.indices {
    var session = try greetedSession("LITERAL+")
    session.send(.append(MailboxName(wire: "INBOX".utf8), [message]))
    session.feedLiteral(text[..<cut])
    session.feedLiteral(text[cut...])
    let sent = session.takeOutgoing()
    let expected = [UInt8]("M1 APPEND \"INBOX\" {\(text.count)+}\r\n".utf8) + text + [13, 10]
    #expect(sent == expected, "cut at \(cut)")
  }
}

/// Whatever a server says while messages are on their way, nothing traps.
@Test(arguments: 0..<100)
func garbageAmidMessagesIsHarmless(_ seed: UInt64) throws {
  var generator = SeededGenerator(seed: seed)
  let capabilities = ["LITERAL+", "LITERAL-", "IMAP4rev1"].randomElement(using: &generator)
  var session = try greetedSession(capabilities)
  let lines = [
    "+ go", "+", "M1 NO no", "M2 BAD what", "M3 NO [TRYCREATE] no", "M4 OK done", "* BYE",
    "* 1 EXISTS",
    "M9 OK", "* NO [ALERT] x", "M1 OK [APPENDUID 1 1:4294967295] done", "", "* 1 FETCH (BODY[] {3}",
  ]
  let sizes: [[UInt64]] = [[3], [1, 5000, 2], [4097], [2, 2]]
  for sizes in sizes {
    let messages = sizes.compactMap { AppendMessage(size: $0) }
    session.send(.append(MailboxName(wire: [0xFF]), messages))
  }
  for _ in 0..<60 {
    if let literal = session.wantedLiteral, Bool.random(using: &generator) {
      let count = Int.random(in: 0...Int(literal.remaining), using: &generator)
      session.feedLiteral([UInt8](repeating: 0x61, count: count)[...])
      #expect(session.wantedLiteral?.remaining != 0)
    }
    let line = lines.randomElement(using: &generator) ?? ""
    _ = try? session.receive([UInt8]("\(line)\r\n".utf8)[...])
    _ = session.takeOutgoing()
  }
}
