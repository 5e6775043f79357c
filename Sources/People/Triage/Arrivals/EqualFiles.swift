internal import Platform

/// Compares the octets of two files piece by piece.
enum EqualFiles {
  private static let pieceLength = 1 << 20

  /// Whether both have the same octets.
  ///
  /// - Throws: why one cannot be read.
  static func areEqual(_ one: Path, _ other: Path) throws(SystemError) -> Bool {
    let left = try Descriptor.open(one, .read)
    let right = try Descriptor.open(other, .read)
    let size = Int64(try left.status().size)
    guard Int64(try right.status().size) == size else { return false }
    var offset: Int64 = 0
    while offset < size {
      let piece = try left.read(atMost: pieceLength, at: offset)
      guard !piece.isEmpty, try right.read(atMost: piece.count, at: offset) == piece else {
        return false
      }
      offset += Int64(piece.count)
    }
    return true
  }
}
