import MailModel
import Octets
import SyncPlan
import TestSupport
import Testing

/// What distinguishes two ways to see one world is found by trying many of them.
@Suite("Messages that make no difference")
struct UnchangedMessagesTests {
  private static let flags: [SystemFlags] = [[], .seen, .flagged, .deleted, [.seen, .draft]]

  @Test("the plan without them is the plan of everything", arguments: 0..<8 as Range<UInt64>)
  func planIsTheSame(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var leftOut = 0
    for _ in 0..<400 {
      let boxes = (0..<2).map { Self.box(UInt64($0), &random) }
      guard boxes.allSatisfy({ Self.conditions($0).allow }) else { continue }
      let reduced = boxes.map(Self.reduced)
      leftOut += reduced.reduce(0) { $0 + $1.unchanged }
      let policy = Self.policy(&random)
      #expect(Planner.plan(reduced, policy: policy) == Planner.plan(boxes, policy: policy))
    }
    #expect(leftOut > 100)
  }

  @Test("nothing is left out where a message is gone, or every name counts")
  func conditions() {
    let fine = UnchangedMessages.Conditions(
      remote: .unchanged,
      hasGone: false,
      hasFormerRecords: false,
      sharesNames: false,
      hasUnmatchedFiles: true,
      role: nil
    )
    #expect(fine.allow)
    let others: [(inout UnchangedMessages.Conditions) -> Void] = [
      { $0.remote = .complete([]) }, { $0.hasGone = true }, { $0.hasFormerRecords = true },
      { $0.sharesNames = true }, { $0.role = .sent },
    ]
    for change in others {
      var conditions = fine
      change(&conditions)
      #expect(!conditions.allow)
    }
  }

  @Test("a message that is marked as deleted, differs or is mentioned makes a difference")
  func members() {
    let unchanged = UnchangedMessages(but: [7])
    #expect(unchanged.contains(1, recorded: .seen, shown: .seen))
    #expect(!unchanged.contains(1, recorded: .seen, shown: []))
    #expect(!unchanged.contains(1, recorded: .deleted, shown: .deleted))
    #expect(!unchanged.contains(7, recorded: .seen, shown: .seen))
  }

  // MARK: Both ways

  private static func conditions(_ box: MailboxSnapshot) -> UnchangedMessages.Conditions {
    let remote = RemoteIndex(box.remote)
    let names = OctetSet(box.base.map(\.name))
    return UnchangedMessages.Conditions(
      remote: box.remote,
      hasGone: box.base.contains { remote.isGone($0.uid) },
      hasFormerRecords: !box.formerRecords.isEmpty,
      sharesNames: names.count < box.base.count,
      hasUnmatchedFiles: box.local.contains { !names.contains($0.name) },
      role: box.role
    )
  }

  /// The mailbox without them, as `UnchangedMessages` says.
  private static func reduced(_ box: MailboxSnapshot) -> MailboxSnapshot {
    let files = Dictionary(uniqueKeysWithValues: box.local.map { ($0.name, $0) })
    var mentioned = Set(box.remote.listed.map(\.uid) + box.local.compactMap(\.ownUID))
    for record in box.base {
      guard let file = files[record.name],
        file.isEdited || file.identity != nil || file.tags != .none
      else { continue }
      mentioned.insert(record.uid)
    }
    let unchanged = UnchangedMessages(but: mentioned)
    let leftOut = box.base.filter { record in
      files[record.name].map {
        unchanged.contains(record.uid, recorded: record.flags.system, shown: $0.flags)
      } ?? false
    }
    var reduced = box
    reduced.base.removeAll { leftOut.contains($0) }
    let names = OctetSet(leftOut.map(\.name))
    reduced.local.removeAll { names.contains($0.name) }
    reduced.unchanged = leftOut.count
    return reduced
  }

  // MARK: Worlds

