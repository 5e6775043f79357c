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
    var lines = text.dropLast().split(
      separator: ASCII.lineFeed,
      omittingEmptySubsequences: false
    )[...]
    let first = lines.popFirst() ?? []
    let found = Kind.allCases.first { first.elementsEqual(Self.line("BEGIN ", $0.name)) }
    guard let found, lines.popLast()?.elementsEqual(Self.line("END ", found.name)) == true else {
      return nil
    }
    // Fields stand before the first empty line.
    let data = lines.drop { !$0.isEmpty }.dropFirst()
    let digits = data.filter { $0.first != ASCII.equals }
    guard let octets = Base64.decode([UInt8](digits.joined())) else { return nil }
    (kind, self.octets) = (found, octets)
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
