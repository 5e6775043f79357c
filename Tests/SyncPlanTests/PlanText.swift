import MailModel
import SyncPlan

/// Plans as the lines of the fixtures.
enum PlanText {
  static func lines(_ plan: MailboxPlan) -> [String] {
    plan.actions.map { "\(text($0.kind)): \($0.reason.rawValue)" }
      + plan.held.map { "hold \(text($0.difference)): \($0.cause.rawValue)" }
  }

  private static func text(_ kind: Action.Kind) -> String {
    switch kind {
    case .bind(let name, let uid, let agreed, _, _): "bind \(text(name)) \(uid) \(text(agreed))"
    case .agree(let uid, let flags): "agree \(uid) \(text(flags))"
    case .forget(let uid): "forget \(uid)"
    case .orphan(let name, let uid): "orphan \(text(name)) \(uid.map { "\($0)" } ?? "-")"
    case .download(let message): "fetch \(message.uid)"
    case .setLocalFlags(let name, let uid, let flags, let agreed):
      "mark \(text(name)) \(text(flags)) agree \(uid) \(text(agreed))"
    case .removeLocal(let name, let uid): "remove \(text(name)) \(uid)"
    case .removeMoved(let name): "remove \(text(name))"
    case .relocate(let name, let source, let new, let message, let flags, _) where new != name:
      "follow \(text(name)) from \(source) as \(text(new)) \(message.uid) \(text(flags))"
    case .relocate(let name, let source, _, let message, let flags, _):
      "follow \(text(name)) from \(source) \(message.uid) \(text(flags))"
    case .expunge(let name, let uid): "expunge \(text(name)) \(uid)"
    case .store(let uid, let adding, let removing):
      "store \(uid) +\(text(adding)) -\(text(removing))"
    case .append(let name, let flags, nil): "append \(text(name)) \(text(flags))"
    case .append(let name, let flags, let old?):
      "append \(text(name)) \(text(flags)) replacing \(old)"
    case .moveRemote(let uid, let target, let name, let flags):
      "move \(uid) to \(target) \(text(name)) \(text(flags))"
    case .removeRemote(let uid, let toTrash): toTrash ? "trash \(uid)" : "expunge \(uid)"
    case .removeReplaced(let uid, let toTrash, let name, let target):
      "\(toTrash ? "trash" : "expunge") \(uid) for \(text(name)) in \(target)"
    }
  }

  private static func text(_ difference: HeldBack.Difference) -> String {
    switch difference {
    case .addition(let name): "addition \(text(name))"
    case .flags(let name, let uid): "flags \(text(name)) \(uid)"
    case .removal(let uid): "removal \(uid)"
    case .move(let uid, let target): "move \(uid) to \(target)"
    case .serverDeletion(let name, let uid): "deletion \(text(name)) \(uid)"
    case .download(let uid): "download \(uid)"
    }
  }

  static func text(_ flags: MessageFlags) -> String {
    ([text(flags.system)] + flags.keywords.map(text)).joined(separator: "+")
  }

  static func text(_ flags: SystemFlags) -> String {
    let letters = zip("DFPRST", 0...).filter { flags.rawValue & (1 << $0.1) != 0 }.map(\.0)
    return letters.isEmpty ? "-" : String(letters)
  }

  private static func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }
}
