internal import Octets
internal import SpoolPlan
internal import Hashing

/// A seal that grows with the octets of a message.
struct Sealing: ~Copyable {
  private var size: UInt64 = 0
  private var checksum = Hash64()
  /// Nil unless the seal is to be of the former kind.
  private var digest: SHA256?

  /// The seal of no octets yet, of the kind of another one; of the usual kind where that is nil.
  init(like other: MessageSeal?) {
    switch other?.checksum {
    case .sha256: digest = SHA256()
    case .hash64, nil: digest = nil
    }
  }

  /// Takes the next octets.
  mutating func update(_ piece: ArraySlice<UInt8>) {
    size += UInt64(piece.count)
    if digest == nil { checksum.update(piece) } else { digest?.update(piece) }
  }

  /// The seal of all that was taken.
  consuming func finish() -> MessageSeal {
    let (size, checksum) = (size, checksum)
    guard let digest else { return MessageSeal(size: size, checksum: .hash64(checksum.value)) }
    return MessageSeal(size: size, checksum: .sha256(digest.finish()))
  }
}
