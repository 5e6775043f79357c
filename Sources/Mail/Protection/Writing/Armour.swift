internal import Octets

/// One text of OpenPGP in armour, read line by line: it may be large (RFC 9580 §6.2).
struct Armour {
  enum Kind: CaseIterable {
    case message
    case signature
    case publicKey

    fileprivate var name: StaticString {
      switch self {
      case .message: "PGP MESSAGE"
      case .signature: "PGP SIGNATURE"
      case .publicKey: "PGP PUBLIC KEY BLOCK"
      }
    }
  }

  /// Where reading is.
  private enum Place {
    case start
    /// Among the fields before the first empty line.
    case fields(Kind)
    case lines(Kind, isPadded: Bool)
    case end(Kind)
  }

  private var place = Place.start
  /// What is in it.
  private(set) var packets = OpenPGPPackets()

  /// What a text is; nil for anything but one armour in 7 bits, which begins with the first octet and ends with the last line.
  static func kind(of text: [UInt8]) -> Kind? { (try? Armour(text))?.kind }

  /// Reads a text to its end.
  ///
  /// - Throws: `SourceError` where it cannot be read.
  init?(_ text: any OctetSource) throws(SourceError) {
    let last = try text.octets(in: max(0, text.count - 1)..<text.count).last
    guard last == ASCII.lineFeed else { return nil }
    var lines = OctetLines(text)
    while let line = try lines.next() {
      guard OctetScan.isASCII(line), read(line) else { return nil }
    }
    guard kind != nil else { return nil }
  }

  /// Nil before its end.
  var kind: Kind? {
    if case .end(let kind) = place { kind } else { nil }
  }

  /// Reads a line; false where it does not belong there.
  private mutating func read(_ line: ArraySlice<UInt8>) -> Bool {
    switch place {
    case .start:
      let kind = Kind.allCases.first { line.elementsEqual(Self.line("BEGIN ", $0.name)) }
      guard let kind else { return false }
      place = .fields(kind)
    case .fields(let kind) where Self.isEnd(line, of: kind): place = .end(kind)
    case .fields(let kind): if line.isEmpty { place = .lines(kind, isPadded: false) }
    case .lines(let kind, _) where Self.isEnd(line, of: kind): place = .end(kind)
    // The checksum, on a line of its own.
    case .lines where line.first == ASCII.equals: break
    case .lines(let kind, let isPadded):
      guard !isPadded, let octets = Base64.decode(line) else { return false }
      packets.takeOctets(octets[...])
      place = .lines(kind, isPadded: line.last == ASCII.equals)
    case .end: return false
    }
    return true
  }

  private static func isEnd(_ line: ArraySlice<UInt8>, of kind: Kind) -> Bool {
    line.first == ASCII.minus && line.elementsEqual(Self.line("END ", kind.name))
  }

  private static func line(_ word: StaticString, _ name: StaticString) -> [UInt8] {
    let dashes = [UInt8](ascii: "-----")
    return dashes + [UInt8](ascii: word) + [UInt8](ascii: name) + dashes
  }

  /// Whether it is one signature and nothing else.
  var isOneSignature: Bool {
    kind == .signature && packets.whole?.map(\.tag) == [2]
  }
}
