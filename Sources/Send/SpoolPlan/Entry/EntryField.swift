internal import Octets
internal import SMTP

/// The fields of an entry's header; the raw value is the name in the file.
enum EntryField: String, CaseIterable {
  case version = "Magnum-Spool"
  case kind = "Kind"
  case id = "Id"
  case account = "Account"
  case queued = "Queued"
  /// The agent that wrote the message; in version 3 only.
  case agent = "Agent"
  case from = "Envelope-From"
  case to = "Envelope-To"
  /// The address that the recipient above it was given as.
  case original = "Original-To"
  /// What is to be reported about the recipient above it.
  case notify = "Notify"
  case returned = "Return"
  case identifier = "Envelope-Id"
  case blindCopies = "Bcc"
  case label = "Label"
  case notBefore = "Not-Before"
  case then = "Then"
  /// What is to become of the messages below it.
  case change = "Change"
  /// Where the messages below it are, or where a message goes.
  case mailbox = "Mailbox"
  case validity = "Uidvalidity"
  /// Begins a message of the server.
  case uid = "Uid"
  /// The base name of the file of the message above it.
  case baseName = "File"
  case flags = "Flags"
  case date = "Date"
  case messageID = "Message-Id"
  case size = "Size"
  case checksum = "Checksum"
  /// In place of a checksum, of former versions.
  case digest = "Sha256"
}

/// Writes any octets as a line that people can read, and reads them back.
enum EntryText {
  /// The mailbox with the role \Sent, where a mailbox is named.
  static let sentRole = [UInt8](ascii: "\\Sent")

  /// Controls as `%XX`, so that the octets stay in their line.
  static func escape(_ octets: [UInt8]) -> [UInt8] {
    PercentEscape.escape(octets, ASCII.isControl)
  }

  /// Controls and blanks as `%XX`, so that the octets stay one word.
  static func escapeWord(_ octets: [UInt8]) -> [UInt8] {
    PercentEscape.escape(octets) { ASCII.isControl($0) || $0 == ASCII.space }
  }

  /// Controls and quotes as `%XX`, so that the octets can stand in quotes.
  static func escapeQuoted(_ octets: [UInt8]) -> [UInt8] {
    PercentEscape.escape(octets) { ASCII.isControl($0) || $0 == ASCII.quote }
  }

  /// The words of a line; `nil` when one is not escaped rightly.
  static func words(_ line: some Collection<UInt8>) -> [[UInt8]]? {
    var words: [[UInt8]] = []
    for word in line.split(separator: ASCII.space) {
      guard let word = PercentEscape.unescape(word) else { return nil }
      words.append(word)
    }
    return words
  }

  /// A number in decimal digits; `nil` for anything else.
  static func number<Number: FixedWidthInteger>(_ octets: [UInt8]) -> Number? {
    var cursor = Cursor(octets)
    guard let number = cursor.decimal(), cursor.isAtEnd else { return nil }
    return Number(exactly: number)
  }
}

/// What is to be reported about a delivery, as the file says it: `never`, or `success,delay`.
enum NotificationText {
  private static let names: [(Notification, StaticString)] = [
    (.success, "success"), (.failure, "failure"), (.delay, "delay"),
  ]

  static func octets(_ notification: Notification) -> [UInt8] {
    guard notification != .never else { return [UInt8](ascii: "never") }
    let words = names.filter { notification.contains($0.0) }.map { [UInt8](ascii: $0.1) }
    return [UInt8](words.joined(separator: [ASCII.comma]))
  }

  static func notification(_ octets: [UInt8]) -> Notification? {
    if octets.equalsCaseless("never") { return .never }
    var result: Notification = []
    for word in octets.split(separator: ASCII.comma, omittingEmptySubsequences: false) {
      guard let name = names.first(where: { word.equalsCaseless($0.1) }) else { return nil }
      result.insert(name.0)
    }
    return result
  }
}
