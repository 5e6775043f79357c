internal import Octets

/// A tag as it was read.
struct HTMLTag {
  /// The name in small letters.
  let name: ArraySlice<UInt8>

  let isEnd: Bool

  /// Where the attributes stand in the text; they are read only where they matter.
  let attributes: Range<Int>

  /// Where the text goes on.
  let end: Int
}
