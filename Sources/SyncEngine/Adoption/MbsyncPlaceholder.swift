internal import Octets

/// Tells the files that mbsync made in place of messages above the size limit its user set.
///
/// Such a file has the message's own header, Message-ID and all, so that it would be taken for the message:
///
///     Having a size of 12.5MiB, this message is over the MaxSize limit.
///     Flag it and sync again (Sync mode ReNew) to fetch its real contents.
///
/// `MbsyncState.Pair.placeholder` tells too, where there is a state file.
enum MbsyncPlaceholder {
  /// The body of such a file is shorter than this many octets.
  static let sizeLimit = 256

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
