package import MIME
internal import MailModel
internal import Octets
package import Protection

/// The text of a message within that of another.
package enum Quotation {
  /// What stands before a quoted text where the configuration does not say.
  package static let usualAttribution = "On {date}, {from} wrote:"

  /// The last line of a text that was cut.
  private static let cutMark = [UInt8](ascii: "[...]")

  /// Octets of bodies that are read for one octet of text, at most: HTML has far more marks than text.
  private static let overhead = 64

  /// The text of a message as it is shown, HTML as text; nothing is decrypted for it but what was opened before.
  ///
  /// - Parameters:
  ///   - reading: the message.
  ///   - decoder: for charsets.
  ///   - limit: octets of text at most; a longer one is cut at a line, and ends with a line that says so.
  /// - Returns: the text, and whether some of it was left out.
  static func text(
    _ reading: ProtectionReading,
    _ decoder: CharsetDecoder,
    limit: Int = .max
  ) -> (text: [UInt8], isCut: Bool) {
    var room = limit.multipliedReportingOverflow(by: overhead).overflow ? .max : limit * overhead
    var (texts, count, isCut): ([[UInt8]], Int, Bool) = ([], 0, false)
    for body in reading.message.bodies() {
      guard room > 0, count <= limit else {
        isCut = true
        break
      }
      guard let text = reading.plainText(of: body, decoder, limit: room) else { continue }
      if body.body.count > room { isCut = true }
      room -= min(room, body.body.count)
      texts.append(InlineArmour.quotable(text))
      count += text.count
    }
    var text = [UInt8](texts.joined(separator: [ASCII.lineFeed]))
    if text.count > limit {
      text.removeSubrange(LineCut.end(of: text[...], within: limit)...)
      isCut = true
    }
    while let last = text.last, last <= ASCII.space { text.removeLast() }
    return (isCut ? text + [ASCII.lineFeed] + cutMark : text, isCut)
  }

  /// The lines of a message, each marked, behind a line that says who wrote them and when.
  package static func quoted(
    _ reading: ProtectionReading,
    attribution: String,
    _ decoder: CharsetDecoder
  ) -> [UInt8] {
    quoted(reading, attribution: attribution, decoder, limit: .max).text
  }

  /// The same, of so many octets of the message at most, and whether some of it was left out.
  package static func quoted(
    _ reading: ProtectionReading,
    attribution: String,
    _ decoder: CharsetDecoder,
    limit: Int
  ) -> (text: [UInt8], isCut: Bool) {
    let (text, isCut) = text(reading, decoder, limit: limit)
    var quoted = self.attribution(attribution, reading.header, decoder) + [ASCII.lineFeed]
    for line in text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
      quoted.append(ASCII.greaterThan)
      if !line.isEmpty, line.first != ASCII.greaterThan { quoted.append(ASCII.space) }
      quoted += line
      quoted.append(ASCII.lineFeed)
    }
    return (quoted, isCut)
  }

  /// `{date}`, `{from}`, `{name}`, `{address}` and `{subject}` in a text, put in; in one line.
  static func attribution(
    _ format: String,
    _ header: Header,
    _ decoder: CharsetDecoder
  ) -> [UInt8] {
    let author = header.mailboxes("From", decoder).first
    let address = author?.address ?? [UInt8](ascii: "?")
    let name = author?.name ?? []
    let full =
      name.isEmpty || address.isEmpty
      ? (name.isEmpty ? address : name)
      : name + [ASCII.space, ASCII.lessThan] + address + [ASCII.greaterThan]
    let values: [(StaticString, [UInt8])] = [
      ("{date}", header.date?.octets ?? [UInt8](ascii: "?")), ("{from}", full),
      ("{name}", name.isEmpty ? address : name), ("{address}", address),
      ("{subject}", header.text("Subject", decoder) ?? []),
    ]
    return filled([UInt8](format.utf8), values).map { ASCII.isControl($0) ? ASCII.space : $0 }
  }

  /// Each name in braces once: what is put in is not looked at again.
  private static func filled(
    _ format: [UInt8],
    _ values: [(StaticString, [UInt8])]
  ) -> [UInt8] {
    var result: [UInt8] = []
    var cursor = Cursor(format)
    while let octet = cursor.peek {
      if let (_, value) = values.first(where: { cursor.skip($0.0) }) {
        result += value
      } else {
        result.append(octet)
        _ = cursor.next()
      }
    }
    return result
  }
}
