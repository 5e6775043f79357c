internal import Octets

/// The id of a message or part, compared octet by octet (RFC 5322 §3.6.4).
package struct MessageID: Sendable, Hashable {
  /// The id without its angle brackets and white space; never empty.
  package let octets: [UInt8]

  /// An id of those octets; `nil` when nothing but white space and brackets is left of them.
  package init?(stripping octets: some Collection<UInt8>) {
    let isKept = { (octet: UInt8) in
      octet > ASCII.space && octet != ASCII.delete && octet != ASCII.lessThan
        && octet != ASCII.greaterThan
    }
    self.octets = octets.filter(isKept)
    if self.octets.isEmpty { return nil }
  }

  /// The id in the value of a Message-ID or Content-ID field: what the first angle brackets hold,
  /// else the first word; `nil` when there is neither.
  package init?(_ body: [UInt8]) {
    if let id = MessageID.bracketed(body, limit: 1).first {
      self = id
      return
    }
    let words = MessageID.words(body)
    guard let word = words.first(where: { $0.contains(ASCII.at) }) ?? words.first else {
      return nil
    }
    self.init(stripping: word)
  }

  /// The ids in the value of an In-Reply-To or References field, in their order, doubles kept.
  ///
  /// Where there are angle brackets only they count, so that the addresses of prose
  /// (`Your message of Monday <id@host>`) are no ids. Else every word of the form `x@y` is one.
  package static func list(_ body: [UInt8]) -> [MessageID] {
    let bracketed = bracketed(body, limit: .max)
    if !bracketed.isEmpty { return bracketed }
    return words(body).compactMap { word in
      guard let at = word.firstIndex(of: ASCII.at), at > word.startIndex else { return nil }
      return at < word.endIndex - 1 ? MessageID(stripping: word) : nil
    }
  }

  /// What stands between `<` and `>`; an unclosed one ends before the next `<`, or a comma.
  private static func bracketed(_ body: [UInt8], limit: Int) -> [MessageID] {
    var result: [MessageID] = []
    var start: Int?
    for (index, octet) in body.enumerated() where result.count < limit {
      switch octet {
      case ASCII.lessThan:
        start.flatMap { MessageID(unclosed: body[$0..<index]) }.map { result.append($0) }
        start = index + 1
      case ASCII.greaterThan:
        start.flatMap { MessageID(stripping: body[$0..<index]) }.map { result.append($0) }
        start = nil
      default: continue
      }
    }
    if let start, let id = MessageID(unclosed: body[start...]), result.count < limit {
      result.append(id)
    }
    return result
  }

  private init?(unclosed octets: ArraySlice<UInt8>) {
    self.init(stripping: octets.drop { $0 == ASCII.space }.prefix { !MessageID.isSeparator($0) })
  }

  private static func words(_ body: [UInt8]) -> [ArraySlice<UInt8>] {
    body.split { isSeparator($0) || $0 == ASCII.quote || $0 == ASCII.lessThan }
  }

  private static func isSeparator(_ octet: UInt8) -> Bool {
    octet <= ASCII.space || octet == ASCII.comma || octet == ASCII.semicolon
  }
}
