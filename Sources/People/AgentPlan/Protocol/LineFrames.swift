internal import Octets

/// Cuts what comes from a client into lines, and drops those that are too long without keeping them.
package struct LineFrames: Sendable {
  private var pending: [UInt8] = []
  /// Whether the end of a line that is too long is awaited.
  private var isSkipping = false

  package init() {}

  /// Takes octets as they come, and gives the messages whose lines end in them.
  package mutating func add(_ octets: some Collection<UInt8>) -> [IncomingMessage] {
    var messages: [IncomingMessage] = []
    var rest = Array(octets)[...]
    while let end = rest.firstIndex(of: ASCII.lineFeed) {
      append(rest[..<end])
      messages += ended()
      rest = rest[(end + 1)...]
    }
    append(rest)
    return messages
  }

  /// The message of a last line without an end.
  package mutating func ended() -> [IncomingMessage] {
    defer { (pending, isSkipping) = ([], false) }
    if isSkipping { return [.tooLong] }
    if pending.last == ASCII.carriageReturn { pending.removeLast() }
    return pending.allSatisfy(ASCII.isBlank) ? [] : [IncomingMessage(pending)]
  }

  private mutating func append(_ octets: ArraySlice<UInt8>) {
    if isSkipping { return }
    guard pending.count + octets.count <= IncomingMessage.lengthLimit else {
      (pending, isSkipping) = ([], true)
      return
    }
    pending += octets
  }
}
