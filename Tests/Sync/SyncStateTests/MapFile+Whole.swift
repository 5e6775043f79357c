@testable import SyncState

/// Maps at once, as no program reads or writes them.
extension MapFile {
  static func encode(_ state: MailboxState, now: Int64) -> [UInt8] {
    Array(MapPieces(state, now: now).joined())
  }

  /// Reads a map in pieces of so many octets.
  static func decode(_ octets: [UInt8], piece: Int = .max) throws(StateError) -> MailboxState {
    var reader = reader(octets, piece, isHeaderOnly: false)
    return try reader.finish()
  }

  static func decodeHeader(_ octets: [UInt8]) throws(StateError) -> MailboxHeader {
    var reader = reader(octets, .max, isHeaderOnly: true)
    return try reader.finish().header
  }

  private static func reader(_ octets: [UInt8], _ piece: Int, isHeaderOnly: Bool) -> MapReader {
    var reader = MapReader(octetCount: octets.count, isHeaderOnly: isHeaderOnly)
    var rest = octets[...]
    while !rest.isEmpty {
      let next = rest.prefix(piece)
      rest = rest.dropFirst(next.count)
      next.withUnsafeBytes { reader.readOctets($0) }
    }
    return reader
  }
}
