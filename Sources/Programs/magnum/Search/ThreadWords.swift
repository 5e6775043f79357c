internal import Octets
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
