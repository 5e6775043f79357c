internal import Octets

extension PartParser {
  /// Reads the header that begins there.
  ///
  /// It ends at an empty line, which is passed, or before the first line that can be no part of it
  /// (the empty line is missing), or at a delimiter (so is the body).
  func header(from start: Int) -> (header: Header, bodyStart: Int, end: Delimiter?) {
    var draft = HeaderDraft(start: start)
    var index = start
    if start == 0, octets.starts(with: PartParser.byteOrderMark) {
      // What an editor put before the message is kept as a line without a name.
      index = PartParser.byteOrderMark.count
      close(&draft, at: index, beginning: FieldDraft(start: index))
    }
    let first = index
    while index < octets.count {
      let (end, next) = line(from: index)
      if end == index { return (finish(&draft, index), next, nil) }
      if let delimiter = delimiter(at: index, contentStart: start) {
        return (finish(&draft, index), index, delimiter)
      }
      switch role(of: index..<end, next: next, isFirst: index == first, &draft) {
      case .field(let field):
        close(&draft, at: index, beginning: field)
        if let number = PartParser.number(ofField: name(of: field)) {
          draft.known |= 1 << UInt32(number)
        }
      case .continuation: break
      case .body: return (finish(&draft, index), index, nil)
      case .separator:
        close(&draft, at: index, beginning: FieldDraft(start: index))
        return (finish(&draft, next), next, nil)
      }
      index = next
    }
    return (finish(&draft, index), index, nil)
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Whether a field begins on that line.
  func isField(at start: Int) -> Bool {
    start < octets.count && fieldDraft(at: start, to: line(from: start).end) != nil
  }

  /// What a line is in a header.
  private enum LineRole {
    /// A field begins on it, or rubbish that is kept between fields.
    case field(FieldDraft)
    /// It belongs to the field before it.
    case continuation
    /// It is the first one of the body: the empty line is missing.
    case body
    /// It stands for the empty line, and is kept as a line without a name.
    case separator
  }

  private func role(
    of line: Range<Int>,
    next: Int,
    isFirst: Bool,
    _ draft: inout HeaderDraft
  ) -> LineRole {
    if ASCII.isBlank(octets[line.lowerBound]), !isFirst {
      guard octets[line].allSatisfy({ ASCII.isBlank($0) }) else { return .continuation }
      return fieldsFollow(from: next, rubbish: 0, &draft) ? .continuation : .separator
    }
    if let field = fieldDraft(at: line.lowerBound, to: line.upperBound) { return .field(field) }
    if opensBody(line, &draft) { return .body }
    let isEnvelope =
      isFirst
      && (octets[line].startsCaseless(with: "From ") || octets[line].startsCaseless(with: ">From "))
    guard isEnvelope || fieldsFollow(from: next, rubbish: PartParser.rubbishLimit, &draft) else {
      return .body
    }
    return .field(FieldDraft(start: line.lowerBound))
  }

  /// Whether the line is a delimiter of the multipart whose header this is: the empty line is missing.
  private func opensBody(_ line: Range<Int>, _ draft: inout HeaderDraft) -> Bool {
    guard octets[line].starts(with: [ASCII.minus, ASCII.minus]) else { return false }
    close(&draft, at: line.lowerBound, beginning: FieldDraft(start: line.lowerBound))
    guard let boundary = draft.boundary() else { return false }
    return octets[line].dropFirst(2).starts(with: boundary)
  }

  /// How many lines that are no fields may stand in a row, as relays leave them that break or join what was folded.
  private static let rubbishLimit = 20

  /// How many lines are looked at for a field.
  private static let lookahead = 200

  /// Whether the header goes on: a well-known field comes before the next empty line.
  ///
  /// Behind several lines that are no fields it has to be one that the header does not have yet: the text of a message whose
  /// empty line is missing may quote another header. Lines are looked at once only: where a field was found is kept.
  private func fieldsFollow(from start: Int, rubbish limit: Int, _ draft: inout HeaderDraft) -> Bool
  {
    if start < draft.knownField { return true }
    var (index, rubbish) = (start, 0)
    for _ in 0..<PartParser.lookahead where index < octets.count {
      let (end, next) = line(from: index)
      if end == index || delimiter(at: index, contentStart: index) != nil { return false }
      let field = fieldDraft(at: index, to: end)
      if let field, isKnown(field, isNew: rubbish > 0, draft) {
        draft.knownField = next
        return true
      }
      if field == nil, !ASCII.isBlank(octets[index]) {
        rubbish += 1
        if rubbish >= limit { return false }
      }
      index = next
    }
    return false
  }

  private func isKnown(_ field: FieldDraft, isNew: Bool, _ draft: HeaderDraft) -> Bool {
    let name = name(of: field)
    if let number = PartParser.number(ofField: name) {
      return !isNew || number == 0 || draft.known & 1 << UInt32(number) == 0
    }
    return !isNew
      && (name.startsCaseless(with: "content-") || name.startsCaseless(with: "x-")
        || name.startsCaseless(with: "list-"))
  }

  private func name(of field: FieldDraft) -> ArraySlice<UInt8> {
    octets[field.start..<field.start + field.nameLength]
  }

  private static func number(ofField name: ArraySlice<UInt8>) -> Int? {
    knownFields.firstIndex { name.equalsCaseless($0) }
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

  /// The first one may be there several times; at most 32.
  private static let knownFields: [StaticString] = [
    "received", "from", "to", "cc", "bcc", "subject", "date", "message-id", "in-reply-to",
    "references", "mime-version", "return-path", "reply-to", "sender", "delivered-to",
    "dkim-signature", "authentication-results", "precedence", "importance", "user-agent",
    "content-type", "content-transfer-encoding",
  ]

  /// Ends the field that is being read, and begins another one.
  private func close(_ draft: inout HeaderDraft, at end: Int, beginning next: FieldDraft) {
    let field = draft.field
    draft.field = next
    guard end > field.start else { return }
    let closed = HeaderField(
      raw: octets[field.start..<end],
      nameLength: field.nameLength,
      bodyOffset: field.bodyOffset
    )
    draft.fields.append(closed)
  }

  private func finish(_ draft: inout HeaderDraft, _ end: Int) -> Header {
    close(&draft, at: end, beginning: FieldDraft(start: end))
    return Header(fields: draft.fields)
  }
}

/// A header that is being read.
private struct HeaderDraft {
  var fields: [HeaderField] = []
  var field: FieldDraft
  /// Which of the well-known fields it has, a bit for each.
  var known: UInt32 = 0
  /// Up to where the header goes at least.
  var knownField = 0
  /// The boundary, once it was asked for.
  private var told: [UInt8]??

  init(start: Int) {
    field = FieldDraft(start: start)
  }

  /// The boundary that its Content-Type tells; nil for none.
  mutating func boundary() -> [UInt8]? {
    if let told { return told }
    guard let type = fields.first(where: { $0.isNamed("Content-Type") }) else { return nil }
    let boundary = ContentType(type.body)?.boundary
    told = .some(boundary)
    return boundary
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
