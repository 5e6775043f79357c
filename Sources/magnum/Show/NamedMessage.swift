internal import Platform

/// A message that an operand names: a file, a pipe, or standard input.
struct NamedMessage {
  let octets: [UInt8]
  let path: Path

  /// Longer files are refused.
  static let limit = 1 << 31

  /// Reads a message.
  ///
  /// - Parameter operand: `-` for standard input, or the name of a file.
  /// - Returns: nil where the operand names no such file, and so may be a query.
  /// - Throws: why the file cannot be read.
  static func read(_ operand: String) throws(SystemError) -> NamedMessage? {
    if operand == "-" {
      return NamedMessage(octets: try standardInput(), path: Path("-"))
    }
    let path = Path(argument: operand)
    guard let status = try? FileSystem.status(path), status.kind != .directory,
      let octets = try FileSystem.readFile(path, limit: limit, .read.orPipe)
    else { return nil }
    return NamedMessage(octets: octets, path: path)
  }

  private static func standardInput() throws(SystemError) -> [UInt8] {
    // Closed at the end: nothing else reads it.
    let input = Descriptor(adopting: 0)
    var octets: [UInt8] = []
    while octets.count < limit {
      let piece = try input.readWaiting(atMost: 1 << 16)
      if piece.isEmpty { break }
      octets += piece
    }
    return octets
  }
}
