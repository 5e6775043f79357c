package import MIME
package import Octets
package import Protection

/// Makes the draft of a forwarded message.
package struct ForwardBuilder {
  private let own: OwnAddresses
  private let decoder: CharsetDecoder

  package init(own: OwnAddresses, _ decoder: CharsetDecoder) {
    self.own = own
    self.decoder = decoder
  }

  /// The draft, with the message in its text and the attachments of that, or with the message as an attachment.
  ///
  /// - Parameters:
  ///   - content: the message, with the parts opened that are passed on in clear text.
  ///   - reading: what was found out about its protection: what is not shown of it is not passed on.
  ///   - asAttachment: whether it is attached as it came.
  /// - Returns: the draft.
  /// - Throws: `SourceError` where the message cannot be read.
  package func forward(
    _ content: StreamedMessage,
    _ reading: ProtectionReading,
    asAttachment: Bool
  ) throws(SourceError) -> Draft {
    try forward(content, reading, asAttachment: asAttachment, textLimit: .max).draft
  }

  /// The same, with so many octets of the text of the message at most, and whether some of it was left out.
  package func forward(
    _ content: StreamedMessage,
    _ reading: ProtectionReading,
    asAttachment: Bool,
    textLimit: Int
  ) throws(SourceError) -> (draft: Draft, isCut: Bool) {
    let header = reading.header
    let subject = header.text("Subject", decoder) ?? []
    var draft = Draft()
    draft.from = own.first(
      of: (["To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To"] as [StaticString])
        .flatMap { header.mailboxes($0, decoder) }
    )
    draft.subject = ReplyBuilder.subject(subject, mark: "Fwd: ")
    draft.references = ReplyBuilder.references(header)
    draft.origin = header.messageID.map { Draft.Origin(.forwarded, $0) }
    var isCut = false
    if asAttachment {
      let name = Self.fileName(subject)
      draft.attachments = [.part(try .message(content.whole, name: name), name: name)]
    } else {
      let quoted = Quotation.text(reading, decoder, limit: textLimit)
      (draft.text, isCut) = (text(reading, quoted.text), quoted.isCut)
      let parts = reading.attachments(of: content.message.root)
      draft.attachments = try DraftMessage.kept(parts, of: content, decoder)
    }
    return (draft, isCut)
  }

  private func text(_ reading: ProtectionReading, _ quoted: [UInt8]) -> [UInt8] {
    var text = [UInt8](ascii: "---------- Forwarded message ----------\n")
    for name in ["From", "Date", "Subject", "To", "Cc"] as [StaticString] {
      guard let value = AddressText.value(name, of: reading.header, decoder), !value.isEmpty else {
        continue
      }
      text += [UInt8](ascii: name) + [ASCII.colon, ASCII.space] + value + [ASCII.lineFeed]
    }
    return text + [ASCII.lineFeed] + quoted + [ASCII.lineFeed]
  }

  private static func fileName(_ subject: [UInt8]) -> [UInt8] {
    let stem = SafeFileName.make(subject.map { $0 == ASCII.slash ? ASCII.minus : $0 })
    // Room for the ending, at a character's end.
    let short = stem.map { String(decoding: $0, as: UTF8.self).prefix(60) } ?? "message"
    return [UInt8]("\(short).eml".utf8)
  }
}
