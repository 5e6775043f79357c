internal import Octets

/// The text and the attachments in a file of Outlook, which mail calls winmail.dat (MS-OXTNEF).
///
/// All is bounded by its size: lengths and counts in it hold only as far as there are octets.
struct TNEFReader {
  /// What was found.
  struct Contents {
    /// Text and attachments, each as a part of a message: header, empty line, body.
    fileprivate(set) var entities: [[UInt8]] = []
    /// What is in the file besides.
    fileprivate(set) var losses: [PartLoss] = []
  }

  private struct Attachment {
    var title: ArraySlice<UInt8> = []
    var data: ArraySlice<UInt8>?
    var properties = MAPIProperties()
  }

  /// What each attribute is, without its type.
  private enum Attribute: Int {
    case message = 0x9003
    case body = 0x800C
    case codePage = 0x9007
    case attachmentBegin = 0x9002
    case title = 0x8010
    case data = 0x800F
    case attachment = 0x9005
  }

  private static let signature: [UInt8] = [0x78, 0x9F, 0x3E, 0x22]

  private var reader: LittleEndianReader
  private var properties = MAPIProperties()
  private var body: [UInt8]?
  private var codePage: Int?
  private var attachments: [Attachment] = []
  private var losses: Set<PartLoss> = []

  /// What a file holds; nothing where it is none.
  static func read(_ octets: [UInt8]) -> Contents {
    guard octets.starts(with: signature) else { return Contents() }
    // The signature and a key that nothing needs.
    var reader = TNEFReader(reader: LittleEndianReader(octets.dropFirst(6)))
    reader.readAttributes()
    return reader.contents
  }

  private init(reader: LittleEndianReader) {
    self.reader = reader
  }

  private mutating func readAttributes() {
    while !reader.isAtEnd {
      guard reader.number(1) != nil, let id = reader.number(4), let length = reader.number(4),
        let data = reader.takeOctets(length), let checksum = reader.number(2)
      else {
        losses.insert(.end)
        return
      }
      if data.reduce(0, { $0 &+ UInt16($1) }) != UInt16(checksum) { losses.insert(.damage) }
      if let attribute = Attribute(rawValue: id & 0xFFFF) { applyAttribute(attribute, data) }
    }
  }

  private mutating func applyAttribute(_ attribute: Attribute, _ data: ArraySlice<UInt8>) {
    switch attribute {
    case .message: properties = read(data)
    case .body: body = [UInt8](data.prefix { $0 != 0 })
    case .codePage:
      var reader = LittleEndianReader(data)
      codePage = reader.number(4)
    case .attachmentBegin: attachments.append(Attachment())
    case .title, .data, .attachment:
      if attachments.isEmpty { attachments.append(Attachment()) }
      let last = attachments.count - 1
      switch attribute {
      case .title: attachments[last].title = data.prefix { $0 != 0 }
      case .data: attachments[last].data = data
      default: attachments[last].properties = read(data)
      }
    }
  }

  private mutating func read(_ data: ArraySlice<UInt8>) -> MAPIProperties {
    let properties = MAPIProperties(data)
    if !properties.isWhole { losses.insert(.damage) }
    return properties
  }

  private var charset: String? { codePage.map { "cp\($0)" } }

  // MARK: As parts of a message

  private var contents: Contents {
    var contents = Contents()
    if let text { contents.entities.append(text) }
    var objects = 0
    for attachment in attachments {
      if let entity = entity(attachment) {
        contents.entities.append(entity)
      } else {
        objects += 1
      }
    }
    contents.losses = losses.sorted() + (objects > 0 ? [.objects(objects)] : [])
    return contents
  }

  /// The text in its best rendering: HTML, plain text, rich text.
  private var text: [UInt8]? {
    if let html, !isBlank(html.octets) { return entity(html, type: "text/html") }
    let short = MAPIProperties.Text(octets: body ?? [], charset: charset)
    let plain = properties.text(.body, charset) ?? short
    if !isBlank(plain.octets) { return entity(plain, type: "text/plain") }
    guard let compressed = properties.octets(.compressedRTF),
      let rich = CompressedRTF.decode(compressed)
    else { return nil }
    let page = RichText.html(rich)
    return isBlank(page.octets) ? nil : entity(page, type: "text/html")
  }

  private var html: MAPIProperties.Text? {
    // Text of octets tells its charset itself, unless the message does.
    properties.text(.html, properties.number(.internetCodePage).map { "cp\($0)" })
  }

  private func isBlank(_ text: [UInt8]) -> Bool { text.allSatisfy { $0 <= ASCII.space } }

