/// Writes files of Outlook (MS-OXTNEF §2.1).
package struct TNEFWriter {
  /// A property by its id, of text or of octets.
  package enum Property {
    case unicode(Int, String)
    case octets(Int, [UInt8], type: Int = 0x102)
  }

  /// The file.
  package private(set) var octets: [UInt8] = [0x78, 0x9F, 0x3E, 0x22, 1, 0]

  package init() {}

  /// Adds an attribute: 1 is the level of the message, 2 that of the attachment that was begun last.
  package mutating func add(_ attribute: Int, _ data: [UInt8], level: UInt8 = 1) {
    let sum = data.reduce(0) { ($0 + Int($1)) & 0xFFFF }
    octets += [level] + Self.number(attribute, 4) + Self.number(data.count, 4) + data
    octets += Self.number(sum, 2)
  }

  /// Begins an attachment.
  package mutating func beginAttachment() {
    add(0x9002, [UInt8](repeating: 0, count: 14), level: 2)
  }

  /// The value of an attribute that holds properties.
  package static func properties(_ properties: [Property]) -> [UInt8] {
    number(properties.count, 4)
      + properties.flatMap { property -> [UInt8] in
        switch property {
        case .unicode(let id, let text):
          value(id, text.utf16.flatMap { number(Int($0), 2) } + [0, 0], type: 0x1F)
        case .octets(let id, let octets, let type): value(id, octets, type: type)
        }
      }
  }

  private static func value(_ id: Int, _ octets: [UInt8], type: Int) -> [UInt8] {
    number(type, 2) + number(id, 2) + number(1, 4) + number(octets.count, 4) + octets
      + [UInt8](repeating: 0, count: -octets.count & 3)
  }

  /// Rich text in the form that is not compressed.
  package static func uncompressed(_ text: String) -> [UInt8] {
    number(text.utf8.count + 12, 4) + number(text.utf8.count, 4) + number(0x414C_454D, 4)
      + number(0, 4) + text.utf8
  }

  private static func number(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
