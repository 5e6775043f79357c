package import Octets

/// Why a message is not sent as it is.
///
/// Lines count from 1.
package enum MessageError: Error, Hashable, Sendable {
  /// A CR that no LF follows; servers do not agree whether that ends a line.
  case bareCarriageReturn(line: UInt64)

  /// A NUL, which no message may contain (RFC 5322 §2.2).
  case null(line: UInt64)

  /// What was given to send is not what was scanned; both in octets.
  ///
  /// The message is not completed: a part of it must not pass for the whole.
  case sizeChanged(scanned: UInt64, given: UInt64)

  /// It can no longer be read.
  case unreadable(SourceError)
}

extension MessageError {
  /// The next octets of a message; nil at its end.
  package static func next(
    of pieces: inout OctetPieces
  ) throws(MessageError) -> ArraySlice<UInt8>? {
    do throws(SourceError) {
      return try pieces.next()
    } catch {
      throw .unreadable(error)
    }
  }
}
