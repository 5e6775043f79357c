internal import MIME
internal import Octets
internal import SMTP
internal import Spool
internal import SpoolPlan

/// The bounce of a message that could not be sent.
///
/// If it failed for recipients, it has the form of RFC 6522 and RFC 3464, which requires at least one recipient. Otherwise it
/// is a plain text.
struct FailureReport {
  private let stored: StoredEntry
  private let progress: Progress
  private let address: String?

  /// The address that it is sent from; nil where it is put into an inbox here.
  private let sender: String?

  /// A report on an entry, to an address of the user.
  init(_ stored: StoredEntry, _ progress: Progress, to address: String?, from sender: String? = nil)
  {
    self.stored = stored
    self.progress = progress
    self.address = address
    self.sender = sender
  }

  /// The report as a message with LF line ends; the same at the same time.
  func message(now: Int64) -> [UInt8] {
    guard !failures.isEmpty else {
      return header("text/plain; charset=utf-8", now) + [ASCII.lineFeed] + explanation
    }
    let boundary = "=_magnum_\(stored.entry.id)"
    let parts = [
      part("text/plain; charset=utf-8", "8bit", explanation),
      part("message/delivery-status", "7bit", status),
      part("text/rfc822-headers", "8bit", originalHeader),
    ]
    let separator = Array("\n--\(boundary)".utf8)
    let type = "multipart/report; report-type=delivery-status; boundary=\"\(boundary)\""
    return header(type, now) + parts.flatMap { separator + [ASCII.lineFeed] + $0 } + separator
      + Array("--\n".utf8)
  }

  private func part(_ type: String, _ encoding: String, _ content: [UInt8]) -> [UInt8] {
    Array("Content-Type: \(type)\nContent-Transfer-Encoding: \(encoding)\n\n".utf8) + content
  }

  private func header(_ type: String, _ now: Int64) -> [UInt8] {
    ReportHeader(
      from: sender,
      to: address,
      subject: Array(subject.utf8) + originalSubject,
      name: "\(stored.entry.id).\(progress.retries)",
      inReplyTo: stored.entry.action.messageID,
      contentType: type
    ).octets(now: now)
  }

  private var subject: String {
    switch stored.entry.action {
    case .send: progress.isSentWithoutCopy ? "Sent, but no copy kept" : "Not sent"
    case .append: "Not put into the mailbox"
    case .change: "Not done on the server"
    }
  }

  /// The subject of the message behind a colon, as it was written; empty where there is none that may stand in a header
  /// here: one that is not ASCII would need a server with SMTPUTF8.
  private var originalSubject: [UInt8] {
    let field = Message(originalHeader).header.first("Subject")
    guard let text = field?.body, !text.isEmpty, text.count <= 500,
      sender == nil || text.allSatisfy({ $0 < 0x80 })
    else { return [] }
    return Array(": ".utf8) + text
  }

  private var explanation: [UInt8] {
    let id = stored.entry.id
    var text = Array("\(introduction)\n\n".utf8)
    text += field("Subject")
    for (address, words) in failures {
      text +=
        Array("<".utf8) + ReportHeader.part(address) + Array(">: ".utf8) + ReportHeader.part(words)
        + [ASCII.lineFeed]
    }
    if failures.isEmpty, unsettled.isEmpty {
      text += ReportHeader.part(progress.lastWords ?? []) + [ASCII.lineFeed]
    }
    text += changes
    let edit =
      failures.isEmpty
      ? "" : "\n  magnum queue edit \(id)     to change the message or its recipients"
    let commands = """

      It is kept. What you can do:
        magnum queue show \(id)\(edit)
        magnum queue retry \(id)    to try it again
        magnum queue discard \(id)  to throw it away

      \(origin)

      """
    return text + Array(commands.utf8)
  }

  /// The most changes that are told one by one.
  private static let changeLimit = 100

  /// The changes of messages that are not done, by their numbers in the entry.
  private var unsettled: [Int] {
    stored.entry.action.requests.indices.filter { !progress.steps[$0].isSettled }
  }

