internal import Octets
internal import Hashing

/// The fields of a message's header as a whole (RFC 5322 §2.2).
package enum HeaderFields {
  /// Fields that servers and programs write into a message without making it another one.
  private static let added: [StaticString] = [
    "Received:", "Delivered-To:", "Return-Path:", "X-Original-To:", "Lines:", "Content-Length:",
    "Status:", "X-Status:", "X-Keywords:", "X-UID:", "X-TUID:", "X-OfflineIMAP:",
    "X-Mozilla-Status:",
    "X-Mozilla-Status2:", "X-Mozilla-Keys:", "X-Magnum-Partial:",
  ]

  /// The SHA-256 of the fields, which have LF line ends, without those that tools add.
  package static func digest(_ header: ArraySlice<UInt8>) -> [UInt8] {
    var hash = SHA256()
    var isLeftOut = false
    var rest = header
    while !rest.isEmpty {
      let end = rest.firstIndex(of: ASCII.lineFeed) ?? rest.endIndex
      let line = rest[..<end]
      if let first = line.first, first != ASCII.space, first != ASCII.tab {
        isLeftOut = added.contains { line.startsCaseless(with: $0) }
      }
      if !isLeftOut, !line.isEmpty {
        hash.update(line)
        hash.update([ASCII.lineFeed])
      }
      rest = end == rest.endIndex ? [] : rest[(end + 1)...]
    }
    return hash.finish()
  }
}
