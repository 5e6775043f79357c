import MailModel
import Octets
import SyncPlan

/// A world small enough to try every one of its kind: two mailboxes, and messages told apart by their content.
///
/// It carries plans out the way an executor does, so that the invariants are those of a whole sync.
struct SmallWorld: Hashable {
  struct Box: Hashable {
    var base: [UInt32: BaseRecord] = [:]
    var detached: OctetSet = []
    var files: [[UInt8]: File] = [:]
    var messages: [UInt32: Message] = [:]
    var nextUID: UInt32 = 100
  }

  struct File: Hashable {
    var content: Int
    var flags: SystemFlags
  }

  struct Message: Hashable {
    var content: Int
    var flags: SystemFlags
  }

  var boxes = [Box(), Box()]
  var trash: [Message] = []

  /// Plans and carries out one run; gives the plans.
  mutating func sync(_ direction: SyncDirection) -> [MailboxPlan] {
    let snapshots = boxes.indices.map { index in
      var snapshot = MailboxSnapshot(empty: UInt64(index))
      snapshot.base = boxes[index].base.values.sorted { $0.uid < $1.uid }
      snapshot.detached = boxes[index].detached
      snapshot.local = boxes[index].files.map {
        LocalFile(
          name: $0.key,
          flags: $0.value.flags,
          identity: Self.identity($0.value.content)
        )
      }
      let messages = boxes[index].messages.map {
        RemoteMessage(
          uid: $0.key,
          flags: MessageFlags($0.value.flags),
          size: UInt64($0.value.content),
          date: Int64($0.value.content),
          key: Self.key($0.value.content),
          identity: Self.identity($0.value.content)
        )
      }
      snapshot.remote = .complete(RemoteMessages(messages))
      snapshot.deletionGuard.isOverridden = true
      return snapshot
    }
    let plans = Planner.plan(snapshots, policy: Policy(direction: direction))
    for plan in plans {
      for planned in plan.steps { carryOut(planned.step, Int(plan.mailbox)) }
    }
    return plans
  }

  /// A record of a message with that content.
  static func record(
    _ uid: UInt32,
    _ name: [UInt8],
    _ flags: SystemFlags,
    _ content: Int
  ) -> BaseRecord {
    BaseRecord(
      uid: uid,
      name: name,
      flags: MessageFlags(flags),
      size: UInt64(content),
      date: Int64(content),
      identity: identity(content),
      completeness: .whole
    )
  }

  private static func identity(_ content: Int) -> ContentIdentity {
    ContentIdentity(
      messageID: UInt64(content + 1),
      bodyHigh: UInt64(content),
      bodyLow: UInt64(content),
      header: UInt64(content)
    )
  }

  private static func key(_ content: Int) -> ContentKey {
    ContentKey(messageID: UInt64(content + 1), header: UInt64(content))
  }

  private mutating func carryOut(_ step: PlanStep, _ box: Int) {
    switch step {
    case .record(let fact): record(fact, box)
    case .rename(let rename): self.rename(rename, box)
    case .store(let store): change(store, box)
    case .move(let move): self.move(move.uid, box, Int(move.target), move.name, move.flags)
    case .copy(let copy):
      let original = boxes[Int(copy.original.mailbox)].messages[copy.original.uid]
      append(copy.name, original?.flags ?? [], box)
    case .upload(let upload):
      append(upload.name, upload.flags.system, box)
      guard let replaced = upload.replacing else { return }
      boxes[box].base[replaced] = nil
      boxes[box].messages[replaced] = nil
    case .download(let message): download(message.uid, box)
    case .complete(let completion): boxes[box].base[completion.uid]?.completeness = .whole
    case .remove(let removal): remove(removal, box)
    case .delete(.synced(let name, let uid, _)):
      boxes[box].files[name] = nil
      boxes[box].base[uid] = nil
    case .delete(.superseded(let name, let uid, _, _, _)):
      boxes[box].files[name] = nil
      if let uid { boxes[box].base[uid] = nil }
    case .forget(let uid): boxes[box].base[uid] = nil
    }
  }

