package import MailModel
internal import Octets

/// How a large message is mirrored without its attachments: what of it is fetched, and the file that is made of that.
///
/// The file has every field of the header, the boundaries, the containers, the texts and what is small, whole and as it is
/// encoded. Each other part is a `message/external-body` (RFC 2046 §5.2.3) with the part's own header, which other programs show as such. A
/// pure function of what the server tells.
package struct PartialPlan: Sendable {
  /// A section that is to be fetched, and how many octets of it at most: as many are too many.
  package struct Wanted: Hashable, Sendable {
    /// Its name in small letters, such as `1`, `1.2.mime` or `header`.
    package let section: [UInt8]
    /// Octets.
    package let limit: Int
  }

  /// A text above so many octets stays on the server like an attachment: it is never cut, since base64, quoted-printable
  /// and patches would break.
  package static let textLimit: UInt64 = 256 << 10
  /// A part of up to so many octets is fetched: reports, invitations and cards cost little and are needed offline.
  package static let smallLimit: UInt64 = 16 << 10
  /// A message with more octets than this that are in no part of the structure is fetched whole: a server may have passed
  /// over parts, while what stands before and behind parts is short.
  private static let untoldLimit: UInt64 = 4 << 10
  /// A message with a longer header is fetched whole, in octets.
  package static let headerLimit = 256 << 10
  /// The same of a part.
  package static let partHeaderLimit = 16 << 10
  /// A message with more octets of texts and small parts is fetched whole: what is fetched of one is in memory.
  package static let keptLimit: UInt64 = 8 << 20

  private indirect enum Node: Sendable {
    /// A multipart; its section is nil for the whole body of the message.
    case container(Section?, [Node])
    /// What is fetched.
    case kept(Section, isText: Bool, size: UInt64)
    /// What stays on the server.
    case left(Section, size: UInt64)
  }

  /// What the file may be made of, the best first: servers may give of small parts other octets than the structure says.
  private let roots: [Node]
  private let size: UInt64
  /// Octets of all texts and small parts.
  package let keptSize: UInt64
  /// What is to be fetched of it.
  package let wanted: [Wanted]

  /// The plan for a message of that structure and RFC822.SIZE; nil where it is mirrored whole.
  package init?(_ structure: BodyStructure, size: UInt64) {
    guard PartialRules.allow(structure), case .parts(let parts) = structure.content else {
      return nil
    }
    let roots = [Self.smallLimit, 0].map { limit in
      Node.container(nil, Self.nodes(parts, above: [], small: limit))
    }
    // What is left has to be worth it, before anything is asked for.
    self.roots = roots.filter { root in
      Self.isLeft(root) && Self.keptSize(of: root) <= min(size / 2, Self.keptLimit)
    }
    guard let root = self.roots.first else { return nil }
    self.size = size
    keptSize = Self.keptSize(of: root)
    wanted = Self.wanted(root)
  }

  // MARK: The tree

  private static func nodes(_ parts: [BodyStructure], above: [Int], small: UInt64) -> [Node] {
    parts.enumerated().map { node($1, Section(numbers: above + [$0 + 1]), small) }
  }

  private static func node(_ part: BodyStructure, _ section: Section, _ small: UInt64) -> Node {
    if case .parts(let parts) = part.content {
      return .container(section, nodes(parts, above: section.numbers, small: small))
    }
    let isText =
      part.type.equalsCaseless("text") && part.disposition?.equalsCaseless("attachment") != true
      && part.size <= textLimit
    // Of a message inside servers give the octets in different ways.
    let isSmall = part.content == .leaf && part.size <= small && small > 0
    guard isText || isSmall else { return .left(section, size: part.size) }
    return .kept(section, isText: isText, size: part.size)
  }

  private static func keptSize(of node: Node) -> UInt64 {
    switch node {
    case .container(_, let nodes): nodes.reduce(0) { $0 + keptSize(of: $1) }
    case .kept(_, _, let size): size
    case .left: 0
    }
  }

  private static func leftSize(of node: Node) -> UInt64 {
    switch node {
    case .container(_, let nodes): nodes.reduce(0) { $0 + min(leftSize(of: $1), 1 << 50) }
    case .kept: 0
    case .left(_, let size): size
    }
  }

  private static func isLeft(_ node: Node) -> Bool {
    switch node {
    case .container(_, let nodes): nodes.contains(where: isLeft)
    case .kept: false
    case .left: true
    }
  }

  private static func wanted(_ node: Node) -> [Wanted] {
    switch node {
    case .container(nil, let nodes):
      [Wanted(section: [UInt8](ascii: "header"), limit: headerLimit)] + nodes.flatMap(wanted)
    case .container(let section?, let nodes): [header(of: section)] + nodes.flatMap(wanted)
    case .kept(let section, _, let size):
      [header(of: section), Wanted(section: name(section), limit: Int(size) + 1)]
    case .left(let section, _): [header(of: section)]
    }
  }

  private static func name(_ section: Section) -> [UInt8] { [UInt8](section.description.utf8) }

  private static func headerName(_ section: Section) -> [UInt8] {
    name(section) + [UInt8](ascii: ".mime")
  }

  private static func header(of section: Section) -> Wanted {
    Wanted(section: headerName(section), limit: partHeaderLimit)
  }

  // MARK: The file

  /// The file with CRLF line ends, the value of its field first; nil where the sections are not as the structure says, so
  /// that the message is fetched whole.
  package func file(
    _ sections: [[UInt8]: [UInt8]],
    mark: [UInt8]
  ) -> [UInt8]? {
    roots.lazy.compactMap { file(of: $0, sections, mark: mark) }.first
  }

  private func file(
    of root: Node,
    _ sections: [[UInt8]: [UInt8]],
    mark: [UInt8]
  ) -> [UInt8]? {
    guard Self.wanted(root).allSatisfy({ $0.isWhole(in: sections) }),
      let header = sections[[UInt8](ascii: "header")].map(Self.withEmptyLine)
    else { return nil }
    let fields = PartParser(header, limits: .standard).header(from: 0).header
    guard fields.first(PartialMark.field) == nil, let boundary = Self.boundary(fields) else {
      return nil
    }
    var message = header
    guard case .container(_, let nodes) = root,
      Self.write(nodes, [boundary], sections, to: &message),
      size <= UInt64(message.count) + Self.leftSize(of: root) + Self.untoldLimit
    else { return nil }
    let file = PartialMark.fieldOctets(mark) + message
    guard file.count <= size / 2, Self.is(Message(file, isPartialFile: true).root, root),
      Self.isKnown(message)
    else {
      return nil
    }
    return file
  }

  /// Whether the file has marks also where a program took our field off, so that its record is looked at.
  private static func isKnown(_ message: [UInt8]) -> Bool {
    let stored = message.filter { $0 != ASCII.carriageReturn }
    return PartialDetector.marks(in: message).hasPlaceholder
      && PartialDetector.marks(in: stored).hasPlaceholder
  }

  private static func boundary(_ header: Header) -> [UInt8]? {
    let type = header.first("Content-Type").flatMap { ContentType($0.body) }
    guard let type, type.isType("multipart"), let boundary = type.boundary,
      boundary.count <= PartialDetector.boundaryLimit
    else { return nil }
    return boundary
  }

  /// A header with the empty line that ends it.
  private static func withEmptyLine(_ header: [UInt8]) -> [UInt8] {
    if header.isEmpty || header == crlf || header == [ASCII.lineFeed] { return crlf }
    if header.suffix(4).elementsEqual(crlf + crlf) { return header }
    return header.last == ASCII.lineFeed ? header + crlf : header + crlf + crlf
  }

  private static let crlf: [UInt8] = [ASCII.carriageReturn, ASCII.lineFeed]

  /// Writes parts between the last of the boundaries; those before it are of the containers around them.
  private static func write(
    _ nodes: [Node],
    _ boundaries: [[UInt8]],
    _ sections: [[UInt8]: [UInt8]],
    to file: inout [UInt8]
  ) -> Bool {
    let delimiter = [UInt8](ascii: "--") + (boundaries.last ?? [])
    for node in nodes {
      file += delimiter + crlf
      guard write(node, boundaries, sections, to: &file) else { return false }
      file += crlf
    }
    file += delimiter + [UInt8](ascii: "--") + crlf
    return true
  }

  private static func write(
    _ node: Node,
    _ boundaries: [[UInt8]],
    _ sections: [[UInt8]: [UInt8]],
    to file: inout [UInt8]
  ) -> Bool {
    let section: Section
    switch node {
    case .container(let own?, _), .kept(let own, _, _), .left(let own, _): section = own
    case .container(nil, _): return false
    }
    guard let header = sections[headerName(section)].map(withEmptyLine) else { return false }
    switch node {
    case .container(_, let nodes):
      let fields = PartParser(header, limits: .standard).header(from: 0).header
      // The end of a container with the boundary of one around it ends both to some servers, which tell no part behind it.
      guard let boundary = boundary(fields), !boundaries.contains(boundary) else { return false }
      file += header
      return write(nodes, boundaries + [boundary], sections, to: &file)
    case .kept:
      file += header + (sections[name(section)] ?? [])
    case .left(_, let size):
      file += placeholder(section, size) + header
    }
    return true
  }

  /// The header of what stands in place of a part.
  private static func placeholder(_ section: Section, _ size: UInt64) -> [UInt8] {
    [UInt8](ascii: "Content-Type: message/external-body; access-type=\"x-magnum\"; section=\"")
      + name(section) + [UInt8](ascii: "\"; size=\"") + [UInt8](decimal: size)
      + [UInt8](ascii: "\"") + crlf + crlf
  }

  // MARK: The proof

  /// Whether the file, taken apart, is what the structure says: a text may hold a line that looks like a boundary.
  private static func `is`(_ part: Part, _ node: Node) -> Bool {
    switch node {
    case .container(_, let nodes):
      part.kind == .multipart && part.children.count == nodes.count
        && zip(part.children, nodes).allSatisfy { `is`($0, $1) }
    case .kept(let section, let isText, let size):
      part.kind == .leaf && part.section == section && UInt64(part.body.count) == size
        && (part.contentType.isType("text") || !isText) && part.externalSection == nil
    case .left(let section, _):
      part.kind == .leaf && part.section == section && part.externalSection == name(section)
    }
  }
}

extension PartialPlan.Wanted {
  /// Whether the section is there and was not cut, not even in the midst of a line end.
  fileprivate func isWhole(in sections: [[UInt8]: [UInt8]]) -> Bool {
    sections[section].map { $0.count < limit && $0.last != ASCII.carriageReturn } ?? false
  }
}
