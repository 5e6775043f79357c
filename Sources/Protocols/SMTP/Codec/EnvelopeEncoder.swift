internal import Octets

/// The MAIL and RCPT commands of an envelope, without line ends, for a server with these extensions.
struct EnvelopeEncoder {
  private let envelope: Envelope
  private let message: MessageFacts
  private let extensions: Extensions

  init(_ envelope: Envelope, _ message: MessageFacts, _ extensions: Extensions) {
    self.envelope = envelope
    self.message = message
    self.extensions = extensions
  }

  var sender: [UInt8] {
    var line = [UInt8](ascii: "MAIL FROM:") + Self.path(envelope.reversePath)
    if extensions.hasSize { line += [UInt8](ascii: " SIZE=") + [UInt8](decimal: message.size) }
    if message.hasEightBits, extensions.hasEightBitMIME { line += [UInt8](ascii: " BODY=8BITMIME") }
    if isInternational { line += [UInt8](ascii: " SMTPUTF8") }
    if extensions.hasDSN { line += report }
    return line
  }

  func recipient(_ index: Int) -> [UInt8] {
    let recipient = envelope.recipients[index]
    let line = [UInt8](ascii: "RCPT TO:") + Self.path(recipient.address)
    return extensions.hasDSN ? line + report(to: recipient) : line
  }

  private var isInternational: Bool {
    envelope.needsSMTPUTF8(message) && extensions.hasSMTPUTF8
  }

  private static func path(_ address: EnvelopeAddress?) -> [UInt8] {
    [ASCII.lessThan] + (address?.octets ?? []) + [ASCII.greaterThan]
  }

  private var report: [UInt8] {
    var words: [UInt8] = []
    switch envelope.returned {
    case .full: words.append(ascii: " RET=FULL")
    case .headers: words.append(ascii: " RET=HDRS")
    case nil: break
    }
    // RFC 3461 §4.4: no more than 100 octets once encoded.
    if let identifier = envelope.identifier.map(XText.encode), (1...100).contains(identifier.count)
    {
      words += [UInt8](ascii: " ENVID=") + identifier
    }
    return words
  }

  private func report(to recipient: Recipient) -> [UInt8] {
    var words: [UInt8] = []
    if let notification = recipient.notification {
      words += [UInt8](ascii: " NOTIFY=") + Self.conditions(notification)
    }
    if let original = recipient.original { words += report(original: original) }
    return words
  }

  /// ORCPT; left out for an address the server could not read.
  private func report(original: EnvelopeAddress) -> [UInt8] {
    guard original.isInternational else {
      return [UInt8](ascii: " ORCPT=rfc822;") + XText.encode(original.octets)
    }
    guard isInternational else { return [] }
    return [UInt8](ascii: " ORCPT=utf-8;") + XText.encodeUTF8(original.octets)
  }

  private static func conditions(_ notification: Notification) -> [UInt8] {
    var words: [[UInt8]] = []
    if notification.contains(.success) { words.append([UInt8](ascii: "SUCCESS")) }
    if notification.contains(.failure) { words.append([UInt8](ascii: "FAILURE")) }
    if notification.contains(.delay) { words.append([UInt8](ascii: "DELAY")) }
    return words.isEmpty ? [UInt8](ascii: "NEVER") : [UInt8](words.joined(separator: [ASCII.comma]))
  }
}

/// Encodes any octets for a parameter of MAIL and RCPT.
enum XText {
  /// `xtext` (RFC 3461 §4): all but visible ASCII, and `+` and `=`, as `+` and two large hex digits.
  static func encode(_ octets: [UInt8]) -> [UInt8] {
    octets.flatMap { octet in
      isPlain(octet) ? [octet] : [ASCII.plus] + Hex.encode([octet]).map(ASCII.uppercased)
    }
  }

  /// `utf-8-addr-unitext` (RFC 6533 §3), for servers with SMTPUTF8: what is no plain visible
  /// character as `\x{HH}`, UTF-8 above 127 as it is.
  static func encodeUTF8(_ octets: [UInt8]) -> [UInt8] {
    octets.flatMap { octet in
      octet > 127 || isPlain(octet) && octet != ASCII.backslash
        ? [octet]
        : [UInt8](ascii: "\\x{") + Hex.encode([octet]).map(ASCII.uppercased) + [ASCII.closeBrace]
    }
  }

  private static func isPlain(_ octet: UInt8) -> Bool {
    (0x21...0x7E).contains(octet) && octet != ASCII.plus && octet != ASCII.equals
  }
}
