internal import Octets

/// What the field `X-Magnum-Partial` of a partial file says: which message it is of, sealed by its writer.
///
/// A field whose seal is not right is ordinary content of a message: `PartialFiles` decides.
package struct PartialMark: Hashable, Sendable {
  /// The name of the field.
  package static let field: StaticString = "X-Magnum-Partial"

  /// RFC822.SIZE of the whole message, in octets.
  package let size: UInt64
  /// A name that means nothing to others, in letters and digits.
  package let name: [UInt8]
  /// The seal of both and of the Message-ID, in hexadecimal digits.
  package let seal: [UInt8]

  package init(size: UInt64, name: [UInt8], seal: [UInt8]) {
    self.size = size
    self.name = name
    self.seal = seal
  }

  /// The mark that the value of the field is; nil where it is none.
  package init?(_ value: [UInt8]) {
    let words = value.split(separator: ASCII.space)
    guard words.count == 3, words[2].count == 32,
      words.dropFirst().allSatisfy({ $0.allSatisfy(Self.isWordOctet) })
    else { return nil }
    var cursor = Cursor([UInt8](words[0]))
    guard let size = cursor.decimal(), cursor.isAtEnd else { return nil }
    self.init(size: size, name: [UInt8](words[1]), seal: [UInt8](words[2]))
  }

  /// The value of the field.
  package var value: [UInt8] {
    [UInt8](decimal: size) + [ASCII.space] + name + [ASCII.space] + seal
  }

  private static func isWordOctet(_ octet: UInt8) -> Bool {
    ASCII.isDigit(octet) || ASCII.lowercased(octet) &- UInt8(ascii: "a") < 26
  }

  /// The field with that value, for the top of a file with CRLF line ends.
  static func fieldOctets(_ value: [UInt8]) -> [UInt8] {
    [UInt8](ascii: field) + [UInt8](ascii: ": ") + value
      + [ASCII.carriageReturn, ASCII.lineFeed]
  }
}

extension Part {
  /// The section of the message on the server that the part stands for in a partial file; nil where it stands for itself.
  package var externalSection: [UInt8]? {
    isPlaceholder ? contentType.parameters.octets("section") : nil
  }

  /// The part on the server that it stands for, as far as it is here: its own header, without a body; nil where it stands
  /// for itself.
  package var external: Part? {
    externalSection == nil ? nil : Message([UInt8](body)).root
  }

  /// Octets of the body of that part as it is encoded there; nil where they are not told.
  package var externalSize: UInt64? {
    guard externalSection != nil, let size = contentType.parameters.octets("size") else {
      return nil
    }
    var cursor = Cursor(size)
    return cursor.decimal()
  }
}

extension ContentType {
  /// Whether a part of the type stands for one that lies on the server, if it is in a partial file.
  var isPartialPlaceholder: Bool {
    isType("message", "external-body")
      && parameters.octets("access-type")?.equalsCaseless("x-magnum") == true
  }
}

/// What the octets of a message have that a partial file has.
///
/// Anybody can write it into a message: it decides nothing by itself.
package struct PartialMarks: Hashable, Sendable {
  /// A field X-Magnum-Partial that can be read.
  package struct Field: Hashable, Sendable {
    /// What it says.
    package let mark: PartialMark
    /// The Message-ID in the same header, with its angle brackets; nil where there is none.
    package let messageID: [UInt8]?
    /// Whether it stands in a message inside, and not in the header of the message itself.
    package let isInside: Bool
  }

  /// The fields, that of the message itself first.
  package internal(set) var fields: [Field] = []
  /// Whether a part, at any depth, has the form of one that stands for another on the server.
  package internal(set) var hasPlaceholder = false

  /// None.
  package init() {}

  /// Whether there are none, so that the message cannot be a partial file.
  package var isEmpty: Bool { fields.isEmpty && !hasPlaceholder }
}
