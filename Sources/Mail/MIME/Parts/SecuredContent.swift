internal import Octets

/// What a part of S/MIME holds that is one piece (RFC 8551 §3.2).
package enum SecuredContent: Sendable, Hashable {
  /// A message with signatures around it, which needs no key to be read.
  case signed
  /// A message that only the holder of a key can read.
  case encrypted
  /// A message that is compressed.
  case compressed
  /// Certificates alone.
  case certificates
}

extension Part {
  /// What it holds, as the content itself says, else its type; `nil` where it is no such part.
  package var secured: SecuredContent? {
    guard kind == .leaf, isCMS else { return nil }
    let told = contentType.parameters.octets("smime-type")
    if told?.equalsCaseless("certs-only") == true { return .certificates }
    if let kind = Self.kind(ofCMS: encoding.decode(body.prefix(512))) { return kind }
    let names: [(StaticString, SecuredContent)] = [
      ("signed-data", .signed), ("signed-receipt", .signed), ("enveloped-data", .encrypted),
      ("authenveloped-data", .encrypted), ("compressed-data", .compressed),
    ]
    return told.flatMap { told in names.first { told.equalsCaseless($0.0) }?.1 }
  }

  private var isCMS: Bool {
    guard contentType.isType("application") else { return false }
    let type = contentType
    if type.isType("application", "pkcs7-mime") || type.isType("application", "x-pkcs7-mime") {
      return true
    }
    let names = [type.parameters.octets("name"), disposition?.parameters.octets("filename")]
    return type.isType("application", "octet-stream")
      && names.contains { $0.map { [UInt8]($0.suffix(4)).equalsCaseless(".p7m") } ?? false }
  }

  /// What a structure says that it is (RFC 5652 §3): a sequence that begins with an identifier.
  private static func kind(ofCMS octets: [UInt8]) -> SecuredContent? {
    let kinds: [(identifier: [UInt8], kind: SecuredContent)] = [
      ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02], .signed),
      ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x03], .encrypted),
      ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x10, 0x01, 0x17], .encrypted),
      ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x10, 0x01, 0x09], .compressed),
    ]
    guard octets.first == 0x30, let length = octets.dropFirst().first else { return nil }
    let start = 2 + (length > 0x80 ? Int(length & 0x7F) : 0)
    let content = octets.dropFirst(start)
    return kinds.first {
      content.starts(with: [0x06, UInt8($0.identifier.count)] + $0.identifier)
    }?
    .kind
  }
}
