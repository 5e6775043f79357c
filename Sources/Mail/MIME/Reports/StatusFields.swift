internal import Octets

/// The fields of a report for programs: those of the message, and a group for each recipient (RFC 3464 §2.1).
struct StatusFields {
  /// The id of the message, where a server adds it.
  private(set) var messageID: MessageID?
  private(set) var recipients: [ReportedRecipient] = []

  /// The fields of a part; nil where they are of too many recipients.
  init?(_ part: Part) {
    var group: [UInt8] = []
    for line in part.decoded.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
      let isEmpty = line.allSatisfy { $0 <= ASCII.space }
      if !isEmpty { group += line + [ASCII.lineFeed] }
      guard isEmpty, !group.isEmpty else { continue }
      add(group)
      group = []
      if recipients.count > DeliveryReport.recipientLimit { return nil }
    }
    if !group.isEmpty { add(group) }
  }

  private mutating func add(_ group: [UInt8]) {
    let header = Message(group).header
    if messageID == nil, let field = header.first("X-Original-Message-ID") {
      messageID = MessageID(field.body)
    }
    var addresses: [[UInt8]] = []
    for name in ["Original-Recipient", "Final-Recipient", "X-Actual-Recipient"] as [StaticString] {
      guard let field = header.first(name) else { continue }
      addresses += ReportedAddress.readings(of: field.body).filter { !addresses.contains($0) }
    }
    guard !addresses.isEmpty else { return }
    let code = header.first("Status").flatMap { StatusCode.first(in: $0.body[...]) }
    let words = header.first("Diagnostic-Code").map { Self.words($0.body) } ?? []
    recipients.append(
      ReportedRecipient(
        addresses: addresses,
        action: Self.action(header.first("Action")?.body ?? []),
        status: code ?? StatusCode.first(in: words[...]),
        words: words
      )
    )
  }

  /// The words behind the type: `smtp; 550 5.1.1 no such user`.
  private static func words(_ body: [UInt8]) -> [UInt8] {
    let type = body.prefix { $0 != ASCII.semicolon }
    let hasType = type.count < body.count && !type.contains(ASCII.space)
    return ReportedRecipient.line(hasType ? body.dropFirst(type.count + 1) : body[...])
  }

  /// The first word; servers write comments behind it.
  private static func action(_ body: [UInt8]) -> ReportedRecipient.Action {
    let word = body.prefix { ASCII.isLetter($0) }.map(ASCII.lowercased)
    return ReportedRecipient.Action(rawValue: String(decoding: word, as: UTF8.self)) ?? .unknown
  }
}

/// Addresses of recipients in reports: `rfc822; bob@example.org`.
enum ReportedAddress {
  /// The address in all readings: as it is written, and with what is escaped in it decoded; empty where there is none.
  static func readings(of body: [UInt8]) -> [[UInt8]] {
    let type = body.prefix { $0 != ASCII.semicolon }
    let hasType = type.count < body.count && !type.contains(ASCII.at)
    let plain = address(in: hasType ? body.dropFirst(type.count + 1) : body[...])
    guard plain.contains(ASCII.at) else { return [] }
    var readings = [plain]
    for other in [unescapedUnicode(plain), unescapedText(plain)] where !readings.contains(other) {
      readings.append(other)
    }
    return readings
  }

  /// The address without brackets, and what stands behind it.
  private static func address(in text: ArraySlice<UInt8>) -> [UInt8] {
    let trimmed = text.drop { $0 <= ASCII.space }
    if trimmed.first == ASCII.quote {
      return [UInt8](trimmed.reversed().drop { $0 <= ASCII.space }.reversed())
    }
    let start = trimmed.first == ASCII.lessThan ? trimmed.dropFirst() : trimmed
    return [UInt8](start.prefix { $0 > ASCII.space && $0 != ASCII.greaterThan })
  }

  /// `\x{20AC}` as UTF-8 (RFC 6533 §3).
  private static func unescapedUnicode(_ address: [UInt8]) -> [UInt8] {
    var (result, rest) = ([UInt8](), address[...])
    while let octet = rest.first {
      if rest.starts(with: [ASCII.backslash, 0x78, 0x7B]),
        let end = rest.prefix(12).firstIndex(of: 0x7D),
        let value = UInt32(String(decoding: rest[..<end].dropFirst(3), as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(value)
      {
        result += String(Character(scalar)).utf8
        rest = rest[(end + 1)...]
      } else {
        result.append(octet)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// `+2B` as the octet (xtext, RFC 3461 §4).
  private static func unescapedText(_ address: [UInt8]) -> [UInt8] {
    var (result, rest) = ([UInt8](), address[...])
    while let octet = rest.first {
      let digits = rest.dropFirst().prefix(2)
      if octet == ASCII.plus, digits.count == 2, digits.allSatisfy(isHexDigit),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), value > ASCII.space
      {
        result.append(value)
        rest = rest.dropFirst(3)
      } else {
        result.append(octet)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  private static func isHexDigit(_ octet: UInt8) -> Bool {
    ASCII.isDigit(octet) || (0x41...0x46).contains(octet)
  }
}
