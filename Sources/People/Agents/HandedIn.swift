internal import AgentPlan
internal import Configuration
internal import Glibc
internal import JSON
internal import Outgoing
internal import Spool
internal import SpoolPlan
internal import Submission

/// What became of the drafts that an agent handed in to be sent.
struct HandedIn {
  private let record: AgentRecord
  private let outbox: Outbox

  /// Entries of an agent that wait for a person, at most.
  static let limit = 20
  /// More are not told of.
  private static let statusLimit = 50

  init(_ configuration: Configuration, _ record: AgentRecord) {
    self.record = record
    outbox = Outbox(root: SendingPlace.root(configuration), user: geteuid())
  }

  /// How many entries of an agent are held, in the queues of all accounts.
  func heldCount(of agent: String) throws(ToolFailure) -> Int {
    try look { (outbox) throws(SpoolError) in
      try outbox.listing(in: [.hold]).items.count { item in
        item.content?.entry.action.agent?.elementsEqual(agent.utf8) ?? false
      }
    }
  }

  /// The entry that was made of a draft: one that is there, or that a person released or took back; nil where there is none.
  func entry(of draft: String) throws(ToolFailure) -> EntryID? {
    let (sent, released) = try record.entries()
    for sent in sent where sent.draft == draft {
      if Self.isReleased(sent.entry, released) { return sent.entry }
      let outcome = try look { (outbox) throws(SpoolError) in
        try outbox.outcome(of: sent.entry, in: sent.account)
      }
      switch outcome {
      case .present, .cancelled: return sent.entry
      // The call was ended before the entry was there.
      case .done: continue
      }
    }
    return nil
  }

  /// Whether a person released an entry, or a new version of it, which has the place of the one before.
  private static func isReleased(_ entry: EntryID, _ released: [EntryID]) -> Bool {
    released.contains { $0.microseconds == entry.microseconds }
  }

  /// The newest entries, each with its draft and what became of it, as the tool `status` tells it.
  func states() throws(ToolFailure) -> [JSONValue] {
    let (sent, released) = try record.entries()
    let drafts = Set(try record.drafts().map(\.handle))
    // Of a call that was ended before its entry was there, the next one has the draft.
    let last = Dictionary(sent.map { ($0.draft, $0.entry) }) { $1 }
    let entries = sent.filter { last[$0.draft] == $0.entry }.suffix(Self.statusLimit)
    let places = try entries.isEmpty ? [:] : itemsByPlace()
    var values: [JSONValue] = []
    for entry in entries {
      let outcome = try look { (outbox) throws(SpoolError) in
        try outbox.outcome(of: entry.entry, in: entry.account)
      }
      let parts = places[entry.entry.microseconds, default: []]
        .filter { $0.spool.account == entry.account }
      if case .done = outcome, parts.isEmpty, drafts.contains(entry.draft) { continue }
      let isReleased = Self.isReleased(entry.entry, released)
      values.append(
        .object([
          ("entry", .string("\(entry.entry)")), ("draft", .string(entry.draft)),
          ("state", .string(Self.word(outcome, parts, isReleased: isReleased))),
        ])
      )
    }
    return values
  }

  /// What is in the queues and still wanted, by its place there: of an entry that some recipients have, what is left for the others
  /// has a name of its own, and so have its new versions.
  private func itemsByPlace() throws(ToolFailure) -> [UInt64: [QueuedItem]] {
    let items = try look { (outbox) throws(SpoolError) in
      try outbox.listing(in: EntryState.wanted).items
    }
    return Dictionary(grouping: items, by: \.id.microseconds)
  }

  private static func word(
    _ outcome: EntryOutcome,
    _ parts: [QueuedItem],
    isReleased: Bool
  ) -> String {
    if parts.contains(where: isHeld) { return "held" }
    switch outcome {
    case .cancelled: return "taken-back"
    case .done: return parts.isEmpty ? (isReleased ? "sent" : "discarded") : "released"
    case .present(let item):
      if item.state == .discarded { return "discarded" }
      return isHeld(item) ? "held" : "released"
    }
  }

  private static func isHeld(_ item: QueuedItem) -> Bool {
    item.state == .hold || item.content?.progress.awaitsApproval == true
  }

  private func look<Value>(
    _ body: (Outbox) throws(SpoolError) -> Value
  ) throws(ToolFailure) -> Value {
    do throws(SpoolError) { return try body(outbox) } catch { throw .again }
  }
}
