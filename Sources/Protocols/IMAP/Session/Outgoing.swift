internal import MailModel
internal import Octets

/// What is to be sent, in order, with the places where the server must first say `+` and those
/// where a message is fed.
///
/// A literal that has to wait, or that is being fed, holds back everything behind it: its command
/// is not complete, so nothing else may go on the wire (RFC 9051 §4.3).
struct Outgoing: Sendable {
  private struct Held: Sendable {
    var part: CommandPart
    let tag: CommandTag
  }

  private var ready: [UInt8] = []

  /// What cannot go yet; the first is never `octets`.
  private var held: ArraySlice<Held> = []

  /// The command that waits for a `+`; `nil` when none does.
  var waiting: CommandTag? {
    guard let first = held.first, case .wait = first.part else { return nil }
    return first.tag
  }

  /// The literal to be fed now; `nil` when none is.
  var wanted: LiteralRequest? {
    guard case .literal(let request) = held.first?.part else { return nil }
    return request
  }

  /// Whether part of the command could not go yet.
  func holds(_ tag: CommandTag) -> Bool {
    held.contains { $0.tag == tag }
  }

  /// Queues a command.
  mutating func append(_ parts: [CommandPart], _ tag: CommandTag) {
    held += parts.map { Held(part: $0, tag: tag) }
    advance()
  }

  /// Queues the response to a challenge; it goes before all commands that are held back.
  mutating func appendResponse(_ octets: [UInt8]) {
    ready += octets
  }

  /// Takes octets of the literal that is wanted, at most as many as remain.
  mutating func feed(_ octets: ArraySlice<UInt8>) {
    guard var request = wanted, octets.count <= request.remaining else {
      preconditionFailure("more octets than are wanted")
    }
    ready += octets
    request.remaining -= UInt64(octets.count)
    if request.remaining > 0 { return held[held.startIndex].part = .literal(request) }
    held.removeFirst()
    advance()
  }

  /// Acts on a `+`: what waited may go, up to the next place that must wait.
  mutating func release() {
    // Without anything that waits, a "+" says nothing; a literal under way least of all.
    guard waiting != nil else { return }
    held.removeFirst()
    advance()
  }

  /// Drops what is left of a command that the server answered before it was complete.
  ///
  /// A literal that waited for a `+` need no longer be sent. But one that was announced without
  /// waiting, or that the server let go, is expected to its last octet: after it the line is ended,
  /// with none of the messages that would follow.
  mutating func ended(_ tag: CommandTag) {
    guard !held.isEmpty else { return }
    let refused = held.first?.tag == tag ? wanted : nil
    held.removeAll { $0.tag == tag }
    if var refused {
      refused.isRefused = true
      let lineEnd = [ASCII.carriageReturn, ASCII.lineFeed]
      let rest: [CommandPart] = [.literal(refused), .octets(lineEnd)]
      held = rest.map { Held(part: $0, tag: tag) } + held
    }
    advance()
  }

  mutating func takeOctets() -> [UInt8] {
    defer { ready = [] }
    return ready
  }

  private mutating func advance() {
    while case .octets(let octets) = held.first?.part {
      ready += octets
      held.removeFirst()
    }
  }
}

/// A stretch of a command on its way out.
enum CommandPart: Hashable, Sendable {
  /// Octets that can go now.
  case octets([UInt8])

  /// The server must say `+` before what follows may go (RFC 9051 §4.3).
  case wait

  /// Octets that are fed when it is their turn.
  case literal(LiteralRequest)
}

/// A command whose tagged reply is still to come; holds no secret.
struct OpenCommand: Hashable, Sendable {
  /// What the reply will mean to the session.
  enum Kind: Hashable, Sendable {
    case authentication
    case selection(MailboxName, isExamining: Bool)
    case unselect
    case startTLS
    case compress
    case idle
    /// A command after whose OK something on the server is taken for changed.
    case change
    case other
  }

  let tag: CommandTag
  let kind: Kind

  init(tag: CommandTag, _ command: Command) {
    self.tag = tag
    kind =
      switch command {
      case .login, .authenticate: .authentication
      case .select(let mailbox, _): .selection(mailbox, isExamining: false)
      case .examine(let mailbox, _): .selection(mailbox, isExamining: true)
      case .unselect: .unselect
      case .startTLS: .startTLS
      case .compress: .compress
      case .idle: .idle
      case .uidStore, .uidStoreFound, .uidStoreLabel, .append, .uidCopy, .uidMove, .uidMoveFound,
        .uidExpunge, .expunge, .create, .delete, .rename, .subscribe, .unsubscribe:
        .change
      default: .other
      }
  }
}

/// A literal that is to go on the wire next and whose octets the session does not have: a message
/// being appended.
package struct LiteralRequest: Hashable, Sendable {
  /// The APPEND.
  package let tag: CommandTag

  /// Which of its messages, counted from 0.
  package let index: Int

  /// The length of the message in octets.
  package let size: UInt64

  /// The octets not fed yet; never 0.
  package internal(set) var remaining: UInt64

  /// Whether the server said NO or BAD before it had the message.
  ///
  /// It expects the octets all the same, for it was told how many come, and throws them away
  /// (RFC 7888 §4). Any octets will do then; blanks can do no harm even if it does not.
  package internal(set) var isRefused = false

  init(tag: CommandTag, index: Int, size: UInt64) {
    self.tag = tag
    self.index = index
    self.size = size
    remaining = size
  }
}
