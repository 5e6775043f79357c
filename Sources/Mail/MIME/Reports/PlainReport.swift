internal import Octets

/// A report without fields for programs, in one of three forms: qmail's text, Exim's with a field for the failed recipients, and
/// Exchange's with the message that was sent attached.
struct PlainReport {
  private(set) var messageID: MessageID?
  private(set) var recipients: [ReportedRecipient] = []

  private typealias Line = ArraySlice<UInt8>

  /// More of a text is not read, in octets.
  private static let textLimit = 1 << 20
  /// A text of more lines is none of a report: returned headers have fewer.
  private static let lineLimit = 50_000

  init?(of message: Message, _ decoder: CharsetDecoder) {
    let field = message.header.first("X-Failed-Recipients")
    let hasReturned = message.root.children.contains { $0.messageInside != nil }
    guard let part = message.bodies().first,
      let text = part.plainText(decoder, limit: Self.textLimit)
    else { return nil }
    let lines = text.split(
      separator: ASCII.lineFeed,
      maxSplits: Self.lineLimit,
      omittingEmptySubsequences: false
    )
    if let field {
      recipients = Self.named(by: field.body, lines)
      messageID = Self.returnedID(in: lines)
    } else if let start = Self.qmailStart(lines) {
      recipients = Self.paragraphs(lines[start...])
      messageID = Self.returnedID(in: lines)
    } else if hasReturned, let start = lines.firstIndex(where: Self.isExchangeStart) {
      recipients = Self.listed(lines[(start + 1)...])
    }
    if recipients.isEmpty || recipients.count > DeliveryReport.recipientLimit { return nil }
  }

  private static func isBlank(_ line: Line) -> Bool { line.allSatisfy { $0 <= ASCII.space } }

  private static func trimmed(_ line: Line) -> Line {
    let start = line.drop { $0 <= ASCII.space }
    return start[..<(start.lastIndex { $0 > ASCII.space }.map { $0 + 1 } ?? start.startIndex)]
  }

  // MARK: qmail

  /// Where the paragraphs begin; nil for other texts, and for a warning, which is no failure.
  private static func qmailStart(_ lines: [Line]) -> Int? {
    guard let first = lines.firstIndex(where: { !isBlank($0) }),
      lines[first].startsCaseless(with: "Hi. This is ")
        || lines[first].startsCaseless(with: "Sorry, we were unable to deliver your message")
    else { return nil }
    let end = lines[first...].firstIndex(where: isBlank) ?? lines.endIndex
    let isWarning = lines[first..<end].contains { contains("warning", in: $0) }
    return isWarning ? nil : end
  }

  /// The paragraphs `<address>:` up to the one that begins with a dash.
  private static func paragraphs(_ lines: ArraySlice<Line>) -> [ReportedRecipient] {
    var found: [ReportedRecipient] = []
    for paragraph in lines.split(whereSeparator: isBlank) {
      guard let first = paragraph.first, first.first != ASCII.minus else { break }
      guard first.first == ASCII.lessThan, let end = first.lastIndex(of: ASCII.greaterThan),
        first[(end + 1)...].first == ASCII.colon
      else { continue }
      let address = [UInt8](first[(first.startIndex + 1)..<end])
      guard address.contains(ASCII.at), found.count <= DeliveryReport.recipientLimit else {
        continue
      }
      let rest = [first[(end + 2)...]] + paragraph.dropFirst()
      found.append(ReportedRecipient(failed: address, rest))
    }
    return found
  }

  // MARK: Exim

  /// The recipients that a field names, with the lines below each in the text.
  private static func named(by body: [UInt8], _ lines: [Line]) -> [ReportedRecipient] {
    var words: [[UInt8]: [Line]] = [:]
    for (index, line) in lines.enumerated() {
      let address = trimmed(line).prefix { $0 > ASCII.space }
      let key = (address.last == ASCII.colon ? address.dropLast() : address).map(ASCII.lowercased)
      guard key.contains(ASCII.at), words[key] == nil else { continue }
      words[key] = Array(lines[(index + 1)...].prefix(20).prefix { !isBlank($0) })
    }
    return body.split(separator: ASCII.comma).prefix(DeliveryReport.recipientLimit + 1).compactMap {
      let address = [UInt8](trimmed($0))
      guard address.contains(ASCII.at) else { return nil }
      return ReportedRecipient(failed: address, words[address.map(ASCII.lowercased)] ?? [])
    }
  }

  // MARK: Exchange

  private static let starts: [StaticString] = [
    "did not reach some or all of the intended recipients", "could not be reached",
    "cannot be reached", "delivery has failed to these recipients", "couldn't be delivered",
  ]

  private static func isExchangeStart(_ line: Line) -> Bool {
    starts.contains { contains($0, in: line) }
  }

  /// The addresses of a list, each with the lines below it.
  private static func listed(_ lines: ArraySlice<Line>) -> [ReportedRecipient] {
    var found: [(address: [UInt8], lines: [Line])] = []
    for line in lines {
      if let address = address(in: line), found.count <= DeliveryReport.recipientLimit {
        found.append((address, []))
      } else if let last = found.indices.last, found[last].lines.count < 20 {
        found[last].lines.append(trimmed(line))
      }
    }
    return found.map { ReportedRecipient(failed: $0.address, $0.lines) }
  }

  private static func address(in line: Line) -> [UInt8]? {
    let words = line.split { octet in
      octet <= ASCII.space || [UInt8](ascii: "'\"<>()[],;:").contains(octet)
    }
    for word in words {
      let parts = word.split(separator: ASCII.at, omittingEmptySubsequences: false)
      if parts.count == 2, !parts[0].isEmpty, parts[1].contains(ASCII.dot) { return [UInt8](word) }
    }
    return nil
  }

  // MARK: Text

  /// The id in the header that stands behind a line of dashes.
  private static func returnedID(in lines: [Line]) -> MessageID? {
    var isBehind = false
    for (index, line) in lines.enumerated() {
      if line.starts(with: [ASCII.minus, ASCII.minus, ASCII.minus]) { isBehind = true }
      guard isBehind, line.startsCaseless(with: "Message-ID:") else { continue }
      let more = lines[(index + 1)...].prefix(3).prefix {
        $0.first == ASCII.space || $0.first == ASCII.tab
      }
      let body = line.dropFirst(11) + more.joined()
      return MessageID([UInt8](body.map { $0 < ASCII.space ? ASCII.space : $0 }))
    }
    return nil
  }

  private static func contains(_ text: StaticString, in line: Line) -> Bool {
    let count = text.utf8CodeUnitCount
    guard line.count >= count else { return false }
    return line.prefix(2000).indices.contains { line[$0...].startsCaseless(with: text) }
  }
}
