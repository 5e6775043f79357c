internal import MIME
internal import Octets

/// The header of a message that reports failures.
struct ReportHeader {
  /// The address that it is sent from; nil where it is put into an inbox here.
  let from: String?

  /// The address that it goes to; nil where none is known.
  let to: String?

  /// Its octets are written as they are.
  let subject: [UInt8]

  /// What is in the Message-ID, so that the same report is the same message.
  let name: String

  /// The Message-ID of the message that failed, with its brackets.
  var inReplyTo: [UInt8]?

  let contentType: String

  /// The fields with LF line ends, without the empty line behind them.
  func octets(now: Int64) -> [UInt8] {
    let date = String(decoding: MessageDate(seconds: now, offset: 0).octets, as: UTF8.self)
    var fields = [
      "From: Magnum <\(from ?? "magnum@localhost")>", "To: <\(to ?? "user@localhost")>",
      "Date: \(date)", "Message-ID: <\(name).magnum@localhost>",
      "Auto-Submitted: auto-generated", "MIME-Version: 1.0", "Content-Type: \(contentType)",
      "Content-Transfer-Encoding: 8bit",
    ].map { Array($0.utf8) }
    fields.insert(Array("Subject: ".utf8) + subject, at: 2)
    if let inReplyTo { fields.append(Array("In-Reply-To: ".utf8) + inReplyTo) }
    return fields.flatMap { Self.line($0) + [ASCII.lineFeed] }
  }

  /// How many octets an address, or the words of a server, may have in a line with others: none is longer than 998.
  private static let partLimit = 450

  /// What may stand in one line together with something else; the rest of it is to be seen where the message is kept.
  static func part(_ octets: [UInt8]) -> [UInt8] {
    guard octets.count > partLimit else { return line(octets) }
    var end = partLimit
    // Not within a character of UTF-8.
    while end > 0, octets[end] & 0xC0 == 0x80 { end -= 1 }
    return line([UInt8](octets[..<end])) + [UInt8]("...".utf8)
  }

  /// What may stand in one line.
  static func line(_ octets: [UInt8]) -> [UInt8] {
    octets.map { ASCII.isControl($0) ? ASCII.space : $0 }
  }
}
