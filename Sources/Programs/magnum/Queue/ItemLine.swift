internal import MailModel
internal import Octets
internal import Outgoing
internal import SMTP
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// An entry in a list.
struct ItemLine {
  private let item: QueuedItem
  private let now: Int64

  /// Whose queue it is in, where those of several users are listed; else nil.
  private let user: UInt32?

  init(_ item: QueuedItem, now: Int64, user: UInt32? = nil) {
    self.item = item
    self.now = now
    self.user = user
  }

  /// A line about the entry, and one for what a server said last.
  var texts: [String] {
    let account = Printable.text(item.spool.account.utf8) + (user.map { " of user \($0)" } ?? "")
    let head = "\(item.id)  \(state)  \(account)"
    guard let content = item.content else { return [head, "    cannot be read: \(problem)"] }
    var lines = [head + "  \(age(content.entry))  \(summary)"]
    var words = Printable.text(content.progress.lastWords ?? [], limit: 300)
    if item.isSentWithoutCopy { words = "no copy kept: " + words }
    let author = agent(content).map { "written by agent " + Printable.text($0, limit: 40) }
    let parts = [author ?? "", words, nextTry(content) ?? ""].filter { !$0.isEmpty }
    if !parts.isEmpty { lines.append("    " + parts.joined(separator: "; ")) }
    return lines
  }

  /// The directory that it lies in; of a message that failed for no recipient, that it is sent.
  private var state: String { item.isSentWithoutCopy ? "sent" : item.state.rawValue }

  private func agent(_ content: QueuedItem.Content) -> [UInt8]? { content.entry.action.agent }

  /// When it is tried again; nil where it is not, or can be at any time.
  private func nextTry(_ content: QueuedItem.Content) -> String? {
    notBefore(content).map { "next attempt in \(HumanFormat.age($0 - now))" }
  }

  /// The moment before which it is not tried, in seconds since 1970; nil for none.
  private func notBefore(_ content: QueuedItem.Content) -> Int64? {
    guard item.state == .queue, case .wait(let until) = content.progress.next(now: now, .standard)
    else { return nil }
    return until
  }

  private var problem: String { item.problem?.explanation.what ?? "" }

  private func age(_ entry: Entry) -> String { HumanFormat.age(now - entry.queued) }

  /// Who sends it to whom, and its subject; or what else is to be done.
  var summary: String {
    guard let content = item.content else { return problem }
    let action = content.entry.action
    guard case .send(let sending) = action else {
      return (RequestWords.text(action) ?? action.kind) + settled(content)
    }
    let from = sending.envelope.reversePath.map { Printable.text($0.octets) } ?? "<>"
    let subject = content.subject.map { ": " + Printable.text($0, limit: 100) } ?? ""
    return "\(from) to \(concerned(content).joined(separator: ", "))\(subject)"
  }

  /// How many of several messages need nothing more; empty as long as it is none.
  private func settled(_ content: QueuedItem.Content) -> String {
    let steps = content.progress.steps
    let settled = steps.count(where: \.isSettled)
    return settled == 0 ? "" : " (\(settled) of \(steps.count) done)"
  }

  /// The recipients that do not have it; where all of its own have it, these.
  private func concerned(_ content: QueuedItem.Content) -> [String] {
    guard case .send(let sending) = content.entry.action else { return [] }
    let progress = content.progress
    let numbers = progress.left.isEmpty ? progress.served : progress.left
    return numbers.map { Printable.text(sending.envelope.recipients[$0].address.octets) }
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("id", "\(item.id)")
    line.add("account", item.spool.account)
    if let user { line.add("user", UInt64(user)) }
    line.add("state", state)
    if item.isSentWithoutCopy { line.add("copy", "failed") }
    guard let content = item.content else {
      line.add("problem", problem)
      return line
    }
    line.add("kind", content.entry.action.kind)
    line.add("queued", String(decoding: Timestamp.octets(content.entry.queued), as: UTF8.self))
    if let agent = agent(content) { line.add("agent", octets: agent) }
    if let seal = content.entry.seal { line.add("size", seal.size) }
    if case .send(let sending) = content.entry.action {
      line.add("from", octets: sending.envelope.reversePath?.octets ?? [])
      line.add("recipients", recipients(sending, content.progress))
    }
    if !content.entry.action.requests.isEmpty {
      line.add("messages", messages(content.entry.action.requests, content.progress))
    }
    if let id = content.entry.action.messageID { line.add("message-id", octets: id) }
    if let subject = content.subject { line.add("subject", octets: subject) }
    line.add("attempts", content.progress.attempts)
    if let until = notBefore(content) {
      line.add("not-before", String(decoding: Timestamp.octets(until), as: UTF8.self))
    }
    if let words = content.progress.lastWords { line.add("reason", octets: words) }
    return line
  }

  private func messages(_ requests: [MessageRequest], _ progress: Progress) -> [JSONLine] {
    zip(requests, progress.steps).map { request, step in
      var line = RequestLine(request).json
      line.add("state", step.state.word)
      line.add("attempts", step.attempts)
      if let words = step.words { line.add("reason", octets: words) }
      return line
    }
  }

  private func recipients(_ sending: Sending, _ progress: Progress) -> [JSONLine] {
    zip(sending.envelope.recipients, progress.recipients).map { recipient, state in
      var line = JSONLine()
      line.add("address", octets: recipient.address.octets)
      switch state {
      case .open(let mayHaveIt): line.add("state", mayHaveIt ? "uncertain" : "open")
      case .accepted: line.add("state", "accepted")
      case .refused: line.add("state", "refused")
      case .split(let id):
        line.add("state", "split")
        line.add("entry", "\(id)")
      }
      return line
    }
  }
}

extension StepProgress.State {
  fileprivate var word: String {
    switch self {
    case .open: "open"
    case .done: "done"
    case .rejected: "rejected"
    case .undone: "undone"
    }
  }
}

/// What is asked for a message of the server, as JSON.
private struct RequestLine {
  let request: MessageRequest

  init(_ request: MessageRequest) {
    self.request = request
  }

  var json: JSONLine {
    var line = JSONLine()
    addChange(to: &line)
    let message = request.message
    line.add("mailbox", octets: message.mailbox)
    if message.validity > 0 { line.add("uidvalidity", UInt64(message.validity)) }
    if message.uid > 0 { line.add("uid", UInt64(message.uid)) }
    if let file = message.baseName { line.add("file", octets: file) }
    if let id = message.messageID { line.add("message-id", octets: id) }
    return line
  }

  private func addChange(to line: inout JSONLine) {
    switch request.change {
    case .flags(let added, let removed):
      line.add("change", "flags")
      line.add("add", octets: added)
      line.add("remove", octets: removed)
    case .move(let target):
      line.add("change", "move")
      line.add("target", octets: target)
    case .trash: line.add("change", "trash")
    case .expunge: line.add("change", "expunge")
    }
  }
}
