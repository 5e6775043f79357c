internal import Octets

/// A message that an address `mailto:` asks for (RFC 6068): to one recipient, with subject and text.
package struct MailtoAddress: Hashable, Sendable {
  package let recipient: Mailbox
  /// In UTF-8, in one line.
  package let subject: [UInt8]
  /// In UTF-8, with LF line ends.
  package let text: [UInt8]

  /// Why such an address is not used.
  package enum Problem: Error, Hashable, Sendable {
    /// It names no recipient, or one that is no whole address.
    case noRecipient
    /// It names more than one recipient.
    case severalRecipients
    /// It asks for more recipients, or for a file: the field that does.
    case hasField([UInt8])
    /// A `%` in it stands before no number, or its text is not UTF-8.
    case badText
  }

  /// Reads an address that begins with `mailto:`.
  ///
  /// Fields other than subject and body are left out.
  /// - Throws: why it is not used.
  package init(_ url: [UInt8]) throws(Problem) {
    let halves = url.dropFirst(7).prefix { $0 != ASCII.hash }.split(
      separator: ASCII.questionMark,
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    recipient = try Self.recipient(halves.first ?? [])
    var (subject, text): ([UInt8], [UInt8]) = ([], [])
    for part in halves.dropFirst().first?.split(separator: ASCII.ampersand) ?? [] {
      let pair = part.split(separator: ASCII.equals, maxSplits: 1, omittingEmptySubsequences: false)
      let name = try Self.decode(pair[0]).map(ASCII.lowercased)
      let value = pair.count > 1 ? try Self.decode(pair[1]) : []
      switch String(decoding: name, as: UTF8.self) {
      case "subject": subject = value.map { ASCII.isControl($0) ? ASCII.space : $0 }
      case "body": text = Self.text(value)
      case "to", "cc", "bcc", "attach", "attachment": throw .hasField(name)
      default: continue
      }
    }
    (self.subject, self.text) = (subject, text)
  }

  private static func recipient(_ octets: ArraySlice<UInt8>) throws(Problem) -> Mailbox {
    let mailboxes = Address.list(try decode(octets)[...], .native).flatMap(\.mailboxes)
    guard mailboxes.count < 2 else { throw .severalRecipients }
    guard let only = mailboxes.first, !only.localPart.isEmpty, !only.domain.isEmpty,
      !only.address.contains(where: { $0 <= ASCII.space || $0 == ASCII.delete })
    else { throw .noRecipient }
    return Mailbox(name: [], localPart: only.localPart, domain: only.domain)
  }

  private static func decode(_ octets: ArraySlice<UInt8>) throws(Problem) -> [UInt8] {
    guard let decoded = PercentEscape.unescape(octets),
      String(validating: decoded, as: UTF8.self) != nil
    else { throw .badText }
    return decoded
  }

  private static func text(_ value: [UInt8]) -> [UInt8] {
    value.filter { !ASCII.isControl($0) || $0 == ASCII.lineFeed || $0 == ASCII.tab }
  }
}
