internal import Octets

/// A LOGIN or AUTHENTICATE under way, with the secrets that no error or trace may repeat.
struct LoginExchange: Sendable {
  let tag: CommandTag

  /// Whether challenges come as `+` (AUTHENTICATE) rather than leave for a literal (LOGIN).
  let isSASL: Bool

  /// Whether the server told its capabilities since the command was sent.
  var hasNewCapabilities = false

  private var secrets: [[UInt8]] = []
  private var hasResponded: Bool

  init?(_ command: Command, _ tag: CommandTag) {
    self.tag = tag
    switch command {
    case .login(_, let password):
      isSASL = false
      hasResponded = true
      // Servers that repeat a line they could not parse repeat it as it was quoted.
      let quoted = password.flatMap {
        $0 == ASCII.quote || $0 == ASCII.backslash ? [ASCII.backslash, $0] : [$0]
      }
      add(secrets: [quoted, password])
    case .authenticate(_, let response, let secret):
      isSASL = true
      hasResponded = response != nil
      if let response { add(secrets: [response, Base64.encode(response)]) }
      if !secret.isEmpty { secrets += [secret, Base64.encode(secret)] }
    default: return nil
    }
  }

  mutating func add(secrets new: [[UInt8]]) {
    hasResponded = true
    secrets += new.filter { !$0.isEmpty }
  }

  /// The octets of a challenge.
  ///
  /// Before the first response it says nothing that has to be understood, and some servers send
  /// words for people there: these count as empty.
  func challenge(_ text: ArraySlice<UInt8>) throws(ProtocolError) -> [UInt8] {
    let end = text.lastIndex { !ASCII.isBlank($0) }.map { $0 + 1 } ?? text.startIndex
    if let challenge = Base64.decode(text[..<end]) { return challenge }
    guard hasResponded else { return [] }
    throw ProtocolError(.malformedChallenge, line: [])
  }

  /// The line with every secret in it replaced by `…`.
  func redact(_ line: [UInt8]) -> [UInt8] {
    secrets.reduce(line) { $0.replacing($1, with: [UInt8]("…".utf8)) }
  }

  /// A received line as a trace may show it: of challenges nothing.
  func redact(received line: [UInt8]) -> [UInt8] {
    isSASL && line.first == ASCII.plus ? [UInt8]("+ …".utf8) : redact(line)
  }
}
