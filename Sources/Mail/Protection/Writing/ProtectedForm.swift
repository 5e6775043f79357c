internal import Octets

/// The entities that a protected message is written as (RFC 1847, RFC 3156, RFC 8551), each from its header on, with LF.
struct ProtectedForm {
  private let token: [UInt8]

  /// `token` is letters and digits for boundaries.
  init(token: [UInt8]) {
    self.token = token
  }

  /// An entity and its signature, side by side.
  func signed(
    _ entity: [UInt8],
    _ signature: [UInt8],
    _ method: ProtectionMethod,
    hash: [UInt8]
  ) -> [UInt8] {
    let (type, part): ([UInt8], [UInt8]) =
      switch method {
      case .openPGP:
        (
          [UInt8](ascii: "application/pgp-signature"),
          lines("Content-Type: application/pgp-signature; name=\"signature.asc\"", "") + signature
        )
      case .sMIME:
        (
          [UInt8](ascii: "application/pkcs7-signature"),
          octets("application/pkcs7-signature", name: "smime.p7s", signature)
        )
      }
    let parameters = [
      [UInt8](ascii: "micalg=") + hash,
      [UInt8](ascii: "protocol=\"") + type + [ASCII.quote],
    ]
    return multipart("signed", parameters, [entity, part], mark: "s")
  }

  /// A message of OpenPGP that is encrypted, in armour.
  func encrypted(_ armour: [UInt8]) -> [UInt8] {
    let version = lines("Content-Type: application/pgp-encrypted", "", "Version: 1")
    let header = lines(
      "Content-Type: application/octet-stream; name=\"encrypted.asc\"",
      "Content-Disposition: inline; filename=\"encrypted.asc\"",
      ""
    )
    return multipart(
      "encrypted",
      [[UInt8](ascii: "protocol=\"application/pgp-encrypted\"")],
      [version, header + armour],
      mark: "e"
    )
  }

  /// A structure of S/MIME that is encrypted.
  func enveloped(_ structure: [UInt8]) -> [UInt8] {
    octets("application/pkcs7-mime; smime-type=enveloped-data", name: "smime.p7m", structure)
  }

  // MARK: Parts

  private func octets(_ type: String, name: String, _ octets: [UInt8]) -> [UInt8] {
    let header = lines(
      "Content-Type: \(type);",
      " name=\"\(name)\"",
      "Content-Transfer-Encoding: base64",
      "Content-Disposition: attachment; filename=\"\(name)\"",
      ""
    )
    return header + Base64.encodeLines(octets)
  }

  private func multipart(
    _ subtype: String,
    _ parameters: [[UInt8]],
    _ parts: [[UInt8]],
    mark: String
  ) -> [UInt8] {
    let boundary = boundary(mark, parts)
    let delimiter = [ASCII.lineFeed, ASCII.minus, ASCII.minus] + boundary
    var result = [UInt8]("Content-Type: multipart/\(subtype);".utf8)
    for parameter in parameters { result += [UInt8](ascii: "\n ") + parameter + [ASCII.semicolon] }
    result += [UInt8](ascii: "\n boundary=\"") + boundary + [UInt8](ascii: "\"\n")
    for part in parts { result += delimiter + [ASCII.lineFeed] + part }
    return result + delimiter + [UInt8](ascii: "--\n")
  }

  /// A boundary that is in none of the parts, and neither the beginning nor the continuation of one within them.
  private func boundary(_ mark: String, _ parts: [[UInt8]]) -> [UInt8] {
    let start = [UInt8]("=_\(mark)_".utf8) + token
    var (boundary, number) = (start, 0)
    while parts.contains(where: { Self.hasDelimiter(boundary, in: $0) }) {
      number += 1
      boundary = start + [ASCII.underscore] + [UInt8](decimal: number)
    }
    return boundary
  }

  /// Whether a line begins with a delimiter of that boundary, or of one that it begins.
  private static func hasDelimiter(_ boundary: [UInt8], in octets: [UInt8]) -> Bool {
    let delimiter = [ASCII.minus, ASCII.minus] + boundary
    var rest = octets[...]
    while !rest.starts(with: delimiter) {
      guard let end = OctetScan.firstIndex(of: ASCII.lineFeed, in: rest) else { return false }
      rest = rest[(end + 1)...]
    }
    return true
  }

  private func lines(_ lines: String...) -> [UInt8] {
    lines.flatMap { [UInt8]($0.utf8) + [ASCII.lineFeed] }
  }
}
