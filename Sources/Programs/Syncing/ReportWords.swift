internal import Folders
internal import SearchIndex
internal import SyncEngine
internal import SyncPlan
internal import Terminal

/// What a run did, in words.
package enum ReportWords {
  /// The account's line at the end: `work  +12 new  3 flags  0.4 s`.
  static func line(_ report: AccountReport, isDryRun: Bool) -> String {
    let changes = changes(report.total)
    let words = changes.isEmpty ? (isDryRun ? "nothing to do" : "nothing new") : changes
    let prefix = isDryRun && !changes.isEmpty ? "would be: " : ""
    return "\(report.account)  \(prefix)\(words)  \(HumanFormat.seconds(report.seconds))"
  }

  /// What is not mirrored, since it has no folder here and gets none; nil where there is nothing of that kind.
  static func leftOut(_ report: AccountReport) -> String? {
    let leftOut = report.leftOut
    guard let first = leftOut.mailboxes.first, leftOut.messages != 0 else { return nil }
    let messages =
      leftOut.messages.map {
        "\(HumanFormat.count($0)) \($0 == 1 ? "message" : "messages") left out"
      }
      ?? "messages left out"
    let isOne = leftOut.mailboxes.count == 1
    let more = leftOut.mailboxes.dropFirst(5).count
    let names = leftOut.mailboxes.prefix(5).joined(separator: ", ")
    let rest = more > 0 ? " and \(more) more" : ""
    return isOne
      ? "\(messages): \(first) has no folder here, and create does not allow one"
      : "\(messages): \(leftOut.mailboxes.count) mailboxes have no folder here, and create does not allow one "
        + "(\(names)\(rest))"
  }

  /// Where messages were left for another day: which limit was reached, how many they are, and when it goes on.
  static func left(_ report: AccountReport, now: Int64) -> String? {
    guard let day = report.day else { return nil }
    return "daily-limit of \(HumanFormat.bytes(day.limit)) reached with "
      + "\(HumanFormat.bytes(day.octets)): \(left(report.total.left, until: day.end, now: now))"
  }

  /// How many messages are left for another day, and when they are fetched.
  static func left(_ left: LeftMessages, until end: Int64, now: Int64) -> String {
    Self.left(left.messages, left.octets, until: end, now: now)
  }

  /// The same, with messages and their octets by themselves.
  package static func left(
    _ messages: UInt64,
    _ octets: UInt64,
    until end: Int64,
    now: Int64
  ) -> String {
    let noun = messages == 1 ? "message" : "messages"
    let size = octets > 0 ? " (\(HumanFormat.bytes(octets)))" : ""
    let time =
      now < end ? "continues at 00:00 UTC, in \(HumanFormat.age(end - now))" : "continues now"
    return "\(HumanFormat.count(messages)) \(noun)\(size) left; \(time)"
  }

  /// What changed in the index: `+12  3 renamed`.
  static func changes(_ report: IndexReport) -> String {
    var parts: [String] = []
    if report.isMadeAnew { parts.append("made anew for this version") }
    if report.added > 0 { parts.append("+\(report.added)") }
    if report.renamed > 0 { parts.append("\(report.renamed) renamed") }
    if report.marked > 0 { parts.append("\(report.marked) keywords") }
    if report.removed > 0 { parts.append("-\(report.removed)") }
    if report.failed > 0 { parts.append("\(report.failed) unreadable") }
    return parts.joined(separator: "  ")
  }

  /// `+12 new (1 MB)`; `+2 new  12 fetched (1 MB)` where others came too, such as one's own in Sent.
  private static func fetched(_ report: MailboxReport) -> [String] {
    guard report.fetched > 0 else { return [] }
    let octets = "(\(HumanFormat.bytes(report.octets)))"
    let all = "\(report.fetched) fetched \(octets)"
    switch report.new {
    case 0: return [all]
    case report.fetched: return ["+\(report.new) new \(octets)"]
    default: return ["+\(report.new) new", all]
    }
  }

  /// That messages are fetched whole that are here without their attachments.
  static func completing(_ messages: Int, _ octets: UInt64) -> String {
    let count = HumanFormat.count(messages) + (messages == 1 ? " message" : " messages")
    return "fetching the attachments of \(count), \(HumanFormat.bytes(octets))"
  }

  /// What changed, between two spaces each; empty when nothing did.
  static func changes(_ report: MailboxReport) -> String {
    var parts: [String] = []
    // Where messages were fetched too, the octets of both stand there.
    let size = report.fetched > 0 ? "" : " (\(HumanFormat.bytes(report.octets)))"
    parts += fetched(report)
    if report.partial > 0 { parts.append("\(report.partial) without attachments") }
    if report.completed > 0 { parts.append("\(report.completed) completed\(size)") }
    if report.flags > 0 { parts.append("\(report.flags) flag\(report.flags == 1 ? "" : "s")") }
    if report.relocated > 0 { parts.append("\(report.relocated) moved here") }
    if report.stored > 0 { parts.append("\(report.stored) marked on the server") }
    if report.uploaded > 0 { parts.append("\(report.uploaded) uploaded") }
    if report.moved > 0 { parts.append("\(report.moved) moved") }
    if report.copied > 0 { parts.append("\(report.copied) copied") }
    if report.trashed > 0 { parts.append("\(report.trashed) to Trash") }
    if report.deleted > 0 { parts.append("\(report.deleted) deleted on the server") }
    if report.removed > 0 { parts.append("-\(report.removed) removed") }
    if report.rematched > 0 { parts.append("\(report.rematched) rematched") }
    if report.detached > 0 { parts.append("\(report.detached) detached") }
    if report.left.messages > 0 { parts.append("\(report.left.messages) deferred (daily limit)") }
    if report.failed > 0 { parts.append("\(report.failed) failed") }
    let blocked = report.blocked.sorted { $0.key.rawValue < $1.key.rawValue }
    parts += blocked.map { "\($0.value) \($0.key.rawValue)" }
    return parts.joined(separator: "  ")
  }
}

/// What happened to a mailbox or its folder as a whole, in words.
enum FolderChangeWords {
  /// Such as `made on the server`; `make the mailbox on the server` where it is not done yet.
  static func text(_ change: FolderChange, isDone: Bool) -> String {
    switch change {
    case .made(let side): "\(isDone ? "made" : "make") \(place(side))"
    case .renamed(let side, let old):
      "\(isDone ? "renamed" : "rename") \(place(side)), was \(old)"
    case .removed(let side): "\(isDone ? "removed" : "remove") \(place(side))"
    case .detached: "\(isDone ? "detached" : "detach"): the mailbox no longer exists on the server"
    }
  }

  private static func place(_ side: FolderChange.Side) -> String {
    switch side {
    case .server: "on the server"
    case .local: "here"
    }
  }
}
