internal import MIME
internal import Octets

/// The entities that a protected message is written as (RFC 1847, RFC 3156, RFC 8551), each from its header on, with LF.
struct ProtectedForm {
  private let token: [UInt8]

  /// `token` is letters and digits for boundaries.
  init(token: [UInt8]) {
    self.token = token
  }

  /// An entity and its signature, side by side.
  ///
  /// - Throws: `SourceError` where the entity cannot be read.
  func signed(
    _ entity: any OctetSource,
    _ signature: [UInt8],
    _ method: ProtectionMethod,
    hash: [UInt8]
  ) throws(SourceError) -> any OctetSource {
    let (type, part): ([UInt8], any OctetSource) =
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
    return try multipart("signed", parameters, [entity, part], mark: "s")
  }

  /// A message of OpenPGP that is encrypted, in armour.
  ///
  /// - Throws: `SourceError` where that cannot be read.
  func encrypted(_ armour: any OctetSource) throws(SourceError) -> any OctetSource {
    let version = lines("Content-Type: application/pgp-encrypted", "", "Version: 1")
    let header = lines(
      "Content-Type: application/octet-stream; name=\"encrypted.asc\"",
      "Content-Disposition: inline; filename=\"encrypted.asc\"",
      ""
    )
    return try multipart(
      "encrypted",
      [[UInt8](ascii: "protocol=\"application/pgp-encrypted\"")],
      [version, JoinedOctets([header, armour])],
      mark: "e"
    )
  }

  /// A structure of S/MIME that is encrypted.
  func enveloped(_ structure: any OctetSource) -> any OctetSource {
    octets("application/pkcs7-mime; smime-type=enveloped-data", name: "smime.p7m", structure)
  }

  // MARK: Parts

  private func octets(
    _ type: String,
    name: String,
    _ octets: any OctetSource
  ) -> any OctetSource {
    let header = lines(
      "Content-Type: \(type);",
      " name=\"\(name)\"",
      "Content-Transfer-Encoding: base64",
      "Content-Disposition: attachment; filename=\"\(name)\"",
      ""
    )
    return JoinedOctets([header, Base64Lines(octets)])
  }

  private func multipart(
    _ subtype: String,
    _ parameters: [[UInt8]],
    _ parts: [any OctetSource],
    mark: String
  ) throws(SourceError) -> any OctetSource {
    let boundary = try boundary(mark, parts)
    let delimiter = [ASCII.lineFeed, ASCII.minus, ASCII.minus] + boundary
    var header = [UInt8]("Content-Type: multipart/\(subtype);".utf8)
    for parameter in parameters { header += [UInt8](ascii: "\n ") + parameter + [ASCII.semicolon] }
    header += [UInt8](ascii: "\n boundary=\"") + boundary + [UInt8](ascii: "\"\n")
    var result = JoinedOctets([header])
    for part in parts {
      result.append(delimiter + [ASCII.lineFeed])
      result.append(part)
    }
    result.append(delimiter + [UInt8](ascii: "--\n"))
    return result
  }

  /// A boundary that is in none of the parts, and neither the beginning nor the continuation of one within them.
  private func boundary(
    _ mark: String,
    _ parts: [any OctetSource]
  ) throws(SourceError) -> [UInt8] {
    let start = [UInt8]("=_\(mark)_".utf8) + token
    var (boundary, number) = (start, 0)
    while try Self.has(boundary, parts) {
      number += 1
      boundary = start + [ASCII.underscore] + [UInt8](decimal: number)
    }
    return boundary
  }

  private static func has(
    _ boundary: [UInt8],
    _ parts: [any OctetSource]
  ) throws(SourceError) -> Bool {
    let delimiter = [ASCII.minus, ASCII.minus] + boundary
    for part in parts where try part.hasLine(startingWith: delimiter) { return true }
    return false
  }

  private func lines(_ lines: String...) -> [UInt8] {
    lines.flatMap { [UInt8]($0.utf8) + [ASCII.lineFeed] }
  }
}
