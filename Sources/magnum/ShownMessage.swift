internal import MIME
internal import Octets
internal import Platform
internal import SearchIndex
internal import Terminal
internal import Threads

/// A message for reading.
struct ShownMessage {
  let message: Message
  let path: Path
  /// What the index knows of it; nil for a file that was named.
  let found: FoundMessage?

  let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  init(_ message: Message, path: Path, found: FoundMessage?) {
    self.message = message
    self.path = path
    self.found = found
  }

  // MARK: JSON

  /// The version of the JSON format.
  private static let version = 1

  /// The message as an object; see magnum-formats(5).
  func json(prefersHTML: Bool, _ dates: RelativeDate) -> JSONLine {
    var line = JSONLine()
    line.add("id", octets: found?.id ?? message.header.messageID?.octets ?? [])
    line.add("match", found?.isMatch ?? true)
    line.add("filename", octets: files)
    let date = found?.date ?? message.header.date?.seconds ?? 0
    line.add("timestamp", date)
    line.add("date_relative", dates.text(date))
    line.add("tags", found?.tags.map(\.rawValue) ?? [])
    if let found { line.add("thread", found.thread.description) }
    line.add("headers", headers)
    line.add("body", body(prefersHTML))
    line.add("version", Self.version)
    return line
  }

  private var files: [[UInt8]] {
    guard let found else { return [path.octets] }
    return found.files.compactMap { $0.currentPath()?.octets }
  }

  private var headers: JSONLine {
    var line = JSONLine()
    let names: [StaticString] = [
      "Subject", "From", "To", "Cc", "Bcc", "Reply-To", "Date", "Message-ID", "In-Reply-To",
      "References", "List-Id",
    ]
    for name in names {
      guard let field = message.header.first(name) else { continue }
      line.add("\(name)", octets: field.text(decoder))
    }
    return line
  }

  /// All leaves and messages inside; those to be read with their text.
  private func body(_ prefersHTML: Bool) -> [JSONLine] {
    let shown = Set(message.bodies(preferring: prefersHTML ? .html : .plain).map(\.section))
    return message.parts.filter { $0.kind != .multipart && $0.section != nil }.map { part in
      var line = JSONLine()
      line.add("id", part.section?.description ?? "")
      line.add("content-type", octets: part.contentType.octets)
      if let name = part.fileName(decoder) { line.add("filename", octets: name) }
      if let id = part.contentID { line.add("content-id", octets: id.octets) }
      line.add("size", part.estimatedSize)
      line.add("attachment", part.role == .attachment)
      if shown.contains(part.section), let text = part.plainText(decoder) {
        line.add("content", octets: text)
      }
      return line
    }
  }
}
