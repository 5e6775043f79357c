internal import MIME
internal import MailModel
internal import Octets
internal import Platform
internal import SyncEngine
internal import SyncPlan
internal import Terminal

/// The steps of a plan in words, one line each.
struct PlanWords {
  /// Details of the messages that the plan moves, by their UIDs.
  let moves: [UInt32: MoveDetails]

  /// The plan as one who watches wants it: fetching a thousand messages is one line.
  func digest(_ plan: MailboxPlan) -> [String] {
    guard plan.downloads.count > 3 else { return texts(plan, plan.steps) }
    return ["fetch \(plan.downloads.count) messages"] + texts(plan, plan.stepsBesideDownloads)
  }

  /// Every step, and what is left alone.
  func texts(_ plan: MailboxPlan) -> [String] { texts(plan, plan.steps) }

  private func texts(_ plan: MailboxPlan, _ steps: [Planned<PlanStep>]) -> [String] {
    steps.map(text) + plan.blocked.map(text)
  }

  func text(_ planned: Planned<PlanStep>) -> String {
    "\(text(planned.step)) (\(planned.reason.rawValue))"
  }

  func text(_ blocked: BlockedChange) -> String {
    "leave \(text(blocked.difference)): \(blocked.cause.rawValue)"
  }

  func text(_ step: PlanStep) -> String {
    switch step {
    case .record(let fact): text(fact)
    case .rename(let rename): text(rename)
    case .store(let store):
      "mark message \(store.uid): \(change(store))"
    case .move(let move): "move message \(move.uid)\(subject(move.uid))\(target(move.uid))"
    case .copy(let copy): "copy message \(copy.original.uid) on the server for \(file(copy.name))"
    case .upload(let upload): text(upload)
    case .download(let message): "fetch message \(message.uid)\(size(message))"
    case .complete(let completion):
      "fetch attachments of message \(completion.uid)\(size(of: completion)), into "
        + "\(file(completion.name))"
    case .remove(let removal): text(removal)
    case .delete(.synced(let name, let uid, _)): "remove \(file(name)), message \(uid)"
    case .delete(.superseded(let name, _, _, _, _)): "remove \(file(name))"
    case .forget(let uid): "forget message \(uid)"
    }
  }

  private func text(_ fact: MailboxFact) -> String {
    switch fact {
    case .match(let name, let uid, _, _, _): "take \(file(name)) as message \(uid)"
    case .matchEdited(let name, let uid, _, _, _, _):
      "take \(file(name)) as a new version of message \(uid)"
    case .renumber(let former, let message, _): "take message \(message.uid) as message \(former)"
    case .agree(let uid, let flags): "note flags of message \(uid): \(letters(flags))"
    case .detach(let name, _): "detach \(file(name))"
    case .wait(let name, _): "wait with \(file(name)), which may be moved here"
    }
  }

  private func text(_ rename: LocalRename) -> String {
    switch rename {
    case .setFlags(let name, _, let flags, _): "mark \(file(name)): \(letters(flags))"
    case .relocate(let relocation): text(relocation.name, relocation.record.uid)
    }
  }

  private func text(_ name: [UInt8], _ uid: UInt32) -> String {
    "bring \(file(name))\(subject(uid)) here\(source(uid)) as message \(uid)"
  }

  /// Where a message goes; empty where that is not known.
  func target(_ uid: UInt32) -> String { moves[uid].map { " to \($0.mailbox)" } ?? "" }

  private func source(_ uid: UInt32) -> String { moves[uid].map { " from \($0.mailbox)" } ?? "" }

  /// The subject of a message that moves, for people; empty where it has none.
  private func subject(_ uid: UInt32) -> String {
    subjectText(uid).map { " \"\(Printable.text($0, limit: 100))\"" } ?? ""
  }

  /// The subject of a message that moves, decoded.
  func subjectText(_ uid: UInt32) -> [UInt8]? {
    let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }
    return moves[uid]?.subject.map { EncodedWord.decode($0[...], decoder) }
  }

  private func text(_ upload: FileUpload) -> String {
    let text = "upload \(file(upload.name))"
    return upload.replacing.map { "\(text) in place of message \($0)" } ?? text
  }

  private func text(_ removal: ServerRemoval) -> String {
    switch removal {
    case .fileless(let uid, let toTrash), .copied(let uid, let toTrash):
      toTrash ? "move message \(uid) to Trash" : "delete message \(uid)"
    case .replaced(let uid, let toTrash, let name, _):
      "\(toTrash ? "move to Trash" : "delete") message \(uid), replaced by \(file(name))"
    case .marked(let name, let uid): "delete message \(uid) and \(file(name))"
    }
  }

  private func text(_ difference: BlockedChange.Difference) -> String {
    switch difference {
    case .addition(let name): "new file \(file(name))"
    case .flags(let name, _): "flags of \(file(name))"
    case .removal(let uid): "removal of message \(uid)"
    case .move(let uid, _): "move of message \(uid)"
    case .serverDeletion(let name, _): "\(file(name)), deleted on the server"
    case .download(let uid): "message \(uid)"
    }
  }

  private func file(_ name: [UInt8]) -> String { Printable.text(name, limit: 255) }

  private func size(_ message: RemoteMessage) -> String {
    message.size.map { ", \($0) octets" } ?? ""
  }

  private func size(of completion: FileCompletion) -> String {
    completion.size.map { ", \(HumanFormat.bytes($0))" } ?? ""
  }

  /// `+flagged -seen`, without what is none.
  private func change(_ store: FlagStore) -> String {
    let parts = [("+", store.adding), ("-", store.removing)].filter { !$0.1.isEmpty }
    let keywords =
      store.keywords.adding.map { "+\(Printable.text($0))" }
      + store.keywords.removing.map { "-\(Printable.text($0))" }
    return (parts.map { $0.0 + letters($0.1) } + keywords).joined(separator: " ")
  }

  private func letters(_ flags: MessageFlags) -> String {
    ([letters(flags.system)] + flags.keywords.map { Printable.text($0) }).joined(separator: " ")
  }

  private func letters(_ flags: SystemFlags) -> String {
    let names: [(SystemFlags, String)] = [
      (.draft, "draft"), (.flagged, "flagged"), (.forwarded, "forwarded"),
      (.answered, "answered"), (.seen, "seen"), (.deleted, "deleted"),
    ]
    let present = names.filter { flags.contains($0.0) }.map(\.1)
    return present.isEmpty ? "none" : present.joined(separator: " ")
  }
}
