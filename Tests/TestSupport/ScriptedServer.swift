import Glibc
import Synchronization

/// A server on 127.0.0.1 that answers as a test tells it to, in a thread of its own for each connection.
package final class ScriptedServer: Sendable {
  /// One command of the client, with its literals in place.
  package struct Request: Sendable {
    /// The number of the connection, from 1.
    package let connection: Int
    /// The client's tag; empty where the line has none.
    package let tag: String
    /// The command after the tag, as sent.
    package let text: String
    /// Whether more had come behind it when it was read.
    package let isFollowed: Bool

    /// The first words in capitals, "UID" and what follows taken together, such as "UID FETCH".
    package var name: String {
      let words = text.split(separator: " ", maxSplits: 2).map { $0.uppercased() }
      return words.first == "UID" ? words.prefix(2).joined(separator: " ") : words.first ?? ""
    }
  }

  /// Something the server does.
  package enum Action: Sendable {
    /// Sends text, `{tag}` replaced by the tag of the command.
    case send(String)
    /// Sends octets as they are.
    case octets([UInt8])
    /// Sends octets one at a time.
    case trickle([UInt8], seconds: Double)
    /// Waits.
    case pause(Double)
    /// Waits until the client has sent something, so many seconds at the most.
    case awaitInput(seconds: Double)
    /// Keeps the connection open and never answers again.
    case stall
    /// Drops what came behind the command.
    case dropInput
    /// Ends the connection in order.
    case close
    /// Breaks the connection.
    case reset

    /// Sends lines, each ended with CR LF.
    package static func lines(_ lines: String...) -> Action {
      .send(lines.map { "\($0)\r\n" }.joined())
    }
  }

  /// One step of a fixed script.
  package struct Step: Sendable {
    /// How the command after its tag has to begin, in any case; nil takes any.
    package let expected: String?
    /// What to do then.
    package let actions: [Action]

    /// Waits for a command, then acts.
    package static func on(_ expected: String?, _ actions: Action...) -> Step {
      Step(expected: expected, actions: actions)
    }
  }

  /// Where it listens.
  package let port: UInt16

  /// The URL for a configuration file.
  package var clearURL: String { "imap+plain://127.0.0.1:\(port)" }

  private let listener: Int32
  private let greeting: @Sendable (Int) -> [Action]
  private let answer: @Sendable (Request) -> [Action]
  private let log = Mutex<[String]>([])
  private let connections = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)

  /// A server that asks `answer` what to do about each command.
  ///
  /// - Throws: `HarnessError` when it cannot listen.
  package convenience init(
    greeting: [Action] = [.lines("* OK scripted server ready")],
    answer: @escaping @Sendable (Request) -> [Action]
  ) throws {
    try self.init(greetingOf: { _ in greeting }, answer: answer)
  }

  /// A server that also asks how to greet the connection of that number, from 1.
  ///
  /// - Throws: `HarnessError` when it cannot listen.
  package init(
    greetingOf greeting: @escaping @Sendable (Int) -> [Action],
    answer: @escaping @Sendable (Request) -> [Action]
  ) throws {
    (listener, port) = try Loopback.listen()
    self.greeting = greeting
    self.answer = answer
    let server = Unowned(self)
    let listener = listener
    _ = Background {
      while let server = server.value, !server.isStopped.load(ordering: .relaxed) {
        guard let connection = Loopback.accept(listener, seconds: 0.1) else { continue }
        server.serve(connection)
      }
      close(listener)
    }
  }

  /// A server that follows a fixed script on each connection; a command that does not fit is answered with BAD
  /// and noted in ``requests`` with "unexpected: " before it.
  ///
  /// - Throws: `HarnessError` when it cannot listen.
  package convenience init(
    greeting: [Action] = [.lines("* OK scripted server ready")],
    steps: [Step]
  ) throws {
    let positions = Positions()
    try self.init(greeting: greeting) { request in
      guard let step = positions.next(of: steps, for: request) else {
        return [.lines("{tag} BAD not in the script: \(request.text)")]
      }
      return step.actions
    }
  }

  deinit {
    isStopped.store(true, ordering: .relaxed)
  }

  /// The commands that came, tags left out, in the order of their arrival over all connections.
  package var requests: [String] { log.withLock { $0 } }

  /// How many connections came.
  package var connectionCount: Int { connections.load(ordering: .relaxed) }

  /// Takes no more connections and ends those that stall.
  package func stop() {
    isStopped.store(true, ordering: .relaxed)
  }

  private func serve(_ descriptor: Int32) {
    let number = connections.add(1, ordering: .relaxed).newValue
    _ = Background { [self] in
      var peer = Peer(descriptor: descriptor)
      let greeting = greeting(number)
      if act(greeting, tag: "", on: descriptor) {
        for case .dropInput in greeting { peer.dropInput() }
        while let (tag, text) = peer.request() {
          log.withLock { $0.append(text) }
          let request = Request(
            connection: number,
            tag: tag,
            text: text,
            isFollowed: !peer.buffer.isEmpty
          )
          let actions = answer(request)
          for case .dropInput in actions { peer.buffer = [] }
          guard act(actions, tag: tag, on: descriptor) else { break }
        }
      }
      close(descriptor)
    }
  }

  /// Does what it is told; false when the connection is over.
  private func act(_ actions: [Action], tag: String, on descriptor: Int32) -> Bool {
    for action in actions {
      switch action {
      case .send(let text):
        let whole = text.split(separator: "{tag}", omittingEmptySubsequences: false)
        guard Loopback.send(whole.joined(separator: tag).utf8, to: descriptor) else { return false }
      case .octets(let octets):
        guard Loopback.send(octets, to: descriptor) else { return false }
      case .trickle(let octets, let seconds):
        for octet in octets {
          guard Loopback.send([octet], to: descriptor) else { return false }
          Stopwatch.sleep(seconds)
        }
      case .pause(let seconds):
        Stopwatch.sleep(seconds)
      case .awaitInput(let seconds):
        if Loopback.hasInput(descriptor, seconds: seconds) {
          log.withLock { $0.append("early input") }
        }
      case .stall:
        while !isStopped.load(ordering: .relaxed) {
          if Loopback.receive(descriptor, seconds: 0.1)?.isEmpty == true { break }
        }
        return false
      case .dropInput: break
      case .close:
        return false
      case .reset:
        var lingering = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
          descriptor,
          SOL_SOCKET,
          SO_LINGER,
          &lingering,
          socklen_t(MemoryLayout<linger>.size)
        )
        return false
      }
    }
    return true
  }

  /// What one client has sent and was not read yet.
  private struct Peer {
    let descriptor: Int32
    var buffer: [UInt8] = []

    /// The next command, its literals waited for; nil when the client is gone.
    mutating func request() -> (tag: String, text: String)? {
      guard var line = takeLine() else { return nil }
      while line.hasSuffix("}"), let open = line.lastIndex(of: "{") {
        let word = line[line.index(after: open)...].dropLast()
        guard let size = Int(word.last == "+" || word.last == "-" ? word.dropLast() : word) else {
          break
        }
        if word.allSatisfy(\.isNumber) { Loopback.send(Array("+ go on\r\n".utf8), to: descriptor) }
        guard let literal = take(size), let rest = takeLine() else { return nil }
        line = line[..<open] + String(decoding: literal, as: UTF8.self) + rest
      }
      let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      return words.count < 2 ? ("", line) : (String(words[0]), String(words[1]))
    }

    /// Forgets what came so far, read or not.
    mutating func dropInput() {
      buffer = []
      while Loopback.hasInput(descriptor, seconds: 0),
        let octets = Loopback.receive(descriptor, seconds: 1), !octets.isEmpty
      {}
    }

    private mutating func takeLine() -> String? {
      while true {
        if let end = buffer.firstIndex(of: 10) {
          defer { buffer.removeSubrange(...end) }
          let line = buffer[..<end]
          return String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
        }
        guard fill() else { return nil }
      }
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
      while buffer.count < count { guard fill() else { return nil } }
      defer { buffer.removeSubrange(..<count) }
      return Array(buffer[..<count])
    }

    private mutating func fill() -> Bool {
      guard let octets = Loopback.receive(descriptor, seconds: 120), !octets.isEmpty else {
        return false
      }
      buffer += octets
      return true
    }
  }

  /// Where each connection is in a fixed script.
  private final class Positions: Sendable {
    private let positions = Mutex<[Int: Int]>([:])

    func next(of steps: [Step], for request: Request) -> Step? {
      positions.withLock { positions in
        let position = positions[request.connection, default: 0]
        guard position < steps.count else { return nil }
        let step = steps[position]
        if let expected = step.expected {
          guard request.text.lowercased().hasPrefix(expected.lowercased()) else { return nil }
        }
        positions[request.connection] = position + 1
        return step
      }
    }
  }

  /// A reference that does not keep the server alive.
  private final class Unowned: Sendable {
    private let reference: Mutex<Weak>

    init(_ server: ScriptedServer) { reference = Mutex(Weak(server: server)) }

    var value: ScriptedServer? { reference.withLock { $0.server } }

    private struct Weak { weak var server: ScriptedServer? }
  }
}