  /// A mailbox of ten messages at most, most of which nothing happened to.
  private static func box(
    _ mailbox: UInt64,
    _ random: inout SeededGenerator
  ) -> MailboxSnapshot {
    var box = MailboxSnapshot(empty: mailbox)
    box.role = [nil, nil, .sent, .trash, .drafts].randomElement(using: &random) ?? nil
    for uid in 1...UInt32.random(in: 1...10, using: &random) where chance(80, &random) {
      box.base.append(record(uid, name(uid, mailbox), &random))
    }
    for record in box.base where chance(85, &random) {
      box.local.append(file(of: record, &random))
    }
    addStrangers(&box, &random)
    box.remote = .changes(
      listed(box, &random),
      vanished: chance(10, &random) ? [11...12] : chance(5, &random) ? [3...4] : []
    )
    if chance(10, &random) { box.detached.insert(name(1, 1 - mailbox)) }
    if chance(10, &random) { box.absence = chance(50, &random) ? .unproven : .restored }
    if chance(10, &random) { box.pendingExpunges = [11] }
    if chance(10, &random) { box.isWritable = false }
    return box
  }

  private static func file(
    of record: BaseRecord,
    _ random: inout SeededGenerator
  ) -> LocalFile {
    var file = LocalFile(name: record.name, flags: record.flags.system)
    if chance(15, &random) { file.flags = flags.randomElement(using: &random) ?? [] }
    if chance(5, &random) { file.isEdited = true }
    if chance(5, &random) { file.identity = record.identity }
    if chance(5, &random) { file.tags = KeywordChange(adding: [[0x61]]) }
    return file
  }

  /// Files that are no message's here: from the other mailbox, with a UID of this one, or new.
  private static func addStrangers(
    _ box: inout MailboxSnapshot,
    _ random: inout SeededGenerator
  ) {
    for uid in UInt32(1)...10 where chance(8, &random) {
      var file = LocalFile(
        name: name(uid, 1 - box.mailbox),
        flags: flags.randomElement(using: &random) ?? [],
        identity: identity(UInt64.random(in: 0...5, using: &random))
      )
      if chance(20, &random) { file.name += Array("x".utf8) }
      if chance(30, &random) { file.ownUID = UInt32.random(in: 1...12, using: &random) }
      if chance(15, &random) { file.isDetached = true }
      box.local.append(file)
    }
  }

  private static func listed(
    _ box: MailboxSnapshot,
    _ random: inout SeededGenerator
  ) -> [RemoteMessage] {
    (UInt32(1)...14).compactMap { uid in
      let isNew = uid > 10
      guard chance(isNew ? 40 : 10, &random), isNew || box.base.contains(where: { $0.uid == uid })
      else { return nil }
      let content = UInt64.random(in: 0...5, using: &random)
      return RemoteMessage(
        uid: uid,
        flags: MessageFlags(flags.randomElement(using: &random) ?? []),
        size: content,
        date: Int64(content),
        key: ContentKey(messageID: content + 1, header: content),
        identity: identity(content)
      )
    }
  }

  private static func record(
    _ uid: UInt32,
    _ name: [UInt8],
    _ random: inout SeededGenerator
  ) -> BaseRecord {
    let content = UInt64.random(in: 0...5, using: &random)
    return BaseRecord(
      uid: uid,
      name: name,
      flags: MessageFlags(flags.randomElement(using: &random) ?? []),
      size: content,
      date: Int64(content),
      identity: chance(90, &random) ? identity(content) : nil
    )
  }

  private static func identity(_ content: UInt64) -> ContentIdentity {
    ContentIdentity(messageID: content + 1, bodyHigh: content, bodyLow: content, header: content)
  }

  private static func name(_ uid: UInt32, _ mailbox: UInt64) -> [UInt8] {
    Array("\(uid).box\(mailbox)".utf8)
  }

  private static func policy(_ random: inout SeededGenerator) -> Policy {
    Policy(
      direction: [.both, .both, .pull, .push].randomElement(using: &random) ?? .both,
      localDeletion: [.trash, .expunge, .keep].randomElement(using: &random) ?? .trash,
      remoteDeletion: chance(80, &random) ? .follow : .keep,
      expunge: [.never, .trash, .all].randomElement(using: &random) ?? .never,
      postponesRemovals: chance(20, &random)
    )
  }

  private static func chance(_ percent: Int, _ random: inout SeededGenerator) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }
}
