/// A fast checksum of 64 bits, the same on every machine and in every run.
///
/// FNV-1a with a final mix of all bits. Good against accidents; no defence against a person who wants two texts to
/// have the same one.
package struct Hash64: Sendable {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The checksum of nothing so far.
  package init() {}

  /// Takes more octets.
  package mutating func update(_ octets: some Sequence<UInt8>) {
    let wasContiguous: Void? = octets.withContiguousStorageIfAvailable { update(buffer: $0) }
    guard wasContiguous == nil else { return }
    Array(octets).withUnsafeBufferPointer { update(buffer: $0) }
  }

  /// Without the calls that a sequence of unknown kind costs for each octet.
  private mutating func update(buffer: UnsafeBufferPointer<UInt8>) {
    var state = self.state
    for octet in buffer { state = (state ^ UInt64(octet)) &* 0x100_0000_01B3 }
    self.state = state
  }

  /// Takes a number, its eight octets from the lowest.
  package mutating func update(_ number: UInt64) {
    var rest = number
    for _ in 0..<8 {
      state = (state ^ (rest & 0xFF)) &* 0x100_0000_01B3
      rest >>= 8
    }
  }

  /// The checksum of all octets taken so far.
  package var value: UInt64 {
    var mixed = state
    mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return mixed ^ (mixed >> 33)
  }

  /// The checksum of some octets.
  package static func of(_ octets: some Sequence<UInt8>) -> UInt64 {
    var hash = Hash64()
    hash.update(octets)
    return hash.value
  }
}
