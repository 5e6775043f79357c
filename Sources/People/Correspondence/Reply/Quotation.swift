package import MIME
internal import MailModel
internal import Octets
package import Protection

/// The text of a message within that of another.
package enum Quotation {
  /// What stands before a quoted text where the configuration does not say.
  package static let usualAttribution = "On {date}, {from} wrote:"

  /// The text of a message as it is shown, HTML as text; nothing is decrypted for it but what was opened before.
  static func text(_ reading: ProtectionReading, _ decoder: CharsetDecoder) -> [UInt8] {
    let texts = reading.message.bodies().compactMap { reading.plainText(of: $0, decoder) }
      .map(InlineArmour.quotable)
    var text = [UInt8](texts.joined(separator: [ASCII.lineFeed]))
    while let last = text.last, last <= ASCII.space { text.removeLast() }
    return text
  }

  /// The lines of a message, each marked, behind a line that says who wrote them and when.
  package static func quoted(
    _ reading: ProtectionReading,
    attribution: String,
    _ decoder: CharsetDecoder
  ) -> [UInt8] {
    let lines = text(reading, decoder).split(
      separator: ASCII.lineFeed,
      omittingEmptySubsequences: false
    )
    let marked = lines.flatMap { line -> [UInt8] in
      let mark: [UInt8] =
        line.isEmpty || line.first == ASCII.greaterThan
        ? [ASCII.greaterThan] : [ASCII.greaterThan, ASCII.space]
      return mark + line + [ASCII.lineFeed]
    }
    return self.attribution(attribution, reading.header, decoder) + [ASCII.lineFeed] + marked
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
