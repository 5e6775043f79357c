internal import Octets

/// The map of a mailbox as it is written, piece by piece.
struct MapPieces: Sequence, IteratorProtocol {
  /// Octets of a piece, and a line more.
  private static let pieceSize = 1 << 16

  private var records: MapRecords
  private var checksum = CRC32C()
  /// The lines above the records; empty once they were given.
  private var head: [UInt8]
  private var isSealed = false

  /// The map of that state; what it need not know any more at that time, in seconds since 1970, is left out.
  init(_ state: MailboxState, now: Int64) {
    head =
      MapFile.title.octets(isNewest: state.holdsPartials) + [ASCII.lineFeed]
      + MapFile.encode(state.header)
    records = MapRecords(state, now: now)
  }

  /// The next piece; nil after the last.
  mutating func next() -> [UInt8]? {
    guard !isSealed else { return nil }
    var piece = head
    head = []
    while piece.count < Self.pieceSize, let record = records.next() {
      piece += RecordCodec.encode(record)
      piece.append(ASCII.lineFeed)
    }
    checksum.update(piece)
    if piece.count < Self.pieceSize {
      piece += TextFile.seal(checksum)
      isSealed = true
    }
    return piece
  }
}
