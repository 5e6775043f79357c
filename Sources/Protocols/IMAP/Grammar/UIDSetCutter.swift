/// A set of UIDs being cut into pieces that keep to two bounds.
struct UIDSetCutter {
  private let count: Int
  private let octets: Int

  private var pieces: [UIDSet] = []
  private var piece: [ClosedRange<UInt32>] = []

  /// How many UIDs the piece can still take.
  private var room: Int

  /// The octets of the piece on the wire, each range with a comma.
  private var length = 0

  /// Pieces of at most `count` UIDs and at most `octets` octets on the wire.
  init(count: Int, octets: Int) {
    // "4294967294:4294967295" has 21 octets, and the comma is counted with it.
    precondition(count > 0 && octets >= 22, "a piece holds at least one range")
    self.count = count
    self.octets = octets
    room = count
  }

  /// Takes a range that is above all ranges before.
  mutating func add(_ range: ClosedRange<UInt32>) {
    var lower = range.lowerBound
    while true {
      let upper = UInt32(clamping: min(Int(range.upperBound), Int(lower) + room - 1))
      append(lower...upper)
      guard upper < range.upperBound else { return }
      lower = upper + 1
    }
  }

  /// The pieces, in order.
  mutating func finish() -> [UIDSet] {
    cut()
    return pieces
  }

  private mutating func append(_ range: ClosedRange<UInt32>) {
    var wire: [UInt8] = []
    UIDSet.append(range, to: &wire)
    if length + wire.count + 1 > octets { cut() }
    piece.append(range)
    length += wire.count + 1
    room -= range.count
    if room == 0 { cut() }
  }

  private mutating func cut() {
    guard !piece.isEmpty else { return }
    pieces.append(UIDSet(disjoint: piece))
    (piece, room, length) = ([], count, 0)
  }
}
