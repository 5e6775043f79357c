internal import Maildir
package import Platform

/// Reads a message in the form in which it goes over the wire: every line end as CRLF.
package struct WireReader: ~Copyable {
  /// Octets that are read at once.
  package static let runLength = 256 << 10

  private let file: Descriptor?
  private var lineEnds = LineEnds()
  private var ready: ArraySlice<UInt8> = []
  private var isAtEnd = false

  /// Opens a message file; it stays the same when it is renamed.
  package init(_ path: Path) throws(SystemError) {
    file = try Descriptor.open(path, .read)
  }

  /// A reader of a message that is in memory.
  package init(octets: [UInt8]) {
    file = nil
    isAtEnd = true
    let text = lineEnds.convert(octets[...]) + lineEnds.finish()
    ready = LineEnds.restored(text[...])[...]
  }

  /// The next octets, at most so many; empty only at the end.
  package mutating func next(atMost count: Int) throws(SystemError) -> ArraySlice<UInt8> {
    while ready.isEmpty, !isAtEnd {
      let run = try file?.read(atMost: Self.runLength) ?? []
      isAtEnd = run.isEmpty
      let text = isAtEnd ? lineEnds.finish() : lineEnds.convert(run[...])
      ready = LineEnds.restored(text[...])[...]
    }
    let next = ready.prefix(count)
    ready = ready.dropFirst(count)
    return next
  }
}
