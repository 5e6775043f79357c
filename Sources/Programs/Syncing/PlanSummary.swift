internal import Octets
internal import SyncEngine
internal import SyncPlan
internal import Terminal

/// A plan as a person reads it before anything is done: many steps of one kind are one line, and what changes nothing that a
/// person sees is left out.
struct PlanSummary {
  /// So many steps of one kind are a line each.
  private static let limit = 3

  private let words: PlanWords
  /// How many days back messages are fetched; nil: all.
  private let days: Int?

  /// A summary with details of the messages that the plan moves, by their UIDs.
  init(moves: [UInt32: MoveDetails], days: Int?) {
    words = PlanWords(moves: moves)
    self.days = days
  }

  /// The lines about one mailbox.
  func lines(_ plan: MailboxPlan) -> [String] {
    let steps = plan.steps.filter { Self.isShown($0.step) }
    let blocked = plan.blocked
    return grouped(steps, by: key).flatMap(lines)
      + grouped(blocked) { "\($0.cause.code) \(PlanCodes($0.difference).action)" }.flatMap(lines)
  }

  private static func isShown(_ step: PlanStep) -> Bool {
    switch step {
    case .record(.agree), .record(.renumber), .record(.wait), .forget: false
    case .record(.match), .record(.matchEdited), .record(.detach), .rename, .store, .move,
      .copy, .upload, .download, .complete, .remove, .delete:
      true
    }
  }

  private func key(_ planned: Planned<PlanStep>) -> String {
    let target = if case .move(let move) = planned.step { words.target(move.uid) } else { "" }
    return "\(PlanCodes(planned.step).action) \(planned.reason.code)\(target)"
  }

  /// The elements of one key together, in the order of their first ones.
  private func grouped<Element>(
    _ elements: [Element],
    by key: (Element) -> String
  ) -> [[Element]] {
    var places: [String: Int] = [:]
    var groups: [[Element]] = []
    for element in elements {
      let key = key(element)
      if let place = places[key] {
        groups[place].append(element)
      } else {
        places[key] = groups.count
        groups.append([element])
      }
    }
    return groups
  }

  private func lines(_ steps: [Planned<PlanStep>]) -> [String] {
    guard steps.count > Self.limit, let first = steps.first else {
      return steps.map(words.text)
    }
    return ["\(text(steps.map(\.step), like: first.step)) (\(first.reason.rawValue))"]
  }

  private func lines(_ blocked: [BlockedChange]) -> [String] {
    guard blocked.count > Self.limit, let first = blocked.first else {
      return blocked.map(words.text)
    }
    return ["leave \(blocked.count) changes: \(first.cause.rawValue)"]
  }

  /// Many steps of one kind.
  private func text(_ steps: [PlanStep], like first: PlanStep) -> String {
    let count = HumanFormat.count(steps.count)
    return switch first {
    case .record(.match), .record(.matchEdited): "rematch \(count) files with messages"
    case .record(.detach): "detach \(count) files"
    case .record(.renumber): "rematch \(count) messages"
    case .record(.agree): "note flags of \(count) messages"
    case .record(.wait): "wait with \(count) files"
    case .rename(.setFlags): "mark \(count) files"
    case .rename(.relocate): "bring \(count) files here after their messages"
    case .store: "mark \(count) messages"
    case .move(let move): "move \(count) messages\(words.target(move.uid))"
    case .copy: "copy \(count) messages on the server"
    case .upload: "upload \(count) files"
    case .download: "fetch \(count) messages\(size(steps))\(window)"
    case .complete: "fetch the attachments of \(count) messages\(size(steps))"
    case .remove(.fileless(_, true)), .remove(.copied(_, true)), .remove(.replaced(_, true, _, _)):
      "move \(count) messages to Trash"
    case .remove: "delete \(count) messages"
    case .delete: "remove \(count) files"
    case .forget: "forget \(count) messages"
    }
  }

  private func size(_ steps: [PlanStep]) -> String {
    let octets = steps.reduce(UInt64(0)) { sum, step in
      switch step {
      case .download(let message): sum + (message.size ?? 0)
      case .complete(let completion): sum + (completion.size ?? 0)
      default: sum
      }
    }
    return octets > 0 ? ", \(HumanFormat.bytes(octets))" : ""
  }

  private var window: String { days.map { " of the last \($0) days" } ?? "" }
}
