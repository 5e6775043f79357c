import Glibc
import Synchronization

/// A TCP proxy on 127.0.0.1 between a client and a real IMAP server that bends single commands and replies.
///
/// Clear text only.
package final class BendingProxy: Sendable {
  /// What becomes of a command.
  package enum Fate: Sendable {
    /// It reaches the server.
    case passed
    /// It does not, and the client is told this, such as "NO [OVERQUOTA] full"; "" leaves it without any answer.
    case refused(String)
    /// It reaches the server, and the connection breaks before the client sees the answer.
    case unanswered
    /// It reaches the server once `body` has returned.
    case after(@Sendable () -> Void)
    /// It reaches the server with other literals.
    case rewritten(@Sendable ([UInt8]) -> [UInt8])
    /// It does not, and the client is told this before the connection breaks, such as "* BYE".
    case hungUp(String)
  }

  /// Where it listens.
  package let port: UInt16

  /// The URL for a configuration file.
  package var clearURL: String { "imap+plain://127.0.0.1:\(port)" }

  private let isStopped = StopSign()
  private let log: Log

  /// Starts a proxy to a port of 127.0.0.1; it takes no more connections when the value goes.
  ///
  /// - Parameters:
  ///   - target: The server's port.
  ///   - command: Decides about each command, given its first line without the tag.
  ///   - reply: Gives each line of the server its final form, without the line end.
  ///   - literal: Gives what takes the place of a line and the literal behind it; nil leaves both.
  /// - Throws: `HarnessError` when it cannot listen.
  package init(
    to target: UInt16,
    command: @escaping @Sendable (String) -> Fate = { _ in .passed },
    reply: @escaping @Sendable (String) -> String = { $0 },
    literal: @escaping @Sendable (String, [UInt8]) -> [UInt8]? = { _, _ in nil }
  ) throws {
    let log = Log()
    self.log = log
    let bend = Bend(command: command, reply: reply, literal: literal)
    port = try Loopback.relay(to: target, until: isStopped) { client, server in
      Line(client: client, server: server, bend: bend, log: log).carry()
    }
  }

  deinit { isStopped.raise() }

  /// The commands that came, without their tags, in the order of their arrival over all connections.
  package var commands: [String] { log.lines.withLock { $0 } }

  /// A proxy that keeps a server from telling the UIDs of what it took, as if it had no UIDPLUS.
  ///
  /// - Throws: `HarnessError` when it cannot listen.
  package static func silent(to target: UInt16) throws -> BendingProxy {
    try BendingProxy(to: target, reply: silenced)
  }

  /// A line of a server without the UIDs of what it took.
  package static func silenced(_ line: String) -> String {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count == 3, words[1] == "OK",
      words[2].hasPrefix("[APPENDUID ") || words[2].hasPrefix("[COPYUID "),
      let end = words[2].firstIndex(of: "]")
    else { return line }
    return "\(words[0]) OK\(words[2][words[2].index(after: end)...])"
  }

  private final class Log: Sendable {
    let lines = Mutex<[String]>([])
  }

  /// What is done to what passes.
  private struct Bend: Sendable {
    let command: @Sendable (String) -> Fate
    let reply: @Sendable (String) -> String
    let literal: @Sendable (String, [UInt8]) -> [UInt8]?
  }

  /// One connection.
  private final class Line: Sendable {
    private let client: Int32
    private let server: Int32
    private let bend: Bend
    private let log: Log
    /// The tag whose answer the client is not to see.
    private let unanswered = Mutex<String?>(nil)

    init(client: Int32, server: Int32, bend: Bend, log: Log) {
      self.client = client
      self.server = server
      self.bend = bend
      self.log = log
    }

    func carry() {
      let up = Background { [self] in
        carryUp()
        shutdown(server, Int32(SHUT_WR))
      }
      carryDown()
      shutdown(client, Int32(SHUT_RDWR))
      shutdown(server, Int32(SHUT_RDWR))
      up.join()
      close(client)
      close(server)
    }

    private func carryUp() {
      var reader = LineReader(descriptor: client)
      while let octets = reader.line() {
        let line = String(decoding: octets, as: UTF8.self)
        let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2 else {
          guard Loopback.send(octets + [13, 10], to: server) else { return }
          continue
        }
        log.lines.withLock { $0.append(String(words[1])) }
        var fate = bend.command(String(words[1]))
        if case .after(let body) = fate {
          body()
          fate = .passed
        }
        guard take(octets, &reader, String(words[0]), fate) else {
          // What was said last is still to be read.
          shutdown(client, Int32(SHUT_WR))
          return
        }
      }
    }

    /// Carries a command with its literals, or lets it end here; false when the connection is over.
    private func take(
      _ first: [UInt8],
      _ reader: inout LineReader,
      _ tag: String,
      _ fate: Fate
    ) -> Bool {
      var answer: String?
      switch fate {
      case .refused(let text): answer = text
      case .unanswered: unanswered.withLock { $0 = tag }
      case .rewritten(let body): return rewrite(first, &reader, body)
      case .hungUp(let text):
        Loopback.send("\(text)\r\n".utf8, to: client)
        return false
      case .passed, .after: break
      }
      var line = first
      while true {
        if answer == nil, !Loopback.send(line + [13, 10], to: server) { return false }
        guard let (size, waits) = LineReader.literal(at: line), !(waits && answer != nil) else {
          break
        }
        guard let literal = reader.take(size) else { return false }
        if answer == nil, !Loopback.send(literal, to: server) { return false }
        guard let next = reader.line() else { return false }
        line = next
      }
      guard let answer, !answer.isEmpty else { return true }
      return Loopback.send("\(tag) \(answer)\r\n".utf8, to: client)
    }

    /// Carries a command with other literals, for which the proxy itself gives leave.
    private func rewrite(
      _ first: [UInt8],
      _ reader: inout LineReader,
      _ body: @Sendable ([UInt8]) -> [UInt8]
    ) -> Bool {
      var line = first
      while let (size, waits) = LineReader.literal(at: line) {
        if waits, !Loopback.send("+ go on\r\n".utf8, to: client) { return false }
        guard let literal = reader.take(size), let next = reader.line() else { return false }
        let other = body(literal)
        let open = line.lastIndex(of: UInt8(ascii: "{")) ?? line.endIndex
        let head = line[..<open] + Array("{\(other.count)+}\r\n".utf8)
        guard Loopback.send(head + other, to: server) else { return false }
        line = next
      }
      return Loopback.send(line + [13, 10], to: server)
    }

    private func carryDown() {
      var reader = LineReader(descriptor: server)
      while let octets = reader.line() {
        let line = String(decoding: octets, as: UTF8.self)
        if let tag = unanswered.withLock({ $0 }), line.hasPrefix("\(tag) ") { return }
        let reply = bend.reply(line)
        let sent = (reply == line ? octets : Array(reply.utf8)) + [13, 10]
        guard let (size, _) = LineReader.literal(at: octets) else {
          guard Loopback.send(sent, to: client) else { return }
          continue
        }
        guard let literal = reader.take(size) else { return }
        let bent = bend.literal(line, literal) ?? sent + literal
        guard Loopback.send(bent, to: client) else { return }
      }
    }
  }

  /// Lines and literals of one side.
  private struct LineReader {
    let descriptor: Int32
    private var buffer: [UInt8] = []
    private var position = 0

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The next line without its line end; nil when the side is gone.
    mutating func line() -> [UInt8]? {
      while true {
        if let end = buffer[position...].firstIndex(of: 10) {
          defer { position = end + 1 }
          let line = buffer[position..<end]
          return Array(line.last == 13 ? line.dropLast() : line)
        }
        guard fill() else { return nil }
      }
    }

    mutating func take(_ count: Int) -> [UInt8]? {
      while buffer.count - position < count { guard fill() else { return nil } }
      defer { position += count }
      return Array(buffer[position..<position + count])
    }

    private mutating func fill() -> Bool {
      guard let octets = Loopback.receive(descriptor, seconds: 120), !octets.isEmpty else {
        return false
      }
      buffer.removeSubrange(..<position)
      position = 0
      buffer += octets
      return true
    }

    /// The length of the literal that follows, and whether its sender waits for leave.
    static func literal(at line: [UInt8]) -> (size: Int, waits: Bool)? {
      guard line.last == UInt8(ascii: "}"), let open = line.lastIndex(of: UInt8(ascii: "{")) else {
        return nil
      }
      var word = String(decoding: line[(open + 1)...].dropLast(), as: UTF8.self)
      let waits = word.last != "+" && word.last != "-"
      if !waits { word.removeLast() }
      return Int(word).map { ($0, waits) }
    }
  }
}
