internal import MIME
internal import Octets
internal import Hashing

/// What a fetched attachment is known by: the message, the part of it, and what the part says of itself.
///
/// A file that says anything else of the part has another key, so that nothing else can be taken for it.
struct AttachmentKey: Hashable, Sendable {
  /// The name of its file in the cache: digits that tell nothing of the mail.
  let name: [UInt8]

  /// The key of a part of the message whose partial file has that opaque name, which no other message has.
  init(message: [UInt8], _ part: PartPlaceholder) {
    let facts: [[UInt8]] = [
      [UInt8](ascii: "1"), message, Array(part.section.description.utf8),
      [UInt8](decimal: part.size),
      part.facts.type, Array("\(part.facts.encoding)".utf8), Self.octets(part.facts.fileName),
      Self.octets(part.facts.typeName),
    ]
    // Lengths keep the end of one from being taken for the beginning of the next.
    let text = facts.flatMap { [UInt8](decimal: $0.count) + [ASCII.colon] + $0 }
    name = Hex.encode(Hashes.sha256(text))
  }

  /// A name, told from none.
  private static func octets(_ name: [UInt8]?) -> [UInt8] { name.map { [ASCII.equals] + $0 } ?? [] }

  /// Octets of the name of each key.
  static let length = 2 * SHA256.length

  /// Whether a file of the cache is called as one of a key is.
  static func isName(_ name: some Collection<UInt8>) -> Bool {
    name.count == length && Hex.decode(name) != nil
  }
}
