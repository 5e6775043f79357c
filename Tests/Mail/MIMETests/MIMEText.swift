import MIME
import Octets

/// Results as lines that people can read in a fixture.
enum MIMEText {
  /// A converter that knows one charset and marks what went through it.
  static let decoder = CharsetDecoder { name, octets in
    switch name {
    case "KOI8-R": octets.flatMap { Array(koi8($0).utf8) }
    // The name tells what was guessed.
    case "CP949", "GB18030", "EUC-JP", "CP932", "BIG5": Array("[\(name)]".utf8)
    case "X-ROT13": octets.map { ASCII.isLetter($0) ? rotated($0) : $0 }
    default: nil
    }
  }

  static func text(_ octets: some Collection<UInt8>) -> String {
    String(decoding: octets, as: UTF8.self)
  }

  /// Only visible characters and escapes.
  static func visible(_ octets: some Collection<UInt8>) -> String {
    Printable.text(octets, limit: .max)
  }

  static func lines(_ message: Message) -> String {
    lines(message.root, indent: "").joined(separator: "\n")
  }

  private static func lines(_ part: Part, indent: String) -> [String] {
    var words = [part.section.map(\.description) ?? "-", text(part.contentType.octets)]
    words.append("\(part.role)")
    if let name = part.fileName(decoder) { words.append("“\(visible(name))”") }
    if part.encoding != .identity { words.append("\(part.encoding)") }
    words.append("\(part.body.count)")
    if part.encoding != .identity { words.append("-> \(part.decodedSize)") }
    return [indent + words.joined(separator: " ")]
      + part.children.flatMap { lines($0, indent: indent + "  ") }
  }

  static func line(_ mailbox: Mailbox) -> String {
    "\(visible(mailbox.name)) <\(visible(mailbox.address))>"
  }

  static func line(_ address: Address) -> String {
    switch address {
    case .mailbox(let mailbox): line(mailbox)
    case .group(let name, let members):
      "\(visible(name)): \(members.map(line).joined(separator: ", "));"
    }
  }

  static func line(_ verdict: SenderVerdict) -> String {
    let proofs = verdict.proofs.map(text).joined(separator: ", ")
    let marks = verdict.marks.map(\.rawValue).joined(separator: " ")
    let words = [verdict.kind.rawValue, verdict.domain.map(visible) ?? "", proofs, marks]
    return words.map { $0.isEmpty ? "-" : $0 }.joined(separator: " ")
  }

  static func line(_ result: MethodResult) -> String {
    [result.method, result.result, result.domain ?? [ASCII.minus]].map { visible($0) }
      .joined(separator: " ")
  }

  private static func rotated(_ letter: UInt8) -> UInt8 {
    let base = letter & 0x20 | 0x41
    return (letter - base + 13) % 26 + base
  }

  /// The small letters of KOI8-R that the fixtures use.
  private static func koi8(_ octet: UInt8) -> String {
    let letters = Array("юабцдефгхийклмнопярстужвьызшэщчъ")
    switch octet {
    case 0xC0...0xDF: return String(letters[Int(octet - 0xC0)])
    case 0xE0...0xFF: return String(letters[Int(octet - 0xE0)]).uppercased()
    default: return octet < 0x80 ? String(UnicodeScalar(octet)) : "\u{FFFD}"
    }
  }
}
