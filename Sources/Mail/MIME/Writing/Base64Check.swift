internal import Octets

/// Whether a body in base64 is as it should be, so that its digits can stay what they are.
enum Base64Check {
  /// Whether there is nothing but digits and line ends, in groups of four, with padding at the end alone.
  static func isClean(_ body: any OctetSource) throws(SourceError) -> Bool {
    var (digits, padding) = (0, 0)
    var pieces = body.pieces
    while let piece = try pieces.next() {
      for octet in piece where octet != ASCII.lineFeed && octet != ASCII.carriageReturn {
        if octet == ASCII.equals {
          padding += 1
        } else if padding == 0, Base64.isDigit(octet) {
          digits += 1
        } else {
          return false
        }
      }
    }
    return (digits + padding) % 4 == 0 && padding <= 2
  }
}
