internal import AgentPlan
internal import Configuration
internal import Correspondence
internal import JSON
internal import MIME
internal import MailModel
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex
internal import SpoolPlan
internal import Threads

/// The tool `search`: pages of what a query finds in the view.
struct SearchTool {
  private let mail: AgentMail
  private let call: ToolCall
  private let order: SearchOrder

  init(_ mail: AgentMail, _ call: ToolCall) {
    (self.mail, self.call) = (mail, call)
    order = call.text("sort") == "oldest" ? .oldestFirst : .newestFirst
  }

  /// A page, and the ids of its messages.
  func answer() throws(ToolFailure) -> (value: JSONValue, ids: [[UInt8]]) {
    let query = try mail.query(call.text("query") ?? "")
    let cursor = try cursor()
    let collapses = call.flag("collapse") ?? false
    // One before the page, to see whether it is where it was.
    let start = max(0, (cursor?.offset ?? 0) - 1)
    let limit = call.number("limit") ?? 20
    let wanted = limit + ((cursor?.offset ?? 0) - start)
    var found = try page(query, collapses, offset: start, limit: wanted)
    // Where the page is the last one, all that it lacks is what was before it.
    let isLast = !collapses && found.count < wanted && !(found.isEmpty && start > 0)
    let count = try isLast ? start + found.count : self.count(query, collapses)
    var hasChanged = false
    if let cursor {
      let before = found.isEmpty ? nil : found.removeFirst()
      hasChanged = cursor.count != count || before.map { Hash64.of($0.id) } != cursor.last
    }
    let sizes = try mail.sizes(of: found.map(\.thread))
    var (messages, shown, room): ([JSONValue], [FoundMessage], Int) = (
      [], [], ToolAnswer.limit - 1024
    )
    for message in found {
      let value = try object(message, inThread: sizes[message.thread] ?? 1)
      room -= value.text.count
      guard room >= 0 else { break }
      messages.append(value)
      shown.append(message)
    }
    var members = [ToolAnswer.version, ("count", ToolAnswer.number(count))]
    let end = (cursor?.offset ?? 0) + shown.count
    if end < count, let last = shown.last {
      let next = SearchCursor(
        offset: end,
        count: count,
        query: checksum,
        last: Hash64.of(last.id)
      )
      members.append(("next", .string(next.text)))
    }
    members += [("changed", .boolean(hasChanged)), ("messages", .array(messages))]
    return (.object(members), shown.map(\.id))
  }

  private func cursor() throws(ToolFailure) -> SearchCursor? {
    guard let text = call.text("cursor") else { return nil }
    guard let cursor = SearchCursor(text), cursor.query == checksum else { throw .arguments }
    return cursor
  }

  /// What pages of other queries do not share.
  private var checksum: UInt64 {
    var hash = Hash64()
    hash.update((call.text("query") ?? "").utf8)
    hash.update(UInt64(call.flag("collapse") == true ? 1 : 0))
    hash.update(order.rawValue.utf8)
    return hash.value
  }

  private func count(_ query: Query, _ collapses: Bool) throws(ToolFailure) -> Int {
    try mail.look { (set) throws(IndexError) in
      try collapses ? set.countThreads(query) : set.count(query)
    }
  }

  private func page(
    _ query: Query,
    _ collapses: Bool,
    offset: Int,
    limit: Int
  ) throws(ToolFailure) -> [FoundMessage] {
    try mail.look { (set) throws(IndexError) in
      guard collapses else {
        return try set.messages(query, order, offset: offset, limit: limit)
      }
      return try set.threads(query, order, offset: offset, limit: limit).compactMap { thread in
        thread.messages.last { $0.isMatch }
      }
    }
  }

  private func object(
    _ message: FoundMessage,
    inThread count: Int
  ) throws(ToolFailure) -> JSONValue {
    let files = try mail.files(of: message)
    var inner = MailMembers()
    inner.add("id", clean: MessageName.of(message))
    inner.add("from", message.from.map { ($0.name, $0.address) })
    inner.add("to", mail.openRecipients(of: message, files))
    inner.add("subject", message.subject, limit: MailMembers.subjectLimit)
    inner.add("tags", words: message.shownTags)
    inner.add("folders", words: files.foldersByName)
    var members: [(name: String, value: JSONValue)] = [
      ("date", message.dateText), ("size", ToolAnswer.number(message.size)),
      ("unread", .boolean(message.isTagged("unread"))),
      ("flagged", .boolean(message.isTagged("flagged"))),
      ("attachments", .boolean(message.isTagged("attachment"))),
      ("thread", .string(message.thread.description)), ("in-thread", ToolAnswer.number(count)),
    ]
    if message.isTagged("draft"), files.isOfAgent { members.append(("by", .string("agent"))) }
    return .object(members + [("mail", inner.value)])
  }
}

extension FoundMessage {
  func isTagged(_ name: String) -> Bool { tags.contains { $0.rawValue == name } }

  var dateText: JSONValue { .string(String(decoding: Timestamp.octets(date), as: UTF8.self)) }

  /// Its tags, except for those that members of their own say.
  var shownTags: [[UInt8]] {
    tags.map(\.rawValue).filter { !["unread", "flagged", "attachment"].contains($0) }
      .map { [UInt8]($0.utf8) }
  }
}

extension [FoundFile] {
  /// Their folders, each once.
  var foldersByName: [[UInt8]] {
    var seen: Set<[UInt8]> = []
    return map { $0.folder.isEmpty ? [UInt8](ascii: "INBOX") : $0.folder }.filter {
      seen.insert($0).inserted
    }
  }

  /// Whether one of them is a draft that an agent wrote.
  var isOfAgent: Bool {
    contains { file in
      guard let path = file.currentPath(),
        let octets = try? Descriptor.open(path, .read).read(atMost: 1 << 14)
      else { return false }
      return DraftMessage.agent(Message(octets).header) != nil
    }
  }
}
