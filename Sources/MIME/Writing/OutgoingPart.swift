internal import Octets

/// A part of a message that is being written: its header, and its body as it goes over the wire.
package struct OutgoingPart: Hashable, Sendable {
  /// The fields of its own, `Content-…`.
  let fields: [OutgoingField]

  /// The body.
  let body: [UInt8]

  /// Whether the body has octets above 127, which what holds the part then has to say too.
  let isEightBit: Bool

  /// How many octets it takes in the message, without what separates it from others.
  package var size: Int { fields.reduce(body.count + 1) { $0 + $1.octets.count } }

  private init(
    _ type: [[UInt8]],
    _ body: OutgoingBody,
    more fields: [OutgoingField] = []
  ) {
    let encoding = [UInt8](body.encoding.rawValue.utf8)
    self.fields =
      [
        OutgoingField([UInt8](ascii: "Content-Type"), words: type),
        OutgoingField([UInt8](ascii: "Content-Transfer-Encoding"), words: [encoding]),
      ] + fields
    self.body = body.octets
    isEightBit = body.encoding == .eightBit
  }

  /// The text of the message, in UTF-8; CRLF in it is a line end as LF is, and its last line gets one.
  package static func text(_ text: [UInt8]) -> OutgoingPart {
    var text = LineFeeds.only(text)
    if let last = text.last, last != ASCII.lineFeed { text.append(ASCII.lineFeed) }
    return OutgoingPart(
      [[UInt8](ascii: "text/plain;"), [UInt8](ascii: "charset=utf-8")],
      .text(text)
    )
  }

  /// A file.
  ///
  /// - Parameters:
  ///   - octets: what is in it; a reader gets exactly these.
  ///   - type: its media type, such as `image/png`.
  ///   - name: its name for the reader, in UTF-8; nil for none.
  ///   - contentID: by which HTML shows it within itself; nil for an attachment.
  /// - Returns: the part.
  package static func file(
    _ octets: [UInt8],
    type: FileType,
    name: [UInt8]?,
    contentID: MessageID? = nil
  ) -> OutgoingPart {
    if type == .message { return message(octets, name: name) }
    let body = OutgoingBody.file(octets, isText: type.isText)
    let charset = type.isText ? TextCharset.name(of: octets) : nil
    var words = [type.octets]
    if let charset {
      words = [type.octets + [ASCII.semicolon], [UInt8](ascii: "charset=") + charset]
    }
    var fields = [disposition(name, isInline: contentID != nil)]
    if let contentID {
      fields.append(OutgoingField([UInt8](ascii: "Content-ID"), ids: [contentID]))
    }
    return OutgoingPart(words, body, more: fields)
  }

  /// Another message, whole and as it is; where its octets cannot go over the wire as they are, a file that holds it.
  ///
  /// - Parameters:
  ///   - octets: the message.
  ///   - name: the name of the file, in UTF-8.
  /// - Returns: the part.
  package static func message(_ octets: [UInt8], name: [UInt8]?) -> OutgoingPart {
    guard let body = OutgoingBody.container(LineFeeds.only(octets)) else {
      return file(octets, type: .unknown, name: name)
    }
    return OutgoingPart(
      [[UInt8](ascii: "message/rfc822")],
      body,
      more: [disposition(name, isInline: false)]
    )
  }

  /// A part of another message, as it is there; its encoding changes only where it could not be sent as it is.
  ///
  /// - Returns: nothing where there is nothing to keep, several where a container has to be taken apart.
  package static func kept(_ part: Part, _ decoder: CharsetDecoder) -> [OutgoingPart] {
    if let inside = part.messageInside {
      return [message([UInt8](inside.octets), name: part.fileName(decoder))]
    }
    let fields = part.header.fields.filter { $0.name.startsCaseless(with: "content-") }
    guard fields.allSatisfy({ OutgoingBody.isHeaderLine($0.raw) }) else {
      return [
        file(
          part.decoded,
          type: FileType(part.contentType.octets) ?? .unknown,
          name: part.fileName(decoder),
          contentID: part.contentID
        )
      ]
    }
    if let body = OutgoingBody.container(LineFeeds.only([UInt8](part.body))),
      body.encoding == .sevenBit || part.kind != .leaf
    {
      return [OutgoingPart(kept: fields, encoding: nil, body)]
    }
    guard part.kind == .leaf else { return part.children.flatMap { kept($0, decoder) } }
    return [OutgoingPart(kept: fields, encoding: .base64, .base64(part.decoded))]
  }

  private init(kept: [HeaderField], encoding: OutgoingBody.Encoding?, _ body: OutgoingBody) {
    var fields = kept.filter {
      !$0.isNamed("Content-Length")
        && (encoding == nil || !$0.isNamed("Content-Transfer-Encoding"))
    }.map { OutgoingField(kept: $0) }
    if let encoding {
      let word = [UInt8](encoding.rawValue.utf8)
      fields.append(OutgoingField([UInt8](ascii: "Content-Transfer-Encoding"), words: [word]))
    }
    self.fields = fields
    self.body = body.octets
    isEightBit = body.encoding == .eightBit
  }

  private static func disposition(_ name: [UInt8]?, isInline: Bool) -> OutgoingField {
    let word = [UInt8](ascii: isInline ? "inline" : "attachment")
    let parameters = name.map { OutgoingParameter.words("filename", $0) } ?? []
    return OutgoingField(
      [UInt8](ascii: "Content-Disposition"),
      words: [parameters.isEmpty ? word : word + [ASCII.semicolon]] + parameters
    )
  }
}

/// What a file of text is written in.
enum TextCharset {
  /// The name of the charset; nil where it cannot be told.
  static func name(of octets: [UInt8]) -> [UInt8]? {
    if octets.allSatisfy({ $0 < 0x80 }) { return [UInt8](ascii: "us-ascii") }
    return UTF8Repair.isValid(octets) ? [UInt8](ascii: "utf-8") : nil
  }
}
