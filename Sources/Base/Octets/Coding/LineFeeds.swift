/// Line ends as files of Unix have them.
package enum LineFeeds {
  /// The octets with LF for each CRLF; a CR that no LF follows stays.
  package static func only(_ octets: [UInt8]) -> [UInt8] {
    guard octets.contains(ASCII.carriageReturn) else { return octets }
    var result: [UInt8] = []
    result.reserveCapacity(octets.count)
    for octet in octets {
      if octet == ASCII.lineFeed, result.last == ASCII.carriageReturn { result.removeLast() }
      result.append(octet)
    }
    return result
  }

  /// The same for octets that are read piece by piece; they are read once for it.
  ///
  /// - Throws: `SourceError` where they cannot be read.
  package static func only(_ octets: any OctetSource) throws(SourceError) -> any OctetSource {
    if let octets = octets as? [UInt8] { return only(octets) }
    guard try octets.has(ASCII.carriageReturn) else { return octets }
    let converted = try ConvertedOctets(octets, LineFeedConverter())
    return converted.count == octets.count ? octets : converted
  }
}

/// Makes LF of each CRLF.
package struct LineFeedConverter: OctetConverter {
  /// Whether a CR came last, which may belong to a line end.
  private var hasReturn = false

  /// A converter that took nothing yet.
  package init() {}

  /// What becomes of the next octets; see `OctetConverter`.
  package mutating func convert(_ octets: ArraySlice<UInt8>, isEnd: Bool) -> [UInt8] {
    var text = (hasReturn ? [ASCII.carriageReturn] : []) + octets
    hasReturn = !isEnd && text.last == ASCII.carriageReturn
    if hasReturn { text.removeLast() }
    return LineFeeds.only(text)
  }
}
