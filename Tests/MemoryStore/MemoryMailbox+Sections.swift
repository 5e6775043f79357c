internal import MIME
internal import MailModel
internal import MailStore

// What a server tells of the parts of a message.
extension MemoryMailbox.Message {
  /// What it is made of.
  var structure: BodyStructure { Self.structure(MIME.Message(octets).root) }

  private static func structure(_ part: Part) -> BodyStructure {
    let content: BodyStructure.Content =
      switch part.kind {
      case .leaf: .leaf
      case .multipart: .parts(part.children.map(structure))
      case .message: part.children.first.map { .message(structure($0)) } ?? .leaf
      }
    let names = [
      part.disposition?.parameters.octets("filename"), part.contentType.parameters.octets("name"),
    ]
    return BodyStructure(
      type: part.contentType.type,
      subtype: part.contentType.subtype,
      size: part.kind == .multipart ? 0 : UInt64(part.body.count),
      disposition: part.disposition.map { Array(($0.isInline ? "inline" : "attachment").utf8) },
      fileNames: names.compactMap { $0 },
      content: content
    )
  }

  /// The sections of it that are asked for, as IMAP names them.
  func sections(_ wanted: [SectionOrder.Section]) -> [[UInt8]: [UInt8]] {
    let message = MIME.Message(octets)
    var found: [[UInt8]: [UInt8]] = [:]
    for section in wanted {
      guard let octets = Self.section(section.name, message) else { continue }
      found[section.name] = Array(octets.dropFirst(section.start).prefix(section.limit))
    }
    return found
  }

  private static func section(_ name: [UInt8], _ message: MIME.Message) -> ArraySlice<UInt8>? {
    if name.elementsEqual("header".utf8) { return header(message.root) }
    let ending = Array(".mime".utf8)
    guard name.suffix(ending.count).elementsEqual(ending) else {
      return MIME.Section(name).flatMap(message.part)?.body
    }
    return MIME.Section(name.dropLast(ending.count)).flatMap(message.part).map(header)
  }

  /// The header with the empty line that ends it.
  private static func header(_ part: Part) -> ArraySlice<UInt8> {
    part.octets[..<part.body.startIndex]
  }
}
