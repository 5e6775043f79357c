package import MIME
internal import Octets
package import Protection

/// How a message as a whole is protected.
package enum MessageEnvelope: Hashable, Sendable {
  case clear
  case signed
  /// Encrypted, whether it is signed or not.
  case encrypted

  /// How that message is protected.
  package init(of message: Message) {
    let parts = ProtectionSurvey.parts(of: message).filter { $0.isInEnvelope && $0.nesting == 0 }
    if parts.contains(where: \.isEncryption) {
      self = .encrypted
    } else {
      self = parts.isEmpty ? .clear : .signed
    }
  }
}

extension MessageEnvelope {
  /// Whether anything that the author wrote may be encrypted, the message as a whole or a part beside others: an answer to it is.
  ///
  /// A text with OpenPGP in it may be only signed within its armour, which is not known before it is opened.
  package static func mayBeEncrypted(_ message: Message) -> Bool {
    ProtectionSurvey.parts(of: message).contains { $0.nesting == 0 && $0.mayBeEncryption }
  }
}

extension ProtectionReading {
  /// Whether anything that the author wrote is encrypted, decrypted or not.
  package var isEncrypted: Bool { encryptions.contains { $0.part.nesting == 0 } }

  /// Whether the message as a whole is encrypted, and not decrypted.
  package var isClosed: Bool {
    !isDecrypted && encryptions.contains { $0.part.isInEnvelope && $0.part.nesting == 0 }
  }
}

/// A message that was protected for sending, as it was before.
package struct UncoveredMessage: Sendable {
  /// The message, with LF as line ends.
  package let octets: [UInt8]
  /// What was done to it.
  package let protection: DraftProtection

  /// The message within a protected one; nil where that is not protected, or in another form than one of two parts.
  ///
  /// Its signature is not checked, and goes.
  /// - Parameters:
  ///   - message: the protected message, whole.
  ///   - decoder: for charsets.
  ///   - run: runs a program, which decrypts it.
  /// - Throws: why it is not decrypted.
  package init?(
    _ message: Message,
    _ decoder: CharsetDecoder,
    run: @escaping (ToolRequest) -> ToolAnswer
  ) throws(SecretDraft.Failure) {
    var entity = message.root
    var protection = DraftProtection()
    switch MessageEnvelope(of: message) {
    case .clear: return nil
    case .signed: break
    case .encrypted:
      let opened = try SecretDraft.decrypt(message, decoder, run: run)
      entity = opened.content.message.root
      protection = DraftProtection(signs: opened.isSigned, encrypts: true)
    }
    if entity.contentType.isType("multipart", "signed"), let signed = entity.children.first {
      (entity, protection.signs) = (signed, true)
    }
    guard !protection.isEmpty else { return nil }
    self.protection = protection
    octets = Self.octets(entity, outer: message.header)
  }

  /// An entity as a message, under the fields within its protection, or those outside where it has none for people.
  private static func octets(_ entity: Part, outer: Header) -> [UInt8] {
    let isContent = { (field: HeaderField) in field.name.startsCaseless(with: "content-") }
    let isHeader = { (field: HeaderField) in !isContent(field) && !field.isNamed("MIME-Version") }
    let inner = entity.header.fields.filter { isHeader($0) && !$0.isNamed("HP-Outer") }
    let hasOwn = entity.contentType.parameters.octets("hp") != nil && !inner.isEmpty
    let fields =
      hasOwn
      ? outer.fields.filter { $0.isNamed("Bcc") } + inner.filter { !$0.isNamed("Bcc") }
      : outer.fields.filter(isHeader)
    let version = [UInt8](ascii: "MIME-Version: 1.0\n")
    let header =
      fields.flatMap(\.raw) + version + entity.header.fields.filter(isContent).flatMap(\.raw)
    var result = LineFeeds.only(header + [ASCII.lineFeed] + entity.body)
    if result.last != ASCII.lineFeed { result.append(ASCII.lineFeed) }
    return result
  }
}
