import Octets
import SMTP
import TestSupport

/// Commands and envelopes as people write them in a fixture.
///
/// `hello NAME [extensions]`, `starttls`, `auth NAME [RESPONSE | ""]`, `reset`, `noop`, `quit`; envelopes are
/// `FROM TO…` with `<>` for the null path, `ret=full|headers`, `id=…` anywhere behind FROM, and
/// behind an address `!success+failure+delay` or `!never`, and `?ORIGINAL`.
enum EnvelopeText {
  static func command(_ line: String) throws -> SMTPCommand {
    let words = try line.split(separator: " ").map { word in
      word == "\"\"" ? [] : try Fixtures.unescape(String(word))
    }
    switch String(line.prefix { $0 != " " }) {
    case "hello":
      guard let name = ClientName(words[1]) else { throw HarnessError("no client name: \(line)") }
      return .hello(name, needsExtensions: words.count > 2)
    case "starttls": return .startTLS
    case "auth":
      return .authenticate(mechanism: words[1], initialResponse: words.dropFirst(2).first)
    case "reset": return .reset
    case "noop": return .noop
    case "quit": return .quit
    default: throw HarnessError("unknown command: \(line)")
    }
  }

  static func envelope(_ line: String) throws -> Envelope {
    var words = line.split(separator: " ")[...]
    guard let from = words.popFirst() else { throw HarnessError("no sender: \(line)") }
    var envelope = Envelope(from: from == "<>" ? nil : try address(from), to: [])
    for word in words {
      switch word {
      case "ret=full": envelope.returned = .full
      case "ret=headers": envelope.returned = .headers
      case _ where word.hasPrefix("id="):
        envelope.identifier = try Fixtures.unescape(String(word.dropFirst(3)))
      default: envelope.recipients.append(try recipient(word))
      }
    }
    return envelope
  }

  private static func recipient(_ word: Substring) throws -> Recipient {
    let parts = word.split(separator: "?")
    let words = parts[0].split(separator: "!")
    return Recipient(
      try address(words[0]),
      notification: words.count > 1 ? try notification(words[1]) : nil,
      original: parts.count > 1 ? try address(parts[1]) : nil
    )
  }

  private static func address(_ word: Substring) throws -> EnvelopeAddress {
    try EnvelopeAddress(try Fixtures.unescape(String(word)))
  }

  private static func notification(_ word: Substring) throws -> SMTP.Notification {
    var result: SMTP.Notification = []
    for name in word.split(separator: "+") {
      switch name {
      case "success": result.insert(.success)
      case "failure": result.insert(.failure)
      case "delay": result.insert(.delay)
      case "never": break
      default: throw HarnessError("unknown condition: \(name)")
      }
    }
    return result
  }
}
