internal import MIME
internal import Octets
internal import Platform
internal import SearchIndex
internal import Terminal
internal import Threads

/// A message for reading.
struct ShownMessage {
  let message: Message
  /// Its file; nil for a message of an archive.
  let path: Path?
  /// What the index knows of it; nil for a file that was named.
  let found: FoundMessage?

  let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  init(_ message: Message, path: Path?, found: FoundMessage?) {
    self.message = message
    self.path = path
    self.found = found
  }

  // MARK: JSON

  /// The version of the JSON format.
  private static let version = 2

  /// The message as an object; see magnum-formats(5).
  ///
  /// - Parameters:
  ///   - wishes: what is wanted of its parts; nil: nothing.
  ///   - dates: for people.
  /// - Returns: the object.
  func json(_ wishes: ShownPart.Wishes?, _ dates: RelativeDate) -> JSONLine {
    var line = JSONLine()
    line.add("id", octets: found?.id ?? message.header.messageID?.octets ?? [])
    line.add("match", found?.isMatch ?? true)
    line.add("excluded", false)
    line.add("filename", octets: files)
    let date = found?.date ?? message.header.date?.seconds ?? 0
    line.add("timestamp", date)
    line.add("date_relative", dates.text(date))
    line.add("tags", found?.tags.map(\.rawValue) ?? [])
    line.add("duplicate", duplicate)
    if let found { line.add("thread", found.thread.description) }
    line.add("crypto", JSONLine())
    line.add("headers", ShownHeaders.json(message.header, decoder))
    if let wishes {
      var parts = ShownPart(message, wishes, decoder)
      line.add("body", [parts.json(message.root)])
    }
    line.add("version", Self.version)
    return line
  }

  private var files: [[UInt8]] {
    guard let found else { return path.map { [$0.octets] } ?? [] }
    return found.files.compactMap { $0.currentPath()?.octets }
  }

  /// Which of the files it was read from, from 1.
  private var duplicate: Int {
    (path.flatMap { files.firstIndex(of: $0.octets) } ?? 0) + 1
  }
}
