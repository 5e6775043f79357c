internal import Octets
internal import Platform
internal import SearchIndex
internal import Terminal
internal import Threads

/// A thread as a tree, in words.
struct TreeWords {
  private let thread: FoundThread
  private let tree: ThreadTree

  init(_ thread: FoundThread) {
    self.thread = thread
    tree = ThreadTree(thread.messages.map(\.member))
  }

  /// A line for the thread, and one for each message, answers indented; `*` before what was found.
  func text(_ dates: RelativeDate) -> String {
    let head = "thread:\(thread.id)  \(Printable.text(thread.subject))"
    let lines = tree.flattened.map { place, depth in
      let message = thread.messages[place]
      let indent = String(repeating: "  ", count: min(depth, 30) + 1)
      let author = message.from.first.map { Printable.text($0.shortName) } ?? "unknown"
      let id = Printable.text(ResultWords.id(message.id))
      let tags = Printable.text(message.tags.map(\.rawValue).joined(separator: " ").utf8)
      return
        "\(message.isMatch ? "*" : " ")\(indent)\(author), \(dates.text(message.date))  \(id) (\(tags))"
    }
    return ([head] + lines).joined(separator: "\n")
  }

  /// The messages in the order of the tree, each with its depth.
  func json(_ dates: RelativeDate) -> JSONLine {
    var line = JSONLine()
    line.add("thread", thread.id.description)
    line.add("subject", octets: thread.subject)
    line.add("messages", tree.flattened.map { json(thread.messages[$0.place], $0.depth, dates) })
    line.add("version", ResultWords.version)
    return line
  }

  private func json(_ message: FoundMessage, _ depth: Int, _ dates: RelativeDate) -> JSONLine {
    var line = JSONLine()
    line.add("id", octets: message.id)
    line.add("depth", depth)
    line.add("match", message.isMatch)
    line.add("timestamp", message.date)
    line.add("date_relative", dates.text(message.date))
    line.add("from", message.from.map { String(decoding: $0.text, as: UTF8.self) })
    line.add("subject", octets: message.subject)
    line.add("tags", message.tags.map(\.rawValue))
    line.add("filename", octets: message.files.map(\.path.octets))
    let archives = Set(message.copies.map(\.archive)).sorted()
    if !archives.isEmpty { line.add("archives", archives) }
    line.add("size", message.size)
    line.add("snippet", octets: message.snippet)
    return line
  }
}
