internal import MIME
package import Octets

extension Letter {
  /// The message with a header that any server accepts.
  ///
  /// Text beyond ASCII, in fields and in names, becomes encoded words (RFC 2047), and file names become extended parameters
  /// (RFC 2231).
  ///
  /// Addresses beyond ASCII stay, and so does a header that a signature is about.
  ///
  /// - Parameter asciiForm: gives the ASCII form of a domain in UTF-8; `nil` where there is none.
  /// - Returns: `nil` where nothing is to be changed, or nothing may be.
  package func withASCIIHeader(_ asciiForm: ([UInt8]) -> [UInt8]?) -> (any OctetSource)? {
    var letter = self
    letter.encodeHeader(asciiForm)
    return letter.fields == fields ? nil : letter.octets
  }

  /// Does that in place; nothing where a signature is about the header.
  mutating func encodeHeader(_ asciiForm: ([UInt8]) -> [UInt8]?) {
    guard !fields.contains(where: \.isSignature) else { return }
    replaceFields { $0.hasEightBits ? $0.inASCII(asciiForm) : $0 }
  }
}

extension LetterField {
  /// Whether it is a signature of the header.
  fileprivate var isSignature: Bool {
    isNamed("DKIM-Signature") || isNamed("DomainKey-Signature") || isNamed("ARC-Seal")
  }

  /// Whether addresses stand in it, with names.
  var isOfAddresses: Bool {
    let names: [StaticString] = [
      "From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Resent-From", "Resent-Sender", "Resent-To",
      "Resent-Cc", "Resent-Reply-To", "Mail-Followup-To", "Mail-Reply-To", "Errors-To",
      "Disposition-Notification-To",
    ]
    return names.contains { isNamed($0) }
  }

  /// Whether it has a form of its own, in which nothing is text.
  private var isStructured: Bool {
    let names: [StaticString] = [
      "Date", "Message-ID", "In-Reply-To", "References", "Resent-Date", "Resent-Message-ID",
      "MIME-Version", "Content-Transfer-Encoding", "Content-ID", "Content-Location",
      "Authentication-Results", "Autocrypt",
    ]
    return isTrace || names.contains { isNamed($0) }
      || name.startsCaseless(with: "list-") || name.startsCaseless(with: "arc-")
  }

  /// The field with its text as encoded words; the same where it has no text, or would not be the same for a reader.
  fileprivate func inASCII(_ asciiForm: ([UInt8]) -> [UInt8]?) -> LetterField {
    if isNamed("Content-Type") || isNamed("Content-Disposition") {
      return OutgoingField([UInt8](name), parametersOf: value, .native).map { LetterField($0) }
        ?? self
    }
    if isStructured { return self }
    guard isOfAddresses else {
      return LetterField(OutgoingField([UInt8](name), text: HeaderText.decoded(value)))
    }
    let addresses = Address.list(value[...], .native).map { $0.inASCII(asciiForm) }
    let field = LetterField([UInt8](name), addresses)
    let read = Address.list(field.value[...], .native)
    let isSame = Self.octets(read) == Self.octets(addresses)
    return isSame && !read.isEmpty ? field : self
  }

  private static func octets(_ addresses: [Address]) -> [[UInt8]] {
    addresses.flatMap(\.mailboxes).map(\.address)
  }

  init(_ name: [UInt8], _ addresses: [Address]) {
    self.init(OutgoingField(name, addresses: addresses))
  }

  private init(_ field: OutgoingField) {
    self.init(field.octets, nameLength: field.name.count)
  }
}

extension Address {
  /// The same with domains as all servers know them.
  fileprivate func inASCII(_ asciiForm: ([UInt8]) -> [UInt8]?) -> Address {
    switch self {
    case .mailbox(let mailbox): .mailbox(mailbox.inASCII(asciiForm))
    case .group(let name, let members): .group(name, members.map { $0.inASCII(asciiForm) })
    }
  }
}

extension Mailbox {
  /// Only where the part before the at sign needs more than ASCII its domain is left so, too.
  fileprivate func inASCII(_ asciiForm: ([UInt8]) -> [UInt8]?) -> Mailbox {
    guard localPart.allSatisfy({ $0 < 0x80 }), domain.contains(where: { $0 >= 0x80 }),
      let domain = asciiForm(domain)
    else { return self }
    return Mailbox(name: name, localPart: localPart, domain: domain)
  }
}