  private func entity(_ text: MAPIProperties.Text, type: String) -> [UInt8] {
    let charset = text.charset.map { "; charset=\($0)" } ?? ""
    return [UInt8]("Content-Type: \(type)\(charset)\n\n".utf8) + text.octets
  }

  /// Nil for an object that only the program that made it can read.
  private func entity(_ attachment: Attachment) -> [UInt8]? {
    let properties = attachment.properties
    let title = MAPIProperties.Text(octets: [UInt8](attachment.title), charset: charset)
    let names = [
      properties.text(.longFileName, charset), properties.text(.fileName, charset), title,
      properties.text(.displayName, charset),
    ]
    let name = names.lazy.compactMap { $0 }.first { !$0.octets.isEmpty }
    if let inside = properties.object(.data), inside.starts(with: Self.signature) {
      return message(inside, properties.text(.displayName, charset) ?? name)
    }
    guard let data = properties.octets(.data) ?? attachment.data else { return nil }
    return file(data, name, properties)
  }

  private func file(
    _ data: ArraySlice<UInt8>,
    _ name: MAPIProperties.Text?,
    _ properties: MAPIProperties
  ) -> [UInt8] {
    let told = properties.text(.mediaType, nil).flatMap { FileType($0.octets) }
    let plain = told.flatMap { $0.isPlain ? $0 : nil }
    let type = plain ?? name.flatMap { FileType.of(name: $0.octets) } ?? .unknown
    let id = properties.text(.contentID, nil).flatMap { Self.contentID($0.octets) }
    let isPicture = type.octets.starts(with: "image/".utf8)
    var entity = [UInt8](ascii: "Content-Type: ") + type.octets + [ASCII.lineFeed]
    entity.append(ascii: "Content-Disposition: ")
    entity += "\(id != nil && isPicture ? "inline" : "attachment")".utf8
    if let name {
      entity += "; filename*=\(name.charset ?? "")''".utf8
      entity += name.octets.flatMap { [ASCII.percent] + Hex.encode([$0]) }
    }
    entity.append(ASCII.lineFeed)
    if let id {
      entity += [UInt8](ascii: "Content-ID: <") + id + [ASCII.greaterThan, ASCII.lineFeed]
    }
    return entity + [ASCII.lineFeed] + data
  }

  /// A message of which the subject is known, and all else is in a file of its own.
  private func message(_ file: ArraySlice<UInt8>, _ subject: MAPIProperties.Text?) -> [UInt8] {
    var entity = [UInt8](ascii: "Content-Type: message/rfc822\n\n")
    if let subject {
      entity += "Subject: =?\(subject.charset ?? "unknown")?B?".utf8
      entity += Base64.encode(subject.octets) + [ASCII.questionMark, ASCII.equals, ASCII.lineFeed]
    }
    entity.append(ascii: "Content-Type: application/ms-tnef\n\n")
    return entity + file
  }

  private static func contentID(_ octets: [UInt8]) -> [UInt8]? {
    let id = octets.prefix(250).filter {
      $0 > ASCII.space && $0 < ASCII.delete && $0 != ASCII.lessThan && $0 != ASCII.greaterThan
    }
    return id.isEmpty ? nil : id
  }
}

extension ContentType {
  /// Whether it is a file in which Outlook puts the text and the attachments of a message, by its type or its name.
  func isTNEF(_ disposition: ContentDisposition?) -> Bool {
    if isType("application", "ms-tnef") || isType("application", "vnd.ms-tnef") { return true }
    guard isType("application", "octet-stream") else { return false }
    let names = [parameters.octets("name"), disposition?.parameters.octets("filename")]
    return names.contains { $0?.equalsCaseless("winmail.dat") == true }
  }
}

/// Reads numbers of which the lowest octet comes first, and never more than there is.
struct LittleEndianReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ octets: ArraySlice<UInt8>) {
    rest = octets
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// The next number of that many octets, at most 4; nil where there are fewer.
  mutating func number(_ count: Int) -> Int? {
    takeOctets(count)?.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// The next octets; nil where there are fewer.
  mutating func takeOctets(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, rest.count >= count else { return nil }
    let taken = rest.prefix(count)
    rest = rest.dropFirst(count)
    return taken
  }

  /// The next octets, and those that fill them up to a multiple of four, which may be missing at the end.
  mutating func takePadded(_ count: Int) -> ArraySlice<UInt8>? {
    guard let taken = takeOctets(count) else { return nil }
    _ = takeOctets(min(-count & 3, rest.count))
    return taken
  }
}