  /// A line for each change that is not done, and one for why.
  private var changes: [UInt8] {
    let requests = stored.entry.action.requests
    var text: [UInt8] = []
    for number in unsettled.prefix(Self.changeLimit) {
      text += Array("  \(RequestWords.text(requests[number]))\n".utf8)
      guard let words = progress.steps[number].words ?? progress.lastWords else { continue }
      text += Array("    ".utf8) + ReportHeader.part(words) + [ASCII.lineFeed]
    }
    let rest = unsettled.count - Self.changeLimit
    return rest > 0 ? text + Array("  and \(rest) more\n".utf8) : text
  }

  private var origin: String {
    sender == nil
      ? "This message was written by Magnum on your own machine and lies only here."
      : "This message was written by Magnum on the machine where these commands are to be run, as root."
  }

  private var introduction: String {
    if !stored.entry.action.requests.isEmpty {
      return "This could not be done on the server, and is not tried again by itself:"
    }
    return progress.isSentWithoutCopy
      ? "A message of yours was sent, but no copy of it could be put into the mailbox."
      : sender == nil
        ? "A message of yours could not be sent, and is not tried again by itself."
        : "A message of this machine could not be sent, and is not tried again by itself."
  }

  private func field(_ name: String) -> [UInt8] {
    let header = originalHeader
    let prefix = Array("\(name):".utf8)
    for line in header.split(separator: ASCII.lineFeed) where line.starts(with: prefix) {
      return Array(line) + Array("\n\n".utf8)
    }
    return []
  }

  /// The recipients that did not get it, and why.
  private var failures: [(address: [UInt8], words: [UInt8])] {
    guard case .send(let sending) = stored.entry.action else { return [] }
    return zip(sending.envelope.recipients, progress.recipients).compactMap { recipient, state in
      guard case .refused(let words) = state else { return nil }
      return (recipient.address.octets, words)
    }
  }

  private var status: [UInt8] {
    var octets = Array("Reporting-MTA: dns; localhost\n".utf8)
    for (address, words) in failures {
      octets += Array("\nFinal-Recipient: ".utf8) + Self.typed(address)
      octets += Array("\nAction: failed\nStatus: \(Self.code(words))\n".utf8)
      let type = Self.isReply(words) ? "smtp" : "x-magnum"
      let text = ReportHeader.part(words).map { $0 < 0x80 ? $0 : ASCII.questionMark }
      octets += Array("Diagnostic-Code: \(type); ".utf8) + text + [ASCII.lineFeed]
    }
    return octets
  }

  /// An address with its type; one that is not ASCII in the form of RFC 6533.
  private static func typed(_ address: [UInt8]) -> [UInt8] {
    guard address.contains(where: { $0 >= 0x80 }) else {
      return Array("rfc822; ".utf8) + ReportHeader.part(address)
    }
    let text = String(decoding: address, as: UTF8.self).unicodeScalars.map { scalar in
      scalar.isASCII && scalar != "\\" && scalar != "+" && scalar != "="
        ? String(scalar) : "\\x{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
    return Array("utf-8; ".utf8) + ReportHeader.part(Array(text.joined().utf8))
  }

  /// Whether the words are a server's reply, with its code.
  private static func isReply(_ words: [UInt8]) -> Bool {
    words.count > 3 && words.prefix(3).allSatisfy(ASCII.isDigit) && words[3] == ASCII.space
  }

  /// The enhanced status code in a server's words (RFC 3463).
  private static func code(_ words: [UInt8]) -> String {
    for word in words.split(separator: ASCII.space).prefix(2) {
      let numbers = word.split(separator: ASCII.dot, omittingEmptySubsequences: false)
      if numbers.count == 3, numbers[0] == [ASCII.zero + 4] || numbers[0] == [ASCII.zero + 5],
        numbers.allSatisfy({ (1...3).contains($0.count) && $0.allSatisfy(ASCII.isDigit) })
      {
        return String(decoding: word, as: UTF8.self)
      }
    }
    return "5.0.0"
  }

  /// The longest header of a message that is put into a report, in octets.
  private static let headerLimit = 1 << 20

  /// The header of the message, with its last line end.
  private var originalHeader: [UInt8] {
    guard let message = stored.message,
      let start = try? message.octets(in: 0..<min(message.count, Self.headerLimit))
    else { return [] }
    let text = start.filter { $0 != ASCII.carriageReturn }
    guard text.first != ASCII.lineFeed else { return [] }
    for index in text.indices.dropLast()
    where text[index] == ASCII.lineFeed && text[index + 1] == ASCII.lineFeed {
      return Array(text[...index])
    }
    return text
  }
}
