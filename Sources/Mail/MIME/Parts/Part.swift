internal import Octets

/// A node of the tree of parts (RFC 2046).
package struct Part: Sendable {
  /// What may lie below.
  package enum Kind: Sendable, Hashable {
    /// Nothing: the body is content.
    case leaf
    /// Parts between boundaries, or those of a file of Outlook (TNEF).
    case multipart
    /// One part: the root of the message inside.
    case message
  }

  /// The number by which IMAP knows it.
  ///
  /// `nil` for a multipart that is the whole body of a message: it has no number of its own
  /// (RFC 9051 §6.4.5.1), its parts are counted right below those of the message.
  package let section: Section?

  /// Its own header; that of the message for the root.
  package let header: Header

  /// What it is.
  ///
  /// Where the field is missing or says nothing, it is what the standard or the enclosing digest
  /// supposes. A multipart without any part is `text/plain`, so that it can be read; its body is
  /// then without the delimiter that ends it.
  package let contentType: ContentType

  /// How it wants to be shown; `nil` when it does not say.
  package let disposition: ContentDisposition?

  /// How its body is written; always `identity` for what has boundaries.
  package let encoding: TransferEncoding

  /// What lies below.
  package let kind: Kind

  package let role: PartRole

  /// Whether it stands for a part that is only on the server: only in a partial file.
  let isPlaceholder: Bool

  /// Header, empty line and body as received.
  package let octets: ArraySlice<UInt8>

  /// The body as received, without the line end before the next boundary.
  package let body: ArraySlice<UInt8>

  /// The parts of a multipart, the root of a message; none in a leaf.
  package let children: [Part]

  /// The id by which others refer to it, from Content-ID; `nil` when it has none.
  package var contentID: MessageID? {
    header.first("Content-ID").flatMap { MessageID($0.body) }
  }

  /// The part and all below it, each before its children.
  package var flattened: [Part] {
    var result: [Part] = []
    appendFlattened(to: &result)
    return result
  }

  private func appendFlattened(to result: inout [Part]) {
    result.append(self)
    for child in children { child.appendFlattened(to: &result) }
  }

  /// What is to be read of the part, in order: texts, of each multipart/alternative the best one only, and messages
  /// inside, whose parts are not among them.
  ///
  /// Of one that is nothing but a text, that text, though it asks to be an attachment.
  package func readable(preferring preference: BodyPreference = .plain) -> [Part] {
    if kind == .leaf, contentType.isText { return [self] }
    return preference.readable(self)
  }

  /// What of the part can be saved: attachments, parts shown within a body, and messages inside.
  ///
  /// The parts of messages inside are not among them.
  package var attachments: [Part] {
    switch role {
    case .attachment, .inline: [self]
    // What is lost of a file may still be read elsewhere.
    case .container where isTNEF && !losses.isEmpty: [self] + children.flatMap(\.attachments)
    case .container: children.flatMap(\.attachments)
    case .body: isNamedText ? [self] : []
    case .signature: []
    }
  }

  /// Whether it is text that is shown where it stands, and a file too.
  private var isNamedText: Bool {
    guard disposition?.isInline == true, let name = disposition?.parameters.octets("filename")
    else {
      return false
    }
    return name.contains { $0 > ASCII.space }
  }

  /// The root of the message that the part holds; `nil` where it holds none.
  package var messageInside: Part? { kind == .message ? children.first : nil }

  /// The body with its transfer encoding undone.
  package var decoded: [UInt8] { encoding.decode(body) }

  /// The same, without a copy where nothing encodes it: it may be large.
  package var decodedSlice: ArraySlice<UInt8> { encoding == .identity ? body : decoded[...] }

  /// How many octets ``decoded`` has; takes the time of decoding where it is encoded, but hardly any memory.
  package var decodedSize: Int { encoding.size(body) }

  /// The name of the file it holds, made safe by ``SafeFileName``; `nil` when it has none.
  ///
  /// From Content-Disposition, else from Content-Type; of a part that stands for one on the server, that one's.
  package func fileName(_ decoder: CharsetDecoder) -> [UInt8]? {
    if let external { return external.fileName(decoder) }
    return givenNames(decoder).lazy.compactMap { SafeFileName.make($0) }.first
  }

  /// The name of the file as the message has it, for eyes alone: no file may be called so; `nil` when it has none.
  package func givenName(_ decoder: CharsetDecoder) -> [UInt8]? { givenNames(decoder).first }

  private func givenNames(_ decoder: CharsetDecoder) -> [[UInt8]] {
    [
      disposition?.parameters.text("filename", decoder),
      contentType.parameters.text("name", decoder),
    ].compactMap { $0 }
  }

  /// The text as UTF-8 with LF line ends; `nil` for a part that is no text leaf.
  ///
  /// The charset is that of Content-Type; HTML may tell its own where that is silent. Reports of delivery are text too.
  ///
  /// - Parameters:
  ///   - decoder: for charsets.
  ///   - limit: how many octets of the body are read, as it is written.
  /// - Returns: the text.
  package func text(_ decoder: CharsetDecoder, limit: Int = .max) -> [UInt8]? {
    guard kind == .leaf, contentType.isText else { return nil }
    return PartText.decode(self, decoder, limit: limit)
  }

  /// The text for reading: HTML as plain text, format=flowed and the lines of calendars joined, letters that are struck twice
  /// once, all else as ``text(_:)``.
  ///
  /// `nil` for a part that is no text leaf; `limit` is how many octets of the body are read, as it is written.
  package func plainText(
    _ decoder: CharsetDecoder,
    links: PlainText.Links = .shown,
    hiding: PlainText.Hiding = .unlessBlank,
    limit: Int = .max
  ) -> [UInt8]? {
    guard let text = text(decoder, limit: limit) else { return nil }
    if contentType.isHTML { return PlainText.render(text, links: links, hiding: hiding) }
    if contentType.hasContentLines { return ContentLines.unfold(text) }
    guard contentType.parameters.octets("format")?.equalsCaseless("flowed") == true else {
      return Overstrike.plain(text)
    }
    let deletesSpace = contentType.parameters.octets("delsp")?.equalsCaseless("yes") == true
    return FlowedText.unflow(text, deletesSpace: deletesSpace)
  }
}

