internal import MIME
internal import Octets
package import Platform
internal import Hashing

/// What a server that rewrites messages leaves of one: the fields that people write, and the body without the lines between its
/// parts.
///
/// Exchange sorts the fields, adds some, and gives parts another boundary.
package struct EssentialContent: Hashable, Sendable {
  /// Fields that people write, or by which answers are found.
  private static let names: [StaticString] = [
    "Message-ID:", "From:", "To:", "Cc:", "Bcc:", "Date:", "Subject:", "In-Reply-To:",
    "References:",
  ]
  /// Octets of a file that are read at once.
  private static let runLength = 64 << 10

  private let fields: [UInt8]
  private let body: [UInt8]

  fileprivate init(fields: [UInt8], body: [UInt8]) {
    (self.fields, self.body) = (fields, body)
  }

  /// Reads a message file; nil when there is none of that name.
  package init?(of path: Path) throws(SystemError) {
    guard let file = try FileSystem.openIfPresent(path) else { return nil }
    let reader = WireContentReader()
    while true {
      let run = try file.read(atMost: Self.runLength)
      if run.isEmpty { break }
      reader.readOctets(run[...])
    }
    guard let essential = reader.finish().essential else { return nil }
    self = essential
  }

  /// Gathers it while the octets of a message pass by, without CR.
  struct Reader: ~Copyable {
    /// Longer lines stand between no parts.
    private static let lineLimit = 1000
    private static let boundary: StaticString = "boundary="
    private static let dash = UInt8(ascii: "-")

    private var fields: [UInt8] = []
    private var hash = SHA256()
    private var line: [UInt8] = []
    private var isLong = false
    /// Line ends that count only where something follows.
    private var lineEnds = 0

    /// Takes the header, which has LF line ends.
    mutating func takeHeader(_ header: ArraySlice<UInt8>) {
      var text: [UInt8] = []
      for name in EssentialContent.names {
        text += Self.words(HeaderSearch.value(name, in: header) ?? []) + [ASCII.lineFeed]
      }
      fields = Hashes.sha256(text)
    }

    /// Takes the next octets of the body.
    mutating func takeBody(_ octets: some Sequence<UInt8>) {
      for octet in octets {
        guard octet == ASCII.lineFeed else {
          line.append(octet)
          if line.count > Self.lineLimit { flush(isLong: true) }
          continue
        }
        flush(isLong: false)
        lineEnds += 1
      }
    }

    /// What was taken.
    mutating func finish() -> EssentialContent {
      flush(isLong: false)
      return EssentialContent(fields: fields, body: hash.copy().finish())
    }

    private mutating func flush(isLong: Bool) {
      defer { (line, self.isLong) = ([], isLong) }
      guard !line.isEmpty, self.isLong || isLong || !Self.isBetweenParts(line[...]) else { return }
      hash.update([UInt8](repeating: ASCII.lineFeed, count: lineEnds))
      hash.update(line)
      lineEnds = 0
    }

    /// Whether the line parts the message, or names what does.
    private static func isBetweenParts(_ line: ArraySlice<UInt8>) -> Bool {
      let isDelimiter =
        line.count > 2 && line[0] == dash && line[1] == dash
        && line[2] != ASCII.space
      return isDelimiter || line.indices.contains { line[$0...].startsCaseless(with: boundary) }
    }

    /// The words with one space between any two: a server may fold lines elsewhere.
    private static func words(_ value: [UInt8]) -> [UInt8] {
      let parts = value.split { $0 == ASCII.space || $0 == ASCII.tab }
      return Array(parts.joined(separator: [ASCII.space]))
    }
  }
}
