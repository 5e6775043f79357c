internal import Octets

/// What a part of S/MIME holds that is one piece (RFC 8551 §3.2).
package enum SecuredContent: Sendable, Hashable {
  /// A message with signatures around it, which needs no key to be read.
  case signed
  /// A message that only the holder of a key can read, and that others may have changed.
  case encrypted
  /// The same, but a change would be noticed (RFC 5083).
  case authenticated
  /// A message that is compressed.
  case compressed
  /// Certificates alone.
  case certificates
}

extension Part {
  /// What it holds, as the content itself says, else its type; `nil` where it is no such part.
  package var secured: SecuredContent? {
    guard kind != .message, isCMS else { return nil }
    if isOpenedCMS, holdsSignedContent { return .signed }
    let told = contentType.parameters.octets("smime-type")
    if told?.equalsCaseless("certs-only") == true { return .certificates }
    if let kind = Self.kind(ofCMS: encoding.decode(body.prefix(512))) { return kind }
    let names: [(StaticString, SecuredContent)] = [
      ("signed-data", .signed), ("signed-receipt", .signed), ("enveloped-data", .encrypted),
      // That a change would be noticed is believed only of what says so itself.
      ("authenveloped-data", .encrypted), ("compressed-data", .compressed),
    ]
    return told.flatMap { told in names.first { told.equalsCaseless($0.0) }?.1 }
  }

  private var isCMS: Bool {
    contentType.isCMS || contentType.isNamedCMS(disposition)
  }

  /// Whether it is a structure of S/MIME whose content was taken out, or decrypted: that is its only part.
  package var isOpenedCMS: Bool { kind == .multipart && isCMS }

  /// Whether it says to be signed-data, as far as its first octets show.
  private var holdsSignedContent: Bool {
    Self.kind(ofCMS: encoding.decode(body.prefix(512))) == .signed
  }

  /// What a structure says that it is (RFC 5652 §3): a sequence that begins with an identifier.
  private static func kind(ofCMS octets: [UInt8]) -> SecuredContent? {
    let kinds: [(identifier: [UInt8], kind: SecuredContent)] = [
      ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02], .signed),
      ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x03], .encrypted),
      ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x10, 0x01, 0x17], .authenticated),
      ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x10, 0x01, 0x09], .compressed),
    ]
    guard octets.first == 0x30 else { return nil }
    let content = withoutLength(octets.dropFirst())
    guard content.first == 0x06 else { return nil }
    let identifier = withoutLength(content.dropFirst())
    return kinds.first { identifier.starts(with: $0.identifier) }?.kind
  }

  /// What follows a length, which may have more octets than it needs.
  private static func withoutLength(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = octets.first else { return octets }
    return octets.dropFirst(first > 0x80 ? 1 + Int(first & 0x7F) : 1)
  }
}

extension ContentType {
  /// Whether it is the type of a structure of S/MIME that is one piece.
  var isCMS: Bool {
    isType("application", "pkcs7-mime") || isType("application", "x-pkcs7-mime")
  }

  /// Whether it is the name of one, where the type says no more than octets.
  func isNamedCMS(_ disposition: ContentDisposition?) -> Bool {
    isType("application", "octet-stream")
      && names(disposition).contains { [UInt8]($0.suffix(4)).equalsCaseless(".p7m") }
  }

  /// Whether it has another name than S/MIME gives to a message: then it is a document that was signed, such as an invoice.
  func isNamedDocument(_ disposition: ContentDisposition?) -> Bool {
    names(disposition).contains { !$0.equalsCaseless("smime.p7m") }
  }

  private func names(_ disposition: ContentDisposition?) -> [[UInt8]] {
    [parameters.octets("name"), disposition?.parameters.octets("filename")].compactMap { $0 }
  }
}
