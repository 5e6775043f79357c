internal import MailModel
internal import Octets
internal import SyncPlan

/// The steps of a plan in words, one line each.
enum PlanWords {
  /// The plan as one who watches wants it: fetching a thousand messages is one line.
  static func digest(_ plan: MailboxPlan) -> [String] {
    let fetches = plan.actions.filter { if case .download = $0.kind { true } else { false } }
    let others = plan.actions.filter { if case .download = $0.kind { false } else { true } }
    let summary = fetches.count > 3 ? ["fetch \(fetches.count) messages"] : fetches.map(text)
    return summary + others.map(text) + plan.held.map(text)
  }

  static func text(_ action: Action) -> String {
    "\(text(action.kind)) (\(action.reason.rawValue))"
  }

  static func text(_ held: HeldBack) -> String {
    "leave \(text(held.difference)): \(held.cause.rawValue)"
  }

  private static func text(_ kind: Action.Kind) -> String {
    switch kind {
    case .bind(let name, let uid, _, _, _): "take \(file(name)) as message \(uid)"
    case .agree(let uid, let flags): "note flags of message \(uid): \(letters(flags))"
    case .forget(let uid): "forget message \(uid)"
    case .orphan(let name, _): "keep \(file(name)) apart"
    case .download(let message): "fetch message \(message.uid)\(size(message))"
    case .setLocalFlags(let name, _, let flags, _): "mark \(file(name)): \(letters(flags))"
    case .removeLocal(let name, let uid): "remove \(file(name)), message \(uid)"
    case .removeMoved(let name): "remove \(file(name))"
    case .relocate(let name, _, _, let message, _, _):
      "bring \(file(name)) here as message \(message.uid)"
    case .store(let uid, let adding, let removing):
      "mark message \(uid): +\(letters(adding)) -\(letters(removing))"
    case .append(let name, _, nil): "upload \(file(name))"
    case .append(let name, _, let old?): "upload \(file(name)) in place of message \(old)"
    case .moveRemote(let uid, _, _, _): "move message \(uid)"
    case .removeRemote(let uid, let toTrash):
      toTrash ? "move message \(uid) to Trash" : "delete message \(uid)"
    case .removeReplaced(let uid, let toTrash, let name, _):
      "\(toTrash ? "move to Trash" : "delete") message \(uid), replaced by \(file(name))"
    case .expunge(let name, let uid): "delete message \(uid) and \(file(name))"
    }
  }

  private static func text(_ difference: HeldBack.Difference) -> String {
    switch difference {
    case .addition(let name): "new file \(file(name))"
    case .flags(let name, _): "flags of \(file(name))"
    case .removal(let uid): "removal of message \(uid)"
    case .move(let uid, _): "move of message \(uid)"
    case .serverDeletion(let name, _): "\(file(name)), deleted on the server"
    case .download(let uid): "message \(uid)"
    }
  }

  private static func file(_ name: [UInt8]) -> String { Printable.text(name, limit: 255) }

  private static func size(_ message: RemoteMessage) -> String {
    message.size.map { ", \($0) octets" } ?? ""
  }

  private static func letters(_ flags: MessageFlags) -> String {
    ([letters(flags.system)] + flags.keywords.map { Printable.text($0) }).joined(separator: " ")
  }

  private static func letters(_ flags: SystemFlags) -> String {
    let names: [(SystemFlags, String)] = [
      (.draft, "draft"), (.flagged, "flagged"), (.forwarded, "forwarded"),
      (.answered, "answered"), (.seen, "seen"), (.deleted, "deleted"),
    ]
    let present = names.filter { flags.contains($0.0) }.map(\.1)
    return present.isEmpty ? "none" : present.joined(separator: " ")
  }
}
