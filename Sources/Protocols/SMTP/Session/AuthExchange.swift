internal import Octets

/// An AUTH under way, with the secrets that no error or trace may repeat.
struct AuthExchange: Sendable {
  /// The longest command line that a server must accept, with its line end (RFC 5321 §4.5.3.1.4).
  private static let lineLimit = 512

  /// The command without its line end.
  let command: [UInt8]

  /// The command as a trace may show it.
  let trace: [UInt8]

  /// The initial response, where it is too long to go with the command and waits for the challenge.
  private var held: [UInt8]?

  private var secrets: [[UInt8]] = []
  private var hasResponded = false

  init(_ mechanism: [UInt8], _ response: [UInt8]?, _ secret: [UInt8]) {
    let command = [UInt8](ascii: "AUTH ") + mechanism
    let argument = response.map { $0.isEmpty ? [ASCII.equals] : Base64.encode($0) }
    let inline = command + [ASCII.space] + (argument ?? [])
    if argument != nil, inline.count + 2 <= Self.lineLimit {
      self.command = inline
      trace = command + [UInt8](" …".utf8)
      hasResponded = true
    } else {
      self.command = command
      trace = command
      held = response
    }
    if let response { add(secret: response) }
    add(secret: secret)
  }

  /// The line that answers a challenge; `nil` cancels.
  mutating func line(for response: [UInt8]?) -> [UInt8] {
    guard let response else { return [ASCII.asterisk] }
    hasResponded = true
    add(secret: response)
    return Base64.encode(response)
  }

  /// The initial response that waited, and waits no longer.
  mutating func takeHeld() -> [UInt8]? {
    defer { held = nil }
    return held
  }

  /// The octets of a challenge.
  ///
  /// Before the first response it says nothing that has to be understood, and some servers send
  /// words for people there: these count as empty.
  func challenge(_ reply: Reply) throws(SMTPProtocolError) -> [UInt8] {
    let text = reply.text.filter { !ASCII.isBlank($0) && $0 != ASCII.carriageReturn }
    if let challenge = Base64.decode(text) { return challenge }
    guard hasResponded else { return [] }
    throw SMTPProtocolError(.malformedChallenge, line: [])
  }

  /// The reply with every secret in it replaced by `…`.
  func redact(_ reply: Reply) -> Reply {
    Reply(code: reply.code, lines: reply.lines.map(redact))
  }

  func redact(_ line: [UInt8]) -> [UInt8] {
    secrets.reduce(line) { $0.replacing($1, with: [UInt8]("…".utf8)) }
  }

  private mutating func add(secret: [UInt8]) {
    guard !secret.isEmpty else { return }
    secrets += [secret, Base64.encode(secret)]
  }
}
