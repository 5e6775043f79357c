internal import Octets

/// What a partial file tells of a part that is only on the server: enough to find it there, and to know that it is found.
package struct PartPlaceholder: Hashable, Sendable {
  /// Its number in the message.
  package let section: Section
  /// Octets of its body as it is encoded there.
  package let size: UInt64
  /// What its own header says.
  package let facts: PartFacts

  /// What the part of a file tells; nil where it stands for itself, or does not tell enough.
  package init?(_ part: Part) {
    guard let section = part.externalSection.flatMap({ Section($0) }),
      let size = part.externalSize, let external = part.external
    else { return nil }
    self.section = section
    self.size = size
    facts = PartFacts(external.header)
  }

  /// About how many octets it has when it is decoded, never fewer.
  package var contentSize: UInt64 {
    facts.encoding == .base64 ? size / 4 * 3 + 3 : size
  }

  /// Decodes the body; nil where that takes all of it at once.
  package var decoder: PartDecoder? {
    // A message that is encoded may be so in name only, which its first lines show.
    if facts.holdsMessage, facts.encoding != .identity { return nil }
    return PartDecoder(facts.encoding)
  }
}

/// What the header of a part says that the part is known by.
package struct PartFacts: Hashable, Sendable {
  /// How the part of a server differs from the one that is wanted.
  package enum Difference: Hashable, Sendable {
    case type
    case encoding
    case name
    /// Its body has fewer or more octets.
    case size
  }

  /// The media type in small letters, such as `text/plain`.
  package let type: [UInt8]
  /// How its body is written.
  package let encoding: TransferEncoding
  /// The name of the file as Content-Disposition has it; nil where that has none.
  package let fileName: [UInt8]?
  /// The same of Content-Type.
  package let typeName: [UInt8]?
  let holdsMessage: Bool

  /// What a header says.
  init(_ header: Header) {
    let type = header.first("Content-Type").flatMap { ContentType($0.body) } ?? .plainText
    let disposition = header.first("Content-Disposition").flatMap { ContentDisposition($0.body) }
    self.type = type.octets.map { ASCII.lowercased($0) }
    encoding =
      header.first("Content-Transfer-Encoding").map { TransferEncoding($0.body) } ?? .identity
    fileName = disposition?.parameters.octets("filename")
    typeName = type.parameters.octets("name")
    holdsMessage = type.holdsMessage
  }

  /// What the header of a part says, as it came over the wire (`n.MIME`).
  package init(wire octets: [UInt8]) {
    let ended = octets + [ASCII.carriageReturn, ASCII.lineFeed]
    self.init(PartParser(ended, limits: .standard).header(from: 0).header)
  }

  /// How another part differs; nil where it may be the same.
  package func difference(from other: PartFacts) -> Difference? {
    if type != other.type { return .type }
    if encoding != other.encoding { return .encoding }
    return fileName == other.fileName && typeName == other.typeName ? nil : .name
  }
}
