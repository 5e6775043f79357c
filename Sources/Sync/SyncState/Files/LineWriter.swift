internal import MailModel
internal import Octets
internal import Platform
internal import SyncPlan

/// Builds one line of a state file out of words.
struct LineWriter {
  private(set) var octets: [UInt8] = []

  /// A word that needs no escape.
  mutating func word(_ text: StaticString) {
    separate()
    text.withUTF8Buffer { octets.append(contentsOf: $0) }
  }

  /// A number in decimal.
  mutating func number(_ value: some BinaryInteger) {
    separate()
    octets.append(contentsOf: [UInt8](decimal: value))
  }

  /// A number that may be unknown, which 0 stands for.
  mutating func known(_ value: (some BinaryInteger)?) {
    if let value { number(value) } else { number(0) }
  }

  /// Octets of any kind, percent-escaped; an empty name is `%`, which no escape is.
  mutating func name(_ name: some Collection<UInt8>) {
    separate()
    if name.isEmpty { return octets.append(ASCII.percent) }
    octets.append(contentsOf: PercentEscape.escape(Array(name)) { $0 <= 0x20 || $0 >= 0x7F })
  }

  /// Flags as the letters of a Maildir name, `-` for none.
  mutating func flags(_ flags: SystemFlags) {
    separate()
    if flags.isEmpty { return octets.append(LineFormat.none) }
    octets.append(contentsOf: flags.characters)
  }

  /// Keywords between commas, escaped, `-` for none.
  mutating func keywords(_ keywords: [[UInt8]]) {
    separate()
    if keywords.isEmpty { return octets.append(LineFormat.none) }
    for (index, keyword) in keywords.enumerated() {
      if index > 0 { octets.append(LineFormat.comma) }
      let text = PercentEscape.escape(keyword, LineFormat.mustEscape)
      octets.append(contentsOf: text == [LineFormat.none] ? LineFormat.escapedNone : text)
    }
  }

  /// An identity as 64 hexadecimal digits, `-` for none.
  ///
  /// The hash of the server's header follows in 16 digits where it is another.
  mutating func identity(_ identity: ContentIdentity?, serverHeader: UInt64? = nil) {
    separate()
    guard let identity else { return octets.append(LineFormat.none) }
    let parts = [identity.messageID, identity.bodyHigh, identity.bodyLow, identity.header]
    for part in parts + (serverHeader.map { [$0] } ?? []) {
      octets.append(contentsOf: Hex.digits(part))
    }
  }

  /// A directory's fingerprint as four numbers between colons, `-` for unknown.
  mutating func fingerprint(_ fingerprint: FileFingerprint?) {
    separate()
    guard let fingerprint else { return octets.append(LineFormat.none) }
    let parts: [[UInt8]] = [
      [UInt8](decimal: fingerprint.device), [UInt8](decimal: fingerprint.inode),
      [UInt8](decimal: fingerprint.modified), [UInt8](decimal: fingerprint.changed),
    ]
    octets.append(contentsOf: parts.joined(separator: [ASCII.colon]))
  }

  private mutating func separate() {
    if !octets.isEmpty { octets.append(ASCII.space) }
  }
}

/// What stands between and in place of the fields of a line in state files.
enum LineFormat {
  /// A field that is empty.
  static let none = UInt8(ascii: "-")
  /// The keyword that looks like an empty field.
  static let escapedNone = Array("%2D".utf8)
  static let comma = UInt8(ascii: ",")

  /// Whether a keyword's octet would be mistaken for a separator.
  static func mustEscape(_ octet: UInt8) -> Bool {
    octet <= 0x20 || octet >= 0x7F || octet == comma
  }
}
