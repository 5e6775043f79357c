internal import Octets

/// A message under way, from its first command to the last reply about it.
struct MailUnderWay: Sendable {
  /// What goes without waiting for a reply.
  enum Form: Sendable {
    /// Nothing: each command waits for the reply to the one before.
    case stepwise
    /// The commands up to DATA (RFC 2920).
    case pipelined
    /// The commands and the message, whose length is said before (RFC 3030).
    case chunked
  }

  let commands: EnvelopeEncoder
  let facts: MessageFacts
  let form: Form
  var transaction: Transaction
  private var body: BodyEncoder

  /// The octets behind which a chunk may be complete: they wait for more, or for the end.
  private var held: [UInt8] = []

  init(
    _ commands: EnvelopeEncoder,
    _ facts: MessageFacts,
    _ form: Form,
    _ transaction: Transaction
  ) {
    self.commands = commands
    self.facts = facts
    self.form = form
    self.transaction = transaction
    body = BodyEncoder(isChunk: form == .chunked)
  }

  mutating func hold(_ octets: [UInt8]) { held = octets }

  /// What may go of the message now that it goes on with these octets.
  mutating func encode(_ octets: ArraySlice<UInt8>) throws(MessageError) -> [UInt8] {
    let wire = try body.encode(octets)
    guard form == .chunked else { return wire }
    // Behind its length the server reads commands.
    guard body.size <= facts.size else { throw sizeChanged }
    guard !wire.isEmpty else { return [] }
    defer { held = wire }
    return held
  }

  /// All that is left of the message, with its end.
  mutating func finish() throws(MessageError) -> [UInt8] {
    let end = try body.finish()
    guard body.size == facts.size else { throw sizeChanged }
    defer { held = [] }
    return held + end
  }

  private var sizeChanged: MessageError {
    .sizeChanged(scanned: facts.size, given: body.size)
  }
}
