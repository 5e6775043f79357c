/// What is to be sent, in order, with the places where the server must first say `+`.
///
/// A literal that has to wait holds back everything behind it: its command is not complete, so
/// nothing else may go on the wire (RFC 9051 §4.3).
struct Outgoing: Sendable {
  private struct Part: Sendable {
    let octets: [UInt8]
    let tag: Tag
    /// Whether this part may go only after a `+`.
    let mustWait: Bool
  }

  private var ready: [UInt8] = []
  private var held: [Part] = []

  /// The command that waits for a `+`; `nil` when none does.
  var waiting: Tag? { held.first?.tag }

  /// Queues a command that is cut at the literals that have to wait.
  mutating func append(_ parts: [[UInt8]], _ tag: Tag) {
    held += parts.enumerated().map { Part(octets: $1, tag: tag, mustWait: $0 > 0) }
    advance()
  }

  /// Queues the response to a challenge; it goes before all commands that are held back.
  mutating func appendResponse(_ octets: [UInt8]) {
    ready += octets
  }

  /// Acts on a `+`: the part that waited may go, and what follows up to the next that must wait.
  mutating func release() {
    guard !held.isEmpty else { return }
    ready += held.removeFirst().octets
    advance()
  }

  /// Drops what is left of a command that the server answered before it was complete.
  mutating func ended(_ tag: Tag) {
    guard !held.isEmpty else { return }
    held.removeAll { $0.tag == tag }
    advance()
  }

  mutating func take() -> [UInt8] {
    defer { ready = [] }
    return ready
  }

  private mutating func advance() {
    let count = held.prefix { !$0.mustWait }.count
    for part in held.prefix(count) { ready += part.octets }
    held.removeFirst(count)
  }
}
