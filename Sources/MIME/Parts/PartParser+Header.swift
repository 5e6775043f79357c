internal import Octets

extension PartParser {
  /// Reads the header that begins there.
  ///
  /// It ends at an empty line, which is passed, or before the first line that can be no part of it
  /// (the empty line is missing), or at a delimiter (so is the body).
  func header(from start: Int) -> (header: Header, bodyStart: Int, end: Delimiter?) {
    var fields: [HeaderField] = []
    var field = FieldDraft(start: start)
    var index = start
    if start == 0, octets.starts(with: PartParser.byteOrderMark) {
      // What an editor put before the message is kept as a line without a name.
      index = PartParser.byteOrderMark.count
      close(&fields, field, index)
      field = FieldDraft(start: index)
    }
    let first = index
    while index < octets.count {
      let (end, next) = line(from: index)
      if end == index { return (finish(&fields, field, index), next, nil) }
      if let delimiter = delimiter(at: index, contentStart: start) {
        return (finish(&fields, field, index), index, delimiter)
      }
      if !ASCII.isBlank(octets[index]) || index == first {
        guard let begun = beginning(at: index, to: end, next: next, isFirst: index == first) else {
          return (finish(&fields, field, index), index, nil)
        }
        close(&fields, field, index)
        field = begun
      }
      index = next
    }
    return (finish(&fields, field, index), index, nil)
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Whether a field begins on that line.
  func isField(at start: Int) -> Bool {
    start < octets.count && fieldDraft(at: start, to: line(from: start).end) != nil
  }

  /// The field that begins on the line, or rubbish to be kept between fields; `nil` for neither.
  private func beginning(at start: Int, to end: Int, next: Int, isFirst: Bool) -> FieldDraft? {
    if let field = fieldDraft(at: start, to: end) { return field }
    let line = octets[start..<end]
    let isEnvelope =
      isFirst
      && (line.startsCaseless(with: "From ") || line.startsCaseless(with: ">From "))
    // A line that lost the blank before it when it was folded: fields go on behind it.
    return isEnvelope || isKnownField(at: next) ? FieldDraft(start: start) : nil
  }

  private func fieldDraft(at start: Int, to end: Int) -> FieldDraft? {
    var index = start
    while index < end, octets[index] > ASCII.space, octets[index] < ASCII.delete,
      octets[index] != ASCII.colon
    { index += 1 }
    let nameEnd = index
    while index < end, ASCII.isBlank(octets[index]) { index += 1 }
    guard nameEnd > start, index < end, octets[index] == ASCII.colon else { return nil }
    return FieldDraft(start: start, nameLength: nameEnd - start, bodyOffset: index + 1 - start)
  }

  private static let knownFields: [StaticString] = [
    "from", "to", "cc", "bcc", "subject", "date", "message-id", "in-reply-to", "references",
    "mime-version", "received", "return-path", "reply-to", "sender", "delivered-to",
    "dkim-signature", "authentication-results", "precedence", "importance", "user-agent",
  ]

  private func isKnownField(at start: Int) -> Bool {
    guard start < octets.count, let draft = fieldDraft(at: start, to: line(from: start).end) else {
      return false
    }
    let name = octets[start..<start + draft.nameLength]
    if name.startsCaseless(with: "content-") || name.startsCaseless(with: "x-") { return true }
    if name.startsCaseless(with: "list-") { return true }
    return PartParser.knownFields.contains { name.equalsCaseless($0) }
  }

  private func close(_ fields: inout [HeaderField], _ field: FieldDraft, _ end: Int) {
    guard end > field.start else { return }
    fields.append(
      HeaderField(
        raw: octets[field.start..<end],
        nameLength: field.nameLength,
        bodyOffset: field.bodyOffset
      )
    )
  }

  private func finish(_ fields: inout [HeaderField], _ field: FieldDraft, _ end: Int) -> Header {
    close(&fields, field, end)
    return Header(fields: fields)
  }
}

/// A header field of which only the first line was read.
struct FieldDraft {
  /// Where its first line begins.
  let start: Int

  /// How long its name is; 0 for a line that is no field.
  var nameLength = 0

  /// How far from its start the value begins.
  var bodyOffset = 0
}