/// What a part is for in its message.
package enum PartRole: Sendable, Hashable {
  /// It holds other parts: a multipart, or a file of Outlook.
  case container
  /// Text to read: text without a name that does not ask to be an attachment, or that asks to be shown.
  case body
  /// Shown within a body that names it by its Content-ID (RFC 2392).
  case inline
  /// A file or message to open or save.
  case attachment
  /// The signature over another part (RFC 1847).
  case signature
}

/// Text of lines that go on in the next one, as in calendars and address cards (RFC 5545 §3.1, RFC 6350 §3.2).
enum ContentLines {
  /// The text with lines made whole and escapes undone: `\n` is a line end, `\,` and `\;` are what they say.
  ///
  /// - Parameter text: with LF line ends.
  /// - Returns: the text as its author meant it.
  static func unfold(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let next = index + 1 < text.count ? text[index + 1] : 0
      switch text[index] {
      case ASCII.lineFeed where next == ASCII.space || next == ASCII.tab: index += 1
      case ASCII.backslash where ASCII.lowercased(next) == UInt8(ascii: "n"):
        result.append(ASCII.lineFeed)
        index += 1
      case ASCII.backslash where escaped.contains(next):
        result.append(next)
        index += 1
      case let octet: result.append(octet)
      }
      index += 1
    }
    return result
  }

  private static let escaped = [ASCII.backslash, ASCII.comma, ASCII.semicolon, ASCII.colon]
}

/// What of a part could not be read.
package enum PartLoss: Sendable, Hashable, Comparable {
  /// Lines that do not decode; so many.
  case lines(Int)
  /// The end is missing.
  case end
  /// Checksums or lengths in it are wrong.
  case damage
  /// Objects that only the program that made them can read; so many.
  case objects(Int)

  static func ofUuencode(_ body: ArraySlice<UInt8>) -> [PartLoss] {
    let lines = Uuencode.blocks(body).first?.damagedLines ?? 0
    return lines > 0 ? [.lines(lines)] : []
  }
}

extension Part {
  /// What of it could not be read; takes the time of decoding it.
  package var losses: [PartLoss] {
    if encoding == .uuencode { return PartLoss.ofUuencode(body) }
    return isTNEF ? TNEFReader.read(decoded).losses : []
  }

  /// Whether it is a file of Outlook, whether it could be opened or not.
  package var isTNEF: Bool { contentType.isTNEF(disposition) }

  /// Whether its parts are not where the message has them, but in octets that were made of it.
  var holdsCopies: Bool {
    kind == .message ? encoding != .identity : isTNEF || isOpenedCMS
  }
}
