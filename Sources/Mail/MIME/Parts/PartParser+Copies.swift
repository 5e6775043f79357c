internal import Octets

// Parts whose own parts are in octets that are made of them.
extension PartParser {
  /// How many encoded messages may lie in one another: each is a copy of what it holds.
  private static let decodingLimit = 3

  /// Reads a message in base64 or quoted-printable, which RFC 2046 §5.2.1 forbids.
  mutating func encodedMessage(
    _ draft: PartDraft,
    root place: PartPlace
  ) -> (part: Part, end: Delimiter?) {
    guard decodings < PartParser.decodingLimit else {
      exceedsLimits = true
      return leaf(draft)
    }
    let delimiter = nextDelimiter(from: draft.bodyStart)
    let end = end(draft, delimiter)
    let decoded = draft.encoding.decode(octets[draft.bodyStart..<end])
    var parser = PartParser(decoded, limits: limits, count: count, decodings: decodings + 1)
    let root = parser.parse(at: place)
    count = parser.count
    exceedsLimits = exceedsLimits || parser.exceedsLimits
    return (draft.part(octets, end: end, kind: .message, children: [root]), delimiter)
  }

  /// A file of Outlook, or a message within its signature, as what it holds; nil for everything else, and where nothing can
  /// be made out.
  mutating func opened(_ draft: PartDraft, to end: Int) -> Part? {
    guard draft.isTNEF || draft.mayHoldSignedContent else { return nil }
    guard decodings < PartParser.decodingLimit, draft.place.depth < limits.nesting else {
      exceedsLimits = true
      return nil
    }
    let decoded = draft.encoding.decode(octets[draft.bodyStart..<end])
    let entities =
      draft.isTNEF
      ? TNEFReader.read(decoded).entities
      : CMSReader.signedContent(decoded[...]).map { [$0] } ?? []
    var children: [Part] = []
    for entity in entities {
      guard count < limits.parts else {
        exceedsLimits = true
        break
      }
      let place = PartPlace(
        above: draft.place.section(isMultipart: false)?.numbers ?? [],
        number: children.count + 1,
        depth: draft.place.depth + 1,
        container: nil
      )
      var parser = PartParser(entity, limits: limits, count: count, decodings: decodings + 1)
      children.append(parser.parse(at: place))
      count = parser.count
      exceedsLimits = exceedsLimits || parser.exceedsLimits
    }
    guard !children.isEmpty else { return nil }
    return draft.part(octets, end: end, kind: .multipart, children: children)
  }
}
