import MailModel
import SyncPlan

/// Plans as the lines of the fixtures.
enum PlanText {
  static func lines(_ plan: MailboxPlan) -> [String] {
    plan.steps.map { "\(text($0.step)): \($0.reason.rawValue)" }
      + plan.blocked.map { "hold \(text($0.difference)): \($0.cause.rawValue)" }
      + (plan.isPostponed ? ["postponed"] : [])
      + (plan.isDeferred ? ["deferred"] : [])
  }

  private static func text(_ step: PlanStep) -> String {
    switch step {
    case .record(let fact): text(fact)
    case .rename(let rename): text(rename)
    case .store(let store): "store \(store.uid) +\(text(store.adding)) -\(text(store.removing))"
    case .move(let move):
      "move \(move.uid) to \(move.target) \(text(move.name)) \(text(move.flags))"
    case .copy(let copy):
      "copy \(copy.original.mailbox)/\(copy.original.uid) for \(text(copy.name))"
    case .upload(let upload): text(upload)
    case .download(let message): "fetch \(message.uid)"
    case .complete(let completion): "complete \(completion.uid)"
    case .remove(let removal): text(removal)
    case .delete(.synced(let name, let uid, let isChanged)):
      "remove \(text(name)) \(uid)" + (isChanged ? " changed" : "")
    case .delete(.superseded(let name, let uid, let survivor, let adding, let removing)):
      "remove \(text(name)) \(uid.map { "\($0) " } ?? "")for "
        + "\(text(survivor.directory))/\(text(survivor.name)) +\(text(adding)) -\(text(removing))"
    case .forget(let uid): "forget \(uid)"
    }
  }

  private static func text(_ fact: MailboxFact) -> String {
    switch fact {
    case .match(let name, let uid, let agreed, _, _): "match \(text(name)) \(uid) \(text(agreed))"
    case .matchEdited(let name, let uid, let agreed, _, _, _):
      "match edited \(text(name)) \(uid) \(text(agreed))"
    case .renumber(let former, let message, let agreed):
      "renumber \(former) \(message.uid) \(text(agreed))"
    case .agree(let uid, let flags): "agree \(uid) \(text(flags))"
    case .detach(let name, let uid): "detach \(text(name)) \(uid.map { "\($0)" } ?? "-")"
    case .wait(let name, let original): "wait \(text(name)) \(original.mailbox)/\(original.uid)"
    }
  }

  private static func text(_ rename: LocalRename) -> String {
    switch rename {
    case .setFlags(let name, let uid, let flags, let agreed):
      return "mark \(text(name)) \(text(flags)) agree \(uid) \(text(agreed))"
    case .relocate(let relocation):
      let (name, record) = (relocation.name, relocation.record)
      let base = record.name == name ? "" : "as \(text(record.name)) "
      let former = relocation.former.map { ", was \($0.mailbox)/\($0.uid)" } ?? ""
      let place = "\(relocation.source) \(base)\(record.uid)"
      return "follow \(text(name)) from \(place) \(text(relocation.flags))\(former)"
    }
  }

  private static func text(_ upload: FileUpload) -> String {
    let former = upload.former.map { ", was \($0.mailbox)/\($0.uid)" } ?? ""
    let text = "append \(text(upload.name)) \(text(upload.flags))\(former)"
    return upload.replacing.map { "\(text) replacing \($0)" } ?? text
  }

  private static func text(_ removal: ServerRemoval) -> String {
    switch removal {
    case .fileless(let uid, let toTrash): toTrash ? "trash \(uid)" : "expunge \(uid)"
    case .copied(let uid, let toTrash): "\(toTrash ? "trash" : "expunge") \(uid) copied"
    case .replaced(let uid, let toTrash, let name, let target):
      "\(toTrash ? "trash" : "expunge") \(uid) for \(text(name)) in \(target)"
    case .marked(let name, let uid): "expunge \(text(name)) \(uid)"
    }
  }

  private static func text(_ difference: BlockedChange.Difference) -> String {
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
