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

  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  init(_ message: Message, path: Path, found: FoundMessage?) {
    self.message = message
    self.path = path
    self.found = found
  }

  /// The fields that are shown where not all are wanted.
  private static let chosen: [StaticString] = ["From", "To", "Cc", "Date", "Subject"]

  // MARK: Text

  /// Header, list of parts and text, without anything that a terminal would obey.
  func text(prefersHTML: Bool, allHeaders: Bool) -> [UInt8] {
    var lines = allHeaders ? self.allHeaders : chosenHeaders
    if let found, !found.tags.isEmpty {
      lines.append("Tags: " + found.tags.map(\.rawValue).joined(separator: " "))
    }
    let parts = attachments
    if !parts.isEmpty { lines.append("Parts:") }
    lines += parts
    let bodies = bodies(prefersHTML).map {
      $0.split(separator: "\n", omittingEmptySubsequences: false)
    }
    for body in bodies {
      lines.append("")
      lines += body.map(String.init)
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private var chosenHeaders: [String] {
    Self.chosen.compactMap { name in
      guard let field = message.header.first(name) else { return nil }
      return "\(name): \(Self.clean(field.text(decoder)))"
    }
  }

  private var allHeaders: [String] {
    message.header.fields.filter { !$0.name.isEmpty }.map { field in
      "\(Self.clean(field.name)): \(Self.clean(field.text(decoder)))"
    }
  }

  /// A line for each part that can be saved: its number, name, type and size.
  private var attachments: [String] {
    message.attachments.map { part in
      let number = part.section?.description ?? "-"
      let name = part.fileName(decoder).map { Self.clean($0) } ?? "without a name"
      let type = Self.clean(part.contentType.octets)
      let size = HumanFormat.bytes(UInt64(part.estimatedSize))
      return "  \(number)  \(name)  (\(type), \(size))"
    }
  }

  /// The texts to read, each cleaned line by line.
  private func bodies(_ prefersHTML: Bool) -> [String] {
    message.bodies(preferring: prefersHTML ? .html : .plain).compactMap { part in
      guard let text = part.plainText(decoder) else { return nil }
      let lines = text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
      return lines.map { Self.clean($0) }.joined(separator: "\n")
    }
  }

  /// A line without controls that a terminal would obey; tabs are kept as spaces.
  private static func clean(_ line: some Collection<UInt8>) -> String {
    guard line.contains(ASCII.tab) else { return Printable.text(line, limit: .max) }
    var spaced: [UInt8] = []
    for octet in line {
      if octet == ASCII.tab {
        repeat { spaced.append(ASCII.space) } while spaced.count % 8 != 0
      } else {
        spaced.append(octet)
      }
    }
    return Printable.text(spaced, limit: .max)
  }

  // MARK: JSON

  /// The version of the JSON format.
  private static let version = 1

  /// The message as an object; see magnum-formats(5).
  func json(prefersHTML: Bool, _ dates: RelativeDate) -> JSONLine {
    var line = JSONLine()
    line.add("id", octets: found?.id ?? message.header.messageID?.octets ?? [])
    line.add("match", found?.isMatch ?? true)
    line.add("filename", files)
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

  private var files: [String] {
    guard let found else { return [String(decoding: path.octets, as: UTF8.self)] }
    return found.files.compactMap { $0.currentPath() }
      .map { String(decoding: $0.octets, as: UTF8.self) }
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
