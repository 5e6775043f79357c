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
}
