internal import Octets

/// Puts the brackets between the messages of a thread: an array of pairs, each a message and the array of its answers.
struct Nesting {
  /// How many pairs are open.
  private var open = 0
  private var isFirst = true

  /// A message with all that stands between it and the one before.
  ///
  /// Its depth is 0 where it answers none, and at most one more than that of the message before.
  mutating func add(_ message: [UInt8], depth: Int) -> [UInt8] {
    var octets: [UInt8] = isFirst ? [ASCII.openBracket] : []
    let closed = open - depth
    for _ in 0..<max(0, closed) { octets += [ASCII.closeBracket, ASCII.closeBracket] }
    if !isFirst, closed > 0 { octets.append(ASCII.comma) }
    octets += [ASCII.openBracket] + message + [ASCII.comma, ASCII.openBracket]
    open = depth + 1
    isFirst = false
    return octets
  }

  /// What closes all that is open.
  var end: [UInt8] {
    if isFirst { return [ASCII.openBracket, ASCII.closeBracket] }
    return (0..<open).flatMap { _ in [ASCII.closeBracket, ASCII.closeBracket] }
      + [ASCII.closeBracket]
  }
}
