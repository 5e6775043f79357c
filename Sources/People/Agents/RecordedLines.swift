internal import Octets
package import Platform

/// The lines of a file from its end on, in little memory, however long the file or a line is.
package struct RecordedLines: ~Copyable {
  /// A line.
  package struct Line: Equatable, Sendable {
    /// Its octets, without the line end; of one that is too long only the beginning.
    package var octets: [UInt8]
    /// Whether it is too long.
    package var isCut = false
  }

  /// Octets of a line at most: more than a call has (`CallRecord`).
  private let lineLimit: Int
  /// Octets that are read at once.
  private let pieceSize: Int
  private let file: Descriptor
  /// How much of the file lies before what was read.
  private var position: Int64 = 0
  /// What was read and not given yet; its end is that of a line.
  private var pending: ArraySlice<UInt8> = []
  /// Whether the end of the line that is looked for was dropped.
  private var isCut = false
  private var isAtEnd = false

  /// The lines of a file as long as it is now.
  package init(
    _ file: consuming Descriptor,
    lineLimit: Int = 512 << 10,
    pieceSize: Int = 256 << 10
  ) throws(SystemError) {
    self.file = file
    (self.lineLimit, self.pieceSize) = (lineLimit, pieceSize)
    position = Int64(try self.file.status().size)
    pending = try takePiece()[...]
    isAtEnd = pending.isEmpty
    // A last line that a process which was ended left half is a line all the same.
    if pending.last == ASCII.lineFeed { pending.removeLast() }
  }

  /// The line before the one that was given last; nil at the beginning of the file.
  package mutating func next() throws(SystemError) -> Line? {
    var searched = pending
    while !isAtEnd {
      if let end = searched.lastIndex(of: ASCII.lineFeed) {
        let line = Line(octets: [UInt8](pending[(end + 1)...]), isCut: isCut)
        (pending, isCut) = (pending[..<end], false)
        return line
      }
      let piece = try takePiece()
      guard !piece.isEmpty else {
        isAtEnd = true
        return Line(octets: [UInt8](pending), isCut: isCut)
      }
      let isTooLong = piece.count + pending.count > lineLimit + pieceSize
      pending = (piece + pending.prefix(isTooLong ? lineLimit : .max))[...]
      searched = pending.prefix(piece.count)
      isCut = isCut || isTooLong
    }
    return nil
  }

  /// The octets before those that were read; none at the beginning of the file.
  private mutating func takePiece() throws(SystemError) -> [UInt8] {
    let start = max(0, position - Int64(pieceSize))
    let piece = try file.read(atMost: Int(position - start), at: start)
    position = start
    return piece
  }
}
