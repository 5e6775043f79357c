internal import MIME
internal import Octets
internal import Protection

/// The pictures of messages that their HTML names by their ids, as far as a page may have them.
struct MessagePictures {
  /// A kind of picture that a page may have, as its first octets tell.
  enum Kind: String, CaseIterable {
    case png, jpeg, gif, webp

    init?(_ octets: [UInt8]) {
      let found = Self.allCases.first { kind in
        switch kind {
        case .png: octets.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        case .jpeg: octets.starts(with: [0xFF, 0xD8, 0xFF])
        case .gif: octets.starts(with: "GIF87a".utf8) || octets.starts(with: "GIF89a".utf8)
        case .webp:
          octets.starts(with: "RIFF".utf8) && octets.dropFirst(8).starts(with: "WEBP".utf8)
        }
      }
      guard let found else { return nil }
      self = found
    }
  }

  /// A picture, or why a page does not have it.
  struct Picture {
    enum Content {
      case shown(Kind, [UInt8])
      case left(String)
    }

    let name: [UInt8]
    let content: Content
  }

  /// Octets of a picture, and of all pictures of a page.
  private static let (limit, allLimit) = (10 << 20, 50 << 20)

  private var room = allLimit

  /// Those of the next message.
  mutating func next(of reading: ProtectionReading, _ decoder: CharsetDecoder) -> [Picture] {
    let parts = reading.message.parts.filter { $0.kind == .leaf && !reading.isHidden($0) }
    let candidates = parts.filter { $0.contentID != nil && !$0.contentType.isText }
    guard !candidates.isEmpty else { return [] }
    let named = parts.filter(\.contentType.isHTML).reduce(into: Set<[UInt8]>()) { found, part in
      found.formUnion(Self.ids(in: part.text(decoder) ?? []))
    }
    var pictures: [Picture] = []
    for part in candidates {
      guard let id = part.contentID, named.contains(id.octets) else { continue }
      let name = part.fileName(decoder) ?? [UInt8](ascii: "a picture")
      pictures.append(Picture(name: name, content: content(part)))
    }
    return pictures
  }

  private mutating func content(_ part: Part) -> Picture.Content {
    let size = part.decodedSize
    if size > Self.limit { return .left("This picture is larger than 10 MB.") }
    if size > room { return .left("The pictures of this page are larger than 50 MB.") }
    let octets = part.decoded
    guard let kind = Kind(octets) else {
      return .left("This is no picture of PNG, JPEG, GIF or WebP.")
    }
    room -= octets.count
    return .shown(kind, octets)
  }

  /// The ids in a text of HTML that stand behind `cid:`.
  private static func ids(in html: [UInt8]) -> Set<[UInt8]> {
    var ids: Set<[UInt8]> = []
    var index = 0
    while index < html.count {
      let colon = OctetScan.index(of: ASCII.colon, in: html, from: index, to: html.count)
      index = colon + 1
      guard colon < html.count, colon >= 3, html[(colon - 3)..<colon].equalsCaseless("cid") else {
        continue
      }
      let word = html[index...].prefix(1000).prefix { octet in
        octet > ASCII.space && !stops.contains(octet)
      }
      ids.insert(PercentEscape.unescape(word) ?? [UInt8](word))
      index = word.endIndex
    }
    return ids
  }

  private static let stops = [UInt8](ascii: "\"'<>)\\")
}
