package import MIME
internal import Octets

/// OpenPGP within a text (RFC 9580 §6.2 and §7).
package enum InlineArmour: Sendable, Hashable {
  /// The text is one signed text, and blanks.
  case signed
  /// It is one armoured message, and blanks: encrypted, or signed within.
  case message
  /// It has one of both, and something beside it; whether an armoured message is in it.
  case mixed(hasMessage: Bool)

  /// Longer texts are not looked through; octets as they are encoded.
  private static let limit = 64 << 20

  private static let signedStart = [UInt8](ascii: "-----BEGIN PGP SIGNED MESSAGE-----")
  private static let signatureStart = [UInt8](ascii: "-----BEGIN PGP SIGNATURE-----")
  private static let signatureEnd = [UInt8](ascii: "-----END PGP SIGNATURE-----")
  private static let messageStart = [UInt8](ascii: "-----BEGIN PGP MESSAGE-----")
  private static let messageEnd = [UInt8](ascii: "-----END PGP MESSAGE-----")

  /// What a text is; nil for one without OpenPGP.
  package init?(_ part: Part) {
    // Dashes are written as they are in all encodings but base64.
    guard part.body.count <= Self.limit, part.encoding == .base64 || Self.mayHold(part.body) else {
      return nil
    }
    self.init(text: part.decoded)
  }

  /// What a decoded text is; nil for one without OpenPGP.
  package init?(text: [UInt8]) {
    var marks = Marks()
    // Line by line, since a text may have millions of them.
    var start = 0
    while start < text.count {
      let end = OctetScan.index(of: ASCII.lineFeed, in: text, from: start, to: text.count)
      marks.readLine(Self.trimmed(text[start..<end]))
      start = end + 1
    }
    guard let kind = marks.kind else { return nil }
    self = kind
  }

  /// The lines of OpenPGP in a text, and whether others stand around them.
  private struct Marks {
    private var signedTexts = 0
    private var messages = 0
    private var signatures = 0
    private var ends = 0
    private var isOpen = false
    private var hasOthers = false

    mutating func readLine(_ line: ArraySlice<UInt8>) {
      if line.first == ASCII.minus, readMark(line) { return }
      if !isOpen, !line.isEmpty { hasOthers = true }
    }

    private mutating func readMark(_ line: ArraySlice<UInt8>) -> Bool {
      if line.elementsEqual(signedStart) {
        signedTexts += 1
        isOpen = true
      } else if line.elementsEqual(messageStart) {
        messages += 1
        isOpen = true
      } else if line.elementsEqual(signatureStart) {
        signatures += 1
      } else if line.elementsEqual(signedTexts > 0 ? signatureEnd : messageEnd) {
        ends += 1
        isOpen = false
      } else {
        return false
      }
      return true
    }

    var kind: InlineArmour? {
      guard signedTexts + messages > 0 else { return nil }
      let isOne = signedTexts + messages == 1 && ends == 1 && !hasOthers && !isOpen
      guard isOne, signatures == signedTexts else { return .mixed(hasMessage: messages > 0) }
      return signedTexts == 1 ? .signed : .message
    }
  }

  /// What of a text may be quoted, though nothing of it was checked: of a signed text what is signed, of a message in armour
  /// nothing, and all of any other text.
  package static func quotable(_ text: [UInt8]) -> [UInt8] {
    switch InlineArmour(text: text) {
    case .message?: []
    case .signed?: signedLines(of: text)
    case .mixed(hasMessage: true)?: withoutMessages(text)
    case .mixed?, nil: text
    }
  }

  /// The lines of a text around the armoured messages in it.
  private static func withoutMessages(_ text: [UInt8]) -> [UInt8] {
    var lines: [ArraySlice<UInt8>] = []
    var start: Int?
    for line in text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
      if trimmed(line).elementsEqual(messageStart) { start = start ?? lines.count }
      lines.append(line)
      if let first = start, trimmed(line).elementsEqual(messageEnd) {
        lines.removeSubrange(first...)
        start = nil
      }
    }
    return [UInt8](lines.joined(separator: [ASCII.lineFeed]))
  }

  private static func signedLines(of text: [UInt8]) -> [UInt8] {
    let lines = text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
    // Behind the first line come fields, up to an empty line.
    let body = lines.drop { !trimmed($0).elementsEqual(signedStart) }.drop { !trimmed($0).isEmpty }
      .dropFirst().prefix { !trimmed($0).elementsEqual(signatureStart) }
    let dashed = [UInt8](ascii: "- ")
    return [UInt8](
      body.map { $0.starts(with: dashed) ? $0.dropFirst(2) : $0 }
        .joined(separator: [ASCII.lineFeed])
    )
  }

  /// Whether octets begin with an armoured message, blanks before it.
  static func beginsMessage(_ octets: [UInt8]) -> Bool {
    octets.drop { $0 <= ASCII.space }.starts(with: messageStart)
  }

  private static func mayHold(_ body: ArraySlice<UInt8>) -> Bool {
    var rest = body
    while let dash = OctetScan.firstIndex(of: ASCII.minus, in: rest) {
      if rest[dash...].starts(with: signedStart.prefix(14)) { return true }
      // Quoted-printable may write the first dash of a line as =2D.
      if body[..<dash].suffix(3).elementsEqual([UInt8](ascii: "=2D")) { return true }
      rest = rest[(dash + 1)...]
    }
    return false
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    while let last = line.last, last <= ASCII.space { line.removeLast() }
    return line
  }
}

/// The octets of a part that a detached signature signs (RFC 3156 §5, RFC 8551 §3.5.3).
package enum SignedOctets {
  /// Its header and its body, each LF as CR LF, nothing else changed.
  package static func of(_ part: Part) -> [UInt8] {
    var converter = SignedLineEnds()
    return converter.convert(part.octets, isEnd: true)
  }

  /// The same of an entity that is being written; it is read once for that.
  static func of(_ entity: any OctetSource) throws(SourceError) -> any OctetSource {
    try ConvertedOctets(entity, SignedLineEnds())
  }
}

/// Makes CR LF of each LF that no CR precedes.
private struct SignedLineEnds: OctetConverter {
  private var last: UInt8 = 0

  mutating func convert(_ octets: ArraySlice<UInt8>, isEnd: Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count + octets.count / 32 + 2)
    var rest = octets
    while let end = OctetScan.firstIndex(of: ASCII.lineFeed, in: rest) {
      result += rest[..<end]
      if (rest[..<end].last ?? last) != ASCII.carriageReturn {
        result.append(ASCII.carriageReturn)
      }
      result.append(ASCII.lineFeed)
      (last, rest) = (ASCII.lineFeed, rest[(end + 1)...])
    }
    last = rest.last ?? last
    return result + rest
  }
}
