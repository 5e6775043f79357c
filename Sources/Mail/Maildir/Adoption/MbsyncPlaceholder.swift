internal import Octets
package import Platform

/// Tells the files that mbsync made in place of messages above the size limit its user set.
///
/// Such a file has the message's own header, Message-ID and all, so that it would be taken for the message:
///
///     Having a size of 12.5MiB, this message is over the MaxSize limit.
///     Flag it and sync again (Sync mode ReNew) to fetch its real contents.
///
/// `MbsyncState.Pair.placeholder` tells too, where there is a state file.
package enum MbsyncPlaceholder {
  /// The body of such a file is shorter than this many octets.
  private static let sizeLimit = 256

  /// Whether a file is one; only files that mbsync made are looked into, and of those only small ones.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - name: its base name.
  ///   - bodySize: the octets of its body, as far as that is known.
  /// - Returns: false also where it cannot be read.
  package static func isOne(_ file: Path, _ name: [UInt8], bodySize: UInt64) -> Bool {
    guard bodySize < sizeLimit, ForeignName(name).nearUID != nil,
      let octets = try? FileSystem.readFile(file, limit: 1 << 20)
    else { return false }
    let text = octets.filter { $0 != ASCII.carriageReturn }
    guard let end = text.firstPlace(of: [ASCII.lineFeed, ASCII.lineFeed]) else { return false }
    return isBody(Array(text[end.upperBound...]))
  }

  /// Whether a message with this body, whatever its line ends, is one.
  static func isBody(_ body: [UInt8]) -> Bool {
    guard body.count < sizeLimit else { return false }
    var cursor = Cursor(body)
    guard cursor.skip("Having a size of ") else { return false }
    // The size, such as 0KiB or 12.5MiB.
    let size = cursor.take { ASCII.isDigit($0) || ASCII.isLetter($0) || $0 == ASCII.dot }
    return !size.isEmpty && cursor.skip(", this message is over the MaxSize limit.")
  }
}
