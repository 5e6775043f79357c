internal import Octets
internal import Platform
internal import SearchIndex
internal import Terminal
internal import Threads

/// What is said of a thread in a list.
struct ThreadWords {
  let thread: FoundThread
  let order: SearchOrder
  /// The tags of messages that are found without being counted.
  var uncounted: [[UInt8]] = []

  private var matched: Int { thread.messages.count { $0.isMatch && !$0.hasTag(uncounted) } }

  /// The date of the newest message found; of the oldest where those come first.
  var timestamp: Int64 {
    let dates = thread.messages.lazy.filter(\.isMatch).map(\.date)
    return (order == .oldestFirst ? dates.min() : dates.max()) ?? 0
  }

  /// `Alice, Bob| Carol`: behind the bar, those of messages that were not found.
  var authors: String {
    let (matched, others) = thread.authors
    let names = matched.map(Self.name).joined(separator: ", ")
    return others.isEmpty ? names : names + "| " + others.map(Self.name).joined(separator: ", ")
  }

  /// `[2/5]`: found, of all; `[2/5(7)]` where there are more files than messages.
  var counts: String {
    let files = thread.messages.reduce(0) { $0 + $1.files.count + $1.copies.count }
    let total = thread.messages.count
    return "[\(matched)/\(total)\(files > total ? "(\(files))" : "")]"
  }

  /// The line of the list.
  func line(_ dates: RelativeDate) -> String {
    let date = dates.text(timestamp)
    let padded = String(repeating: " ", count: max(0, 12 - date.count)) + date
    let subject = Printable.text(thread.subject(order))
    let tags = Printable.text(thread.tags.map(\.rawValue).joined(separator: " ").utf8)
    return "thread:\(thread.id) \(padded) \(counts) \(authors); \(subject) (\(tags))"
  }

  func json(_ dates: RelativeDate) -> JSONLine {
    let timestamp = timestamp
    var line = JSONLine()
    line.add("thread", thread.id.description)
    line.add("timestamp", timestamp)
    line.add("date_relative", dates.text(timestamp))
    line.add("matched", matched)
    line.add("total", thread.messages.count)
    line.add("authors", authors)
    line.add("subject", octets: thread.subject(order))
    line.add("query", orNull: [query(isMatch: true), query(isMatch: false)])
    line.add("tags", thread.tags.map(\.rawValue))
    line.add("unread", thread.messages.count { $0.tags.contains(.unread) })
    // As notmuch prints it where no subject joins anything.
    let bySubject = thread.joinedBySubject.count
    if bySubject > 0 { line.add("by_subject", bySubject) }
    line.add("snippet", octets: thread.snippet)
    let archives = Set(thread.messages.flatMap(\.copies).map(\.archive)).sorted()
    if !archives.isEmpty { line.add("archives", archives) }
    line.add("version", ResultWords.version)
    return line
  }

  /// A query that finds the messages which were found, or those which were not, and no others; nil for none.
  private func query(isMatch: Bool) -> String? {
    let ids = thread.messages.lazy.filter { $0.isMatch == isMatch }.map { ResultWords.id($0.id) }
    let words = Array(ids.joined(separator: [ASCII.space]))
    return words.isEmpty ? nil : String(decoding: words, as: UTF8.self)
  }

  /// `Liddell, Alice` is Alice Liddell where the address says so too.
  private static func name(_ person: Person) -> String {
    let name = person.shortName
    let parts = name.split(separator: ASCII.comma, omittingEmptySubsequences: false)
    if parts.count == 2, !person.name.isEmpty {
      let (last, first) = (trimmed(parts[0]), trimmed(parts[1]))
      let both = first + [ASCII.space] + last
      let local = person.address.prefix { $0 != ASCII.at }
      if !first.isEmpty, !last.isEmpty, comparable(local) == comparable(both[...]) {
        return Printable.text(both)
      }
    }
    return Printable.text(name)
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
    Array(Array(text.drop { $0 == ASCII.space }).reversed().drop { $0 == ASCII.space }.reversed())
  }

  private static func comparable(_ text: ArraySlice<UInt8>) -> [UInt8] {
    text.filter { ASCII.isLetter($0) || $0 >= 0x80 }.map { ASCII.lowercased($0) }
  }
}

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
