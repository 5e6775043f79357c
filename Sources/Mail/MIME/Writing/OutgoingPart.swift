package import Octets

/// A part of a message that is being written: its header, and its body as it goes over the wire.
package struct OutgoingPart: Sendable {
  /// The fields of its own, `Content-…`.
  private(set) var fields: [OutgoingField]

  /// The body; a large one is read, and encoded, only as it is written.
  let body: any OctetSource

  /// Whether a line of the body may begin as a boundary does: quoted-printable has no `=_` in it, and base64 no `_`.
  let canHoldBoundary: Bool

  /// Whether the body has octets above 127, which what holds the part then has to say too.
  let isEightBit: Bool

  /// How many octets it takes in the message, without what separates it from others.
  package var size: Int { fields.reduce(body.count + 1) { $0 + $1.octets.count } }

  /// The words of its Content-Type; nil where that is as it was in another message.
  private let type: [[UInt8]]?

  /// The parts that it is made of; nil for a part that is not divided here.
  private(set) var group: OutgoingMultipart?

  /// Parts that are one part together.
  init(_ group: OutgoingMultipart) throws(SourceError) {
    let boundary = try group.boundary()
    type = group.type(boundary)
    fields = group.fields(boundary)
    var octets = JoinedOctets()
    group.write(to: &octets, boundary)
    body = octets
    isEightBit = group.isEightBit
    canHoldBoundary = true
    self.group = group
  }

  private init(
    _ type: [[UInt8]],
    _ body: OutgoingBody,
    more fields: [OutgoingField] = []
  ) {
    self.type = type
    self.fields =
      [
        OutgoingField([UInt8](ascii: "Content-Type"), words: type),
        Self.encodingField(body.encoding),
      ] + fields
    self.body = body.octets
    isEightBit = body.encoding == .eightBit
    canHoldBoundary = body.encoding == .sevenBit || body.encoding == .eightBit
  }

  /// The text of the message, in UTF-8; CRLF in it is a line end as LF is, and its last line gets one.
  package static func text(_ text: [UInt8]) -> OutgoingPart { lines(text, "text/plain;") }

  /// The text of the message as HTML, in UTF-8, with line ends as those of `text`.
  static func html(_ html: [UInt8]) -> OutgoingPart { lines(html, "text/html;") }

  private static func lines(_ text: [UInt8], _ type: StaticString) -> OutgoingPart {
    var text = LineFeeds.only(text)
    if let last = text.last, last != ASCII.lineFeed { text.append(ASCII.lineFeed) }
    return OutgoingPart([[UInt8](ascii: type), [UInt8](ascii: "charset=utf-8")], .text(text))
  }

  /// By which HTML shows it; nil where it has no Content-ID.
  package var contentID: MessageID? {
    let field = fields.first { $0.name.equalsCaseless("Content-ID") }
    return field.flatMap { MessageID([UInt8]($0.octets.dropFirst($0.name.count + 1))) }
  }

  /// A calendar in UTF-8 with a method, which the header must name too (RFC 6047 §2.4).
  package static func calendar(_ text: [UInt8], method: StaticString) -> OutgoingPart {
    OutgoingPart(
      [
        [UInt8](ascii: "text/calendar;"), [UInt8]("method=\(method);".utf8),
        [UInt8](ascii: "charset=UTF-8"),
      ],
      .text(LineFeeds.only(text))
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
  /// - Throws: `SourceError` where the file cannot be read.
  package static func file(
    _ octets: any OctetSource,
    type: FileType,
    name: [UInt8]?,
    contentID: MessageID? = nil
  ) throws(SourceError) -> OutgoingPart {
    if type == .message { return try message(octets, name: name) }
    let facts = type.isText ? try TextFacts(octets) : nil
    let body = OutgoingBody.file(octets, facts)
    let charset = facts.flatMap { $0.charset }
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
  /// - Throws: `SourceError` where the message cannot be read.
  package static func message(
    _ octets: any OctetSource,
    name: [UInt8]?
  ) throws(SourceError) -> OutgoingPart {
    guard let body = try OutgoingBody.container(try LineFeeds.only(octets)) else {
      return try file(octets, type: .unknown, name: name)
    }
    return OutgoingPart(
      [[UInt8](ascii: "message/rfc822")],
      body,
      more: [disposition(name, isInline: false)]
    )
  }

  /// A part of another message, as it is there; its encoding changes only where it could not be sent as it is.
  ///
  /// - Parameters:
  ///   - part: the part.
  ///   - message: the message that it is of.
  ///   - decoder: for names.
  /// - Returns: nothing where there is nothing to keep, several where a container has to be taken apart.
  /// - Throws: `SourceError` where the message cannot be read.
  package static func kept(
    _ part: Part,
    of message: StreamedMessage,
    _ decoder: CharsetDecoder
  ) throws(SourceError) -> [OutgoingPart] {
    if part.messageInside != nil {
      return [try self.message(try message.content(of: part), name: part.fileName(decoder))]
    }
    let fields = part.header.fields.filter { $0.name.startsCaseless(with: "content-") }
    guard fields.allSatisfy({ OutgoingBody.isHeaderLine($0.raw) }) else {
      return [
        try file(
          try message.decoded(part),
          type: FileType(part.contentType.octets) ?? .unknown,
          name: part.fileName(decoder),
          contentID: part.contentID
        )
      ]
    }
    let body = try LineFeeds.only(message.body(of: part))
    if let body = try OutgoingBody.container(body),
      body.encoding == .sevenBit || part.kind != .leaf
    {
      return [OutgoingPart(kept: fields, encoding: nil, body)]
    }
    guard part.kind == .leaf else {
      var parts: [OutgoingPart] = []
      for child in part.children { parts += try kept(child, of: message, decoder) }
      return parts
    }
    return [OutgoingPart(kept: fields, encoding: .base64, try base64(part, of: message))]
  }

  /// What is in a part in base64, which is not undone where it is base64 already.
  private static func base64(
    _ part: Part,
    of message: StreamedMessage
  ) throws(SourceError) -> OutgoingBody {
    let octets = message.body(of: part)
    guard part.encoding == .base64, try Base64Check.isClean(octets) else {
      return .base64(try message.decoded(part))
    }
    let lines = try ConvertedOctets(octets, Base64Rewrapper(keepsBlankEnd: false))
    return OutgoingBody(encoding: .base64, octets: lines)
  }

  private init(kept: [HeaderField], encoding: OutgoingBody.Encoding?, _ body: OutgoingBody) {
    var fields = kept.filter {
      !$0.isNamed("Content-Length")
        && (encoding == nil || !$0.isNamed("Content-Transfer-Encoding"))
    }.map { OutgoingField(kept: $0) }
    if let encoding { fields.append(Self.encodingField(encoding)) }
    self.init(kept: fields, body)
  }

  private init(kept fields: [OutgoingField], _ body: OutgoingBody) {
    type = nil
    self.fields = fields
    self.body = body.octets
    isEightBit = body.encoding == .eightBit
    canHoldBoundary = body.encoding == .sevenBit || body.encoding == .eightBit
  }

  /// The same part with its octets in another encoding.
  func reencoded(_ body: OutgoingBody) -> OutgoingPart {
    let others = fields.filter { !$0.name.equalsCaseless("Content-Transfer-Encoding") }
    guard let type else {
      return OutgoingPart(kept: others + [Self.encodingField(body.encoding)], body)
    }
    return OutgoingPart(type, body, more: others.filter { !$0.name.equalsCaseless("Content-Type") })
  }

  /// The same part with more parameters of its Content-Type; nil where that is as it was in another message.
  func adding(_ parameters: [[UInt8]]) -> OutgoingPart? {
    guard let type, let last = type.last else { return nil }
    let words = type.dropLast() + ([last] + parameters.dropLast()).map { $0 + [ASCII.semicolon] }
    var result = self
    result.fields[0] = OutgoingField(
      [UInt8](ascii: "Content-Type"),
      words: words + parameters.suffix(1)
    )
    return result
  }

  private static func encodingField(_ encoding: OutgoingBody.Encoding) -> OutgoingField {
    OutgoingField(
      [UInt8](ascii: "Content-Transfer-Encoding"),
      words: [[UInt8](encoding.rawValue.utf8)]
    )
  }

  private static func disposition(_ name: [UInt8]?, isInline: Bool) -> OutgoingField {
    let word = [UInt8](ascii: isInline ? "inline" : "attachment")
    let parameters = name.map { OutgoingParameter.words([UInt8](ascii: "filename"), $0) } ?? []
    return OutgoingField(
      [UInt8](ascii: "Content-Disposition"),
      words: [parameters.isEmpty ? word : word + [ASCII.semicolon]] + parameters
    )
  }
}

extension TextFacts {
  /// The charset of a text; nil where it cannot be told.
  fileprivate var charset: [UInt8]? {
    if isASCII { return [UInt8](ascii: "us-ascii") }
    return isUTF8 ? [UInt8](ascii: "utf-8") : nil
  }
}
