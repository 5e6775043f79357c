internal import Correspondence
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
    if let status = try? FileSystem.status(path), status.kind != .directory {
      return try FileSystem.readFile(path, limit: limit, .read.orPipe)
        .map { NamedMessage(octets: $0, path: path) }
    }
    guard let file = MessageFile(named: path) else { return nil }
    // Its flags changed, and its name with them.
    guard let current = file.currentPath(),
      let octets = try FileSystem.readFile(current, limit: limit)
    else { throw SystemError.notFound(path) }
    return NamedMessage(octets: octets, path: current)
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