  private mutating func record(_ fact: MailboxFact, _ box: Int) {
    switch fact {
    case .match(let name, let uid, let agreed, _, _),
      .matchEdited(let name, let uid, let agreed, _, _, _):
      guard let file = boxes[box].files[name] else { return }
      boxes[box].base[uid] = Self.record(uid, name, agreed.system, file.content)
    case .renumber(let former, let message, let agreed):
      guard var record = boxes[box].base.removeValue(forKey: former) else { return }
      record.uid = message.uid
      record.flags = agreed
      boxes[box].base[message.uid] = record
    case .agree(let uid, let flags): boxes[box].base[uid]?.flags = flags
    case .detach(let name, let uid):
      if let uid { boxes[box].base[uid] = nil }
      boxes[box].detached.insert(name)
    case .wait: break
    }
  }

  private mutating func rename(_ rename: LocalRename, _ box: Int) {
    switch rename {
    case .setFlags(let name, let uid, let flags, let agreed):
      boxes[box].files[name]?.flags = flags
      boxes[box].base[uid]?.flags = agreed
    case .relocate(let relocation):
      let (source, record) = (Int(relocation.source), relocation.record)
      guard var file = boxes[source].files.removeValue(forKey: relocation.name) else { return }
      file.flags = relocation.flags
      boxes[box].files[record.name] = file
      boxes[box].base[record.uid] = Self.record(
        record.uid,
        record.name,
        record.flags.system,
        file.content
      )
    }
  }

  private mutating func change(_ store: FlagStore, _ box: Int) {
    boxes[box].messages[store.uid]?.flags.formUnion(store.adding)
    boxes[box].messages[store.uid]?.flags.subtract(store.removing)
    guard let agreed = boxes[box].base[store.uid]?.flags.system else { return }
    boxes[box].base[store.uid]?.flags.system =
      agreed.union(store.adding).subtracting(store.removing)
  }

  private mutating func remove(_ removal: ServerRemoval, _ box: Int) {
    switch removal {
    case .fileless(let uid, let toTrash), .copied(let uid, let toTrash),
      .replaced(let uid, let toTrash, _, _):
      if toTrash, let message = boxes[box].messages[uid] { trash.append(message) }
      boxes[box].messages[uid] = nil
      boxes[box].base[uid] = nil
    case .marked(let name, let uid):
      boxes[box].messages[uid] = nil
      boxes[box].files[name] = nil
      boxes[box].base[uid] = nil
    }
  }

  private mutating func download(_ uid: UInt32, _ box: Int) {
    guard let message = boxes[box].messages[uid] else { return }
    let name = Array("fetched-\(box)-\(uid)".utf8)
    boxes[box].files[name] = File(content: message.content, flags: message.flags)
    boxes[box].base[uid] = Self.record(uid, name, message.flags, message.content)
  }

  private mutating func append(_ name: [UInt8], _ flags: SystemFlags, _ box: Int) {
    guard let file = boxes[box].files[name] else { return }
    let uid = boxes[box].nextUID
    boxes[box].nextUID += 1
    boxes[box].messages[uid] = Message(content: file.content, flags: flags)
    boxes[box].base[uid] = Self.record(uid, name, flags, file.content)
    boxes[box].detached.remove(name)
  }

  private mutating func move(
    _ uid: UInt32,
    _ box: Int,
    _ target: Int,
    _ name: [UInt8],
    _ flags: SystemFlags
  ) {
    guard let message = boxes[box].messages.removeValue(forKey: uid),
      let record = boxes[box].base.removeValue(forKey: uid),
      let file = boxes[target].files[name]
    else { return }
    let new = boxes[target].nextUID
    boxes[target].nextUID += 1
    boxes[target].messages[new] = message
    let agreed = record.flags.system.symmetricDifference(file.flags.symmetricDifference(flags))
    boxes[target].files[name]?.flags = flags
    boxes[target].base[new] = Self.record(new, name, agreed, message.content)
  }
}
