internal import Octets
package import Platform

// What is known of a draft besides its text.
extension Composition {
  /// What is known of it besides its text.
  package struct Facts: Hashable, Sendable {
    /// The account that it is to be sent with.
    package var account: String?
    /// The file in Drafts that it was made of, or is kept in.
    package var draft: Path?
    /// The message that it answers or passes on.
    package var original: Path?
    /// Whether it was about to be put into the queue.
    package var isQueuing = false

    /// Nothing known.
    package init() {}
  }

  /// Writes what is known besides the text; durable when it returns.
  package func write(_ facts: Facts) throws(SystemError) { try write(facts, memory: memory) }

  /// The same, with the directory in memory in which the text is looked for.
  func write(_ facts: Facts, memory: Path?) throws(SystemError) {
    var lines: [UInt8] = []
    let values: [(StaticString, [UInt8]?)] = [
      ("account", facts.account.map { [UInt8]($0.utf8) }), ("draft", facts.draft?.octets),
      ("original", facts.original?.octets), ("queuing", facts.isQueuing ? [0x31] : nil),
      ("memory", memory?.octets),
    ]
    for (name, value) in values {
      guard let value else { continue }
      lines += [UInt8](ascii: name) + [ASCII.colon, ASCII.space]
      lines += PercentEscape.escape(value, ASCII.isControl) + [ASCII.lineFeed]
    }
    try AtomicFile.replace(factsFile, with: lines)
  }

  /// What is known besides the text.
  package func facts() throws(SystemError) -> Facts {
    var facts = Facts()
    for (name, value) in try factLines() {
      if name.elementsEqual("account".utf8) {
        facts.account = String(decoding: value, as: UTF8.self)
      } else if name.elementsEqual("draft".utf8) {
        facts.draft = Path(value)
      } else if name.elementsEqual("original".utf8) {
        facts.original = Path(value)
      } else if name.elementsEqual("queuing".utf8) {
        facts.isQueuing = true
      }
    }
    return facts
  }

  /// The directory in memory that the text was put into, also where that is not among the usual ones now.
  func notedMemory() -> Path? {
    let lines = (try? factLines()) ?? []
    return lines.first { $0.name.elementsEqual("memory".utf8) }.map { Path($0.value) }
  }

  private func factLines() throws(SystemError) -> [(name: ArraySlice<UInt8>, value: [UInt8])] {
    let octets = try FileSystem.readFile(factsFile, limit: 1 << 20) ?? []
    return octets.split(separator: ASCII.lineFeed).compactMap { line in
      var cursor = Cursor(line)
      guard let name = cursor.take(upTo: ASCII.colon), cursor.skip(": "),
        let value = PercentEscape.unescape(cursor.remaining)
      else { return nil }
      return (name, value)
    }
  }
}
