import IMAP
import MailModel
import Octets

extension Session {
  /// What the octets mean that arrived.
  mutating func receive(_ octets: ArraySlice<UInt8>) throws(ProtocolError) -> [Event] {
    var events: [Event] = []
    try receive(octets, into: &events)
    return events
  }
}

/// Events as lines that people can read in a fixture; the chunks of a body are joined.
struct EventText {
  /// The events so far, a line each.
  private(set) var lines: [String] = []

  /// The first line not yet taken by `next()`.
  private var taken = 0

  /// How many body octets were announced and not seen yet.
  private var missing: UInt64 = 0

  mutating func append(_ events: [Event]) {
    for event in events { append(event) }
  }

  /// The next line in turn; `nil` when all were taken.
  mutating func next() -> String? {
    guard taken < lines.count else { return nil }
    taken += 1
    return lines[taken - 1]
  }

  private mutating func append(_ event: Event) {
    switch event {
    case .bodyBegin(let size):
      lines.append("body \(size) ")
      missing = size
    case .bodyChunk(let octets):
      lines[lines.count - 1] += Printable.text(octets, limit: .max)
      missing = octets.isEmpty ? .max : missing - UInt64(octets.count)
    case .bodyEnd:
      lines[lines.count - 1] += missing == 0 ? "." : " BROKEN"
    default: lines.append(Self.text(event))
    }
  }

  private static func text(_ event: Event) -> String {
    switch event {
    case .greeting(let status): "greeting \(text(status))"
    case .tagged(let tag, let status): "\(tag) \(text(status))"
    case .status(let status): "status \(text(status))"
    case .bye(let status): text(status)
    case .idling: "idling"
    case .continuation(let octets): "+ \(Printable.text(octets))"
    case .capabilities(let told): "capability \(text(told.words))"
    case .enabled(let words): "enabled \(text(words))"
    case .list(let entry): text(entry)
    case .namespaces(let told):
      ("namespaces \(text(told.personal))" as String) + " others \(text(told.others))"
    case .mailboxStatus(let status): text(status)
    case .flags(let flags): "flags \(text(flags))"
    case .exists(let count): "exists \(count)"
    case .recent(let count): "recent \(count)"
    case .expunge(let number): "expunge \(number)"
    case .vanished(let uids, let earlier): "vanished \(uids)\(earlier ? " earlier" : "")"
    case .search(let numbers): "search \(numbers)"
    case .esearch(let result): text(result)
    case .fetch(let fetch): text(fetch)
    case .bodyBegin, .bodyChunk, .bodyEnd: "unreachable"
    }
  }

  private static func text(_ namespaces: [Namespaces.Namespace]) -> String {
    namespaces.isEmpty
      ? "none"
      : namespaces.map { namespace in
        let delimiter = namespace.delimiter.map { Printable.text([$0]) } ?? "nil"
        return "\(Printable.text(namespace.prefix)) by \(delimiter)"
      }.joined(separator: ", ")
  }

  static func text(_ status: StatusResponse) -> String {
    let code = status.code.map { " [\(text($0))]" } ?? ""
    return "\(status.kind)\(code) \(Printable.text(status.text))"
  }

  private static func text(_ code: ResponseCode) -> String {
    switch code {
    case .capability(let told): "capability \(text(told.words))"
    case .permanentFlags(let flags): "permanentFlags \(text(flags))"
    case .mailboxID(let id): "mailboxID \(Printable.text(id))"
    case .appendUID(let validity, let uids): "appendUID \(validity) \(uids)"
    case .copyUID(let validity, let source, let destination):
      "copyUID \(validity) \(source) \(destination)"
    case .other(let name, let arguments):
      "other \(Printable.text(name)) \(Printable.text(arguments))"
    default: "\(code)"
    }
  }

  private static func text(_ words: [[UInt8]]) -> String {
    words.map { Printable.text($0) }.joined(separator: " ")
  }

  private static func labels(_ labels: [[UInt8]]) -> String {
    "[" + labels.map { Printable.text($0) }.joined(separator: "|") + "]"
  }

  private static func text(_ flags: [Flag]) -> String {
    "(" + flags.map { "\($0)" }.joined(separator: " ") + ")"
  }

  private static func text(_ entry: ListEntry) -> String {
    let delimiter = entry.delimiter.map { Printable.text([$0]) } ?? "nil"
    let marks = entry.isSelectable ? "" : " unselectable"
    return "list \(entry.name) by \(delimiter) (\(text(entry.attributes)))\(marks)"
  }

  private static func text(_ status: MailboxStatus) -> String {
    var result = "mailbox \(status.name)"
    add(status.messages, "messages", to: &result)
    add(status.uidNext, "uidNext", to: &result)
    add(status.uidValidity, "uidValidity", to: &result)
    add(status.highestModSequence, "highestModSequence", to: &result)
    add(status.mailboxID.map { Printable.text($0) }, "mailboxID", to: &result)
    return result
  }

  private static func text(_ search: ESearch) -> String {
    var result = "esearch"
    add(search.tag, "tag", to: &result)
    if search.isUID { result += " uid" }
    add(search.all, "all", to: &result)
    add(search.count, "count", to: &result)
    add(search.minimum, "minimum", to: &result)
    add(search.maximum, "maximum", to: &result)
    add(search.modSequence, "modSequence", to: &result)
    return result
  }

  /// `multipart/mixed(text/plain:12 application/pdf:3000@attachment[a.pdf])`.
  private static func structure(_ part: BodyStructure) -> String {
    var text = Printable.text(part.type) + "/" + Printable.text(part.subtype)
    if part.size > 0 { text += ":\(part.size)" }
    if let disposition = part.disposition { text += "@" + Printable.text(disposition) }
    if !part.fileNames.isEmpty {
      text += "[" + part.fileNames.map { Printable.text($0) }.joined(separator: ",") + "]"
    }
    switch part.content {
    case .leaf: return text
    case .parts(let parts): return text + "(" + parts.map(structure).joined(separator: " ") + ")"
    case .message(let message): return text + "<" + structure(message) + ">"
    }
  }

  private static func text(_ fetch: Fetch) -> String {
    var result = "fetch \(fetch.sequence)"
    add(fetch.uid, "uid", to: &result)
    add(fetch.flags.map(text), "flags", to: &result)
    add(fetch.internalDate, "date", to: &result)
    add(fetch.size, "size", to: &result)
    add(fetch.modSequence, "modSequence", to: &result)
    add(fetch.emailID.map { Printable.text($0) }, "emailID", to: &result)
    add(fetch.labels.map(labels), "labels", to: &result)
    add(fetch.header.map { Printable.text($0) }, "header", to: &result)
    add(fetch.structure.map(structure), "structure", to: &result)
    for (name, octets) in fetch.sections.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let origin = fetch.origins[name].map { "<\($0)>" } ?? ""
      add(Printable.text(octets), Printable.text(name) + origin, to: &result)
    }
    if fetch.hasBody { result += " hasBody" }
    return result
  }

  private static func add(_ value: (some Any)?, _ name: String, to result: inout String) {
    if let value { result += " \(name)=\(value)" }
  }
}
