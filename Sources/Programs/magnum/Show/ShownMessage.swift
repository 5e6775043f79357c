internal import Correspondence
internal import MIME
internal import Octets
internal import Platform
internal import Protection
internal import SearchIndex
internal import SpoolPlan
internal import Terminal
internal import Threads
internal import Triage

/// A message for reading.
struct ShownMessage {
  let message: Message
  /// Its file; nil for a message of an archive.
  let path: Path?
  /// What the index knows of it; nil for a file that was named.
  let found: FoundMessage?
  /// What is said of it in words; by default what the index knows.
  var tags: [String]?
  /// What the receiving server said of its sender; nil where none is believed.
  var sender: SenderVerdict?
  /// When its list was left, before it came, in seconds since 1970; nil where it was not.
  var unsubscribed: Int64?
  /// The recipients who did not get it.
  var bounces: [FailedRecipient] = []
  /// What it says of an event; nil where it has none.
  var invitation: InvitationLook?

  let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  init(_ message: Message, path: Path?, found: FoundMessage?) {
    self.message = message
    self.path = path
    self.found = found
  }

  // MARK: JSON

  /// The version of the JSON format.
  private static let version = 3

  /// The message as an object; see magnum-formats(5).
  ///
  /// - Parameters:
  ///   - wishes: what is wanted of its parts; nil: nothing.
  ///   - dates: for people.
  ///   - reading: what was found out about its protection.
  /// - Returns: the object.
  func json(
    _ wishes: ShownPart.Wishes?,
    _ dates: RelativeDate,
    _ reading: ProtectionReading
  ) -> JSONLine {
    let protection = ShownProtection(reading, decoder)
    var line = JSONLine()
    line.add("id", octets: found?.id ?? message.header.messageID?.octets ?? [])
    line.add("match", found?.isMatch ?? true)
    line.add("excluded", false)
    line.add("filename", octets: files)
    let date = found?.date ?? message.header.date?.seconds ?? 0
    line.add("timestamp", date)
    line.add("date_relative", dates.text(date))
    line.add("tags", tags ?? found?.tags.map(\.rawValue) ?? [])
    line.add("duplicate", duplicate)
    if let found { line.add("thread", found.thread.description) }
    line.add("crypto", protection.message)
    if let sender { line.add("auth", sender.json) }
    if let unsubscribed { line.add("unsubscribed", octets: Timestamp.octets(unsubscribed)) }
    if !bounces.isEmpty { line.add("bounced", bounces.map(\.json)) }
    if let invitation = invitation?.json { line.add("invitation", invitation) }
    line.add("headers", ShownHeaders.json(reading.header, decoder))
    if let wishes {
      var parts = ShownPart(reading.message, wishes, decoder, protection)
      line.add("body", [parts.json(reading.message.root, [])])
    }
    line.add("version", Self.version)
    return line
  }

  private var files: [[UInt8]] {
    guard let found else { return path.map { [$0.octets] } ?? [] }
    return found.files.compactMap { $0.currentPath()?.octets }
  }

  /// Which of the files it was read from, from 1.
  private var duplicate: Int {
    (path.flatMap { files.firstIndex(of: $0.octets) } ?? 0) + 1
  }
}

/// The fields of a header that JSON has.
enum ShownHeaders {
  /// Those that are there though the mail lacks them, since programs rely on them.
  private static let always: [StaticString] = ["Subject", "From", "Date"]

  private static let names: [StaticString] = [
    "Subject", "From", "To", "Cc", "Bcc", "Reply-To", "Date", "Message-ID", "In-Reply-To",
    "References", "List-Id",
  ]

  static func json(_ header: Header, _ decoder: CharsetDecoder) -> JSONLine {
    var line = JSONLine()
    for name in names {
      if let value = AddressText.value(name, of: header, decoder) {
        line.add("\(name)", octets: value)
      } else if always.contains(where: { "\($0)" == "\(name)" }) {
        line.add("\(name)", "")
      }
    }
    return line
  }
}
