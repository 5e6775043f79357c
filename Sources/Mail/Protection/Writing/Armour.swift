internal import Octets

/// One text of OpenPGP in armour, taken apart (RFC 9580 §6.2).
struct Armour {
  enum Kind: CaseIterable {
    case message
    case signature
    case publicKey

    var name: StaticString {
      switch self {
      case .message: "PGP MESSAGE"
      case .signature: "PGP SIGNATURE"
      case .publicKey: "PGP PUBLIC KEY BLOCK"
      }
    }
  }

  let kind: Kind
  /// What is in it.
  let octets: [UInt8]

  /// Nil for anything but one armour in 7 bits, which begins with the first octet and ends with the last line.
  init?(_ text: [UInt8]) {
    guard OctetScan.isASCII(text[...]), text.last == ASCII.lineFeed else { return nil }
    var rest = text.dropLast()
    let first = Self.takeLine(&rest)
    let found = Kind.allCases.first { first.elementsEqual(Self.line("BEGIN ", $0.name)) }
    guard let found else { return nil }
    let end = [ASCII.lineFeed] + Self.line("END ", found.name)
    guard rest.suffix(end.count).elementsEqual(end) else { return nil }
    rest = rest.dropLast(end.count)
    // Fields stand before the first empty line.
    while !rest.isEmpty, !Self.takeLine(&rest).isEmpty {}
    guard let octets = Self.decode(rest) else { return nil }
    (kind, self.octets) = (found, octets)
  }

  /// What the lines hold, line by line: it may be large; nil where it cannot be read.
  private static func decode(_ lines: ArraySlice<UInt8>) -> [UInt8]? {
    var octets: [UInt8] = []
    octets.reserveCapacity(lines.count / 4 * 3)
    var (rest, isAtEnd) = (lines, false)
    while !rest.isEmpty {
      let line = takeLine(&rest)
      // The checksum, on a line of its own.
      if line.first == ASCII.equals { continue }
      guard !isAtEnd, let piece = Base64.decode(line) else { return nil }
      octets += piece
      isAtEnd = line.last == ASCII.equals
    }
    return octets
  }

  private static func takeLine(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let end = OctetScan.firstIndex(of: ASCII.lineFeed, in: rest) ?? rest.endIndex
    defer { rest = rest[end...].dropFirst() }
    return rest[..<end]
  }

  /// Whether it is one signature and nothing else.
  var isOneSignature: Bool {
    var rest = octets[...]
    return kind == .signature && OpenPGPPacket(&rest)?.tag == 2 && rest.isEmpty
  }

  private static func line(_ word: StaticString, _ name: StaticString) -> [UInt8] {
    let dashes = [UInt8](ascii: "-----")
    return dashes + [UInt8](ascii: word) + [UInt8](ascii: name) + dashes
  }
}
