/// Whether octets that come piece by piece are well-formed UTF-8.
package struct UTF8Check: Sendable {
  /// The octets of a character that is not complete yet.
  private var rest: [UInt8] = []
  private var isWellFormed = true

  /// A check of nothing yet.
  package init() {}

  /// Whether all that was taken is well formed, and its last character complete.
  package var isValid: Bool { isWellFormed && rest.isEmpty }

  /// Checks the next octets.
  package mutating func readOctets(_ piece: ArraySlice<UInt8>) {
    guard isWellFormed else { return }
    let octets = rest + piece
    // A character that began in the last three octets may go on in the next piece.
    let begun = octets.indices.suffix(3).last { octets[$0] >= 0xC0 }
    let kept = begun.map { octets.count - $0 < Self.size(octets[$0]) ? octets.count - $0 : 0 } ?? 0
    rest = [UInt8](octets.suffix(kept))
    isWellFormed = UTF8Repair.isValid(octets.dropLast(kept))
  }

  /// How many octets a character has by its first one.
  private static func size(_ first: UInt8) -> Int { first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2 }
}
