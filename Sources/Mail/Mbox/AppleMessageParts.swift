package import MIME
internal import Octets

/// A message of Apple's Mail whose attachments are files of their own: `N.partial.emlx` beside `Attachments/N`.
///
/// Such an attachment has a header with X-Apple-Content-Length and an empty body in the message.
package struct AppleMessageParts: Sendable {
  /// An attachment that belongs into the message.
  package struct Attachment: Hashable, Sendable {
    /// The number of its part, which is the name of the directory of its file, such as `2.1`.
    package let section: [UInt8]
    /// How it is written in the message.
    package let encoding: TransferEncoding
    /// Octets that it had there.
    package let length: Int

    /// Whether it can be that file of so many octets, which is as long as it was when it is written in its encoding.
    package func canBe(fileOf size: Int) -> Bool {
      switch encoding {
      case .base64:
        // Lines may be of any length.
        let digits = (size + 2) / 3 * 4
        return (digits...(digits + digits / 10 + 16)).contains(length)
      case .identity:
        // A line end may have been two octets.
        return (size...(2 * size + 2)).contains(length)
      case .quotedPrintable: return (size...(4 * size + 16)).contains(length)
      case .uuencode: return false
      }
    }
  }

  /// What the message consists of, in order.
  package enum Piece: Hashable, Sendable {
    case octets([UInt8])
    case attachment(Attachment)
  }

  package let pieces: [Piece]

  private static let headerEnd = [ASCII.lineFeed, ASCII.lineFeed]

  /// Finds where attachments are missing in a message; nil where none is, or it cannot be told where they belong.
  package init?(_ octets: [UInt8]) {
    let lines = LineFeeds.only(octets)
    var pieces: [Piece] = []
    var position = 0
    for part in Message(lines).parts where part.kind == .leaf {
      guard let field = part.header.first("X-Apple-Content-Length") else { continue }
      guard part.body.allSatisfy({ $0 <= ASCII.space }) else { continue }
      guard let attachment = Self.attachment(part, field), field.raw.startIndex >= position,
        // An empty line ends its header.
        part.body.startIndex >= 2,
        lines[(part.body.startIndex - 2)..<part.body.startIndex].elementsEqual(Self.headerEnd)
      else { return nil }
      pieces.append(.octets([UInt8](lines[position..<field.raw.startIndex])))
      pieces.append(.octets([UInt8](lines[field.raw.endIndex..<part.body.startIndex])))
      pieces.append(.attachment(attachment))
      position = part.body.endIndex
      // A line end belongs to the boundary behind it.
      if position < lines.count, lines[position] != ASCII.lineFeed {
        pieces.append(.octets([ASCII.lineFeed]))
      }
    }
    guard position > 0 else { return nil }
    pieces.append(.octets([UInt8](lines[position...])))
    self.pieces = pieces
  }

  private static func attachment(_ part: Part, _ field: HeaderField) -> Attachment? {
    let digits = field.body.filter { $0 > ASCII.space }
    guard let section = part.section, (1...10).contains(digits.count),
      digits.allSatisfy(ASCII.isDigit)
    else { return nil }
    return Attachment(
      section: [UInt8](section.description.utf8),
      encoding: part.encoding,
      length: digits.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
    )
  }
}
