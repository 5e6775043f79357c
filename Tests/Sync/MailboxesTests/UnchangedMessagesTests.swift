import MailModel
import Maildir
import Octets
import SyncPlan
import SyncState
import TestSupport
import Testing

@testable import Mailboxes

/// What distinguishes two ways to see one world is found by trying many of them.
@Suite("Messages that make no difference")
struct UnchangedMessagesTests {
  private static let flags: [SystemFlags] = [[], .seen, .flagged, .deleted, [.seen, .draft]]

  @Test("the plan without them is the plan of everything", arguments: 0..<8 as Range<UInt64>)
  func planIsTheSame(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (leftOut, withGone) = (0, 0)
    for _ in 0..<600 {
      let boxes = (0..<2).map { Self.box(UInt64($0), &random) }
      guard boxes.allSatisfy({ Self.conditions($0).allow }) else { continue }
      let gone = boxes.flatMap(Self.gone)
      let followable =
        gone.isEmpty ? [] : gone.map(\.name) + boxes.flatMap(Self.unmatched).map(\.name)
      let reduced = boxes.map { Self.reduced($0, followable) }
      if !gone.isEmpty { withGone += reduced.reduce(0) { $0 + $1.unchanged } }
      leftOut += reduced.reduce(0) { $0 + $1.unchanged }
      let policy = Self.policy(&random)
      #expect(Planner.plan(reduced, policy: policy) == Planner.plan(boxes, policy: policy))
    }
    #expect(leftOut > 100)
    #expect(withGone > 100)
  }

  @Test("names are taken as they are, or as files are named in their place")
  func takenNames() {
    let there = [
      "a.x", "a_1.x", "a_2.x", "b_2.x", "c_3", "e.x", "e_1.x", "e_2.x", "e_4.x", "e_6.x",
    ].map { Array($0.utf8) }
    let wanted = ["a.x", "b.x", "b.x", "c", "d", "e.x", "e.x"].map { Array($0.utf8) }
    let taken = FreshName.taken(of: wanted) { there.contains($0) }
    let names = Set(taken.map { String(decoding: $0, as: UTF8.self) })
    #expect(names == ["a.x", "a_1.x", "a_2.x", "b_2.x", "e.x", "e_1.x", "e_2.x", "e_4.x"])
  }

  @Test("nothing is left out where every name or record counts")
  func conditions() {
    let fine = UnchangedMessages.Conditions(
      remote: .unchanged,
      hasFormerRecords: false,
      sharesNames: false,
      hasUnmatchedFiles: true,
      role: nil
    )
    #expect(fine.allow)
    let others: [(inout UnchangedMessages.Conditions) -> Void] = [
      { $0.remote = .complete([]) }, { $0.hasFormerRecords = true }, { $0.sharesNames = true },
      { $0.role = .sent },
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
    UnchangedMessages.Conditions(
      remote: box.remote,
      hasFormerRecords: !box.formerRecords.isEmpty,
      sharesNames: OctetSet(box.base.map(\.name)).count < box.base.count,
      hasUnmatchedFiles: !unmatched(box).isEmpty,
      role: box.role
    )
  }

  private static func gone(_ box: MailboxSnapshot) -> [BaseRecord] {
    let remote = RemoteIndex(box.remote)
    return box.base.filter { remote.isGone($0.uid) }
  }

  private static func unmatched(_ box: MailboxSnapshot) -> [LocalFile] {
    let names = OctetSet(box.base.map(\.name))
    return box.local.filter { !names.contains($0.name) }
  }

  /// The mailbox as a plan sees it that leaves them out.
  private static func reduced(
    _ box: MailboxSnapshot,
    _ followable: [[UInt8]]
  ) -> MailboxSnapshot {
    var state = MailboxState(
      MailboxHeader(mailbox: [], directory: [], id: box.mailbox, validity: 1)
    )
    for record in box.base { state.apply(.message(record)) }
    let files = FileTable(
      box.local.map {
        ScannedFile(name: FileName(base: $0.name, flags: $0.flags), subdirectory: .cur)
      }
    )
    var mentioned = Set(box.remote.listed.uids).union(box.local.compactMap(\.ownUID))
    mentioned.formUnion(gone(box).map(\.uid))
    for file in box.local where file.isEdited || file.identity != nil || file.tags != .none {
      if let uid = state.uid(of: file.name) { mentioned.insert(uid) }
    }
    let taken = FreshName.taken(of: followable) { state.uid(of: $0) != nil }
    mentioned.formUnion(taken.compactMap { state.uid(of: $0) })
    let scope = PlanScope(
      state,
      files,
      NameDifference(files, state),
      UnchangedMessages(but: mentioned)
    )
    var reduced = box
    reduced.base = scope.records
    reduced.local = scope.files.map { box.local[$0] }
    reduced.unchanged = scope.unchanged
    return reduced
  }

  // MARK: Worlds

  /// A mailbox of ten messages at most, most of which nothing happened to.
  private static func box(
    _ mailbox: UInt64,
    _ random: inout SeededGenerator
  ) -> MailboxSnapshot {
    var box = empty(mailbox)
    box.role = [nil, nil, .sent, .trash, .drafts].randomElement(using: &random) ?? nil
    for uid in 1...UInt32.random(in: 1...10, using: &random) where chance(80, &random) {
      box.base.append(record(uid, name(uid, mailbox), &random))
    }
    for index in box.base.indices where chance(10, &random) {
      // As a file is named whose own name is another message's here.
      let uid = box.base[index].uid
      box.base[index].name = Array("\(uid)_\(chance(70, &random) ? 1 : 2).box\(1 - mailbox)".utf8)
    }
    for record in box.base where chance(85, &random) {
      box.local.append(file(of: record, &random))
    }
    addStrangers(&box, &random)
    box.remote = .changes(
      listed(box, &random),
      vanished: chance(10, &random) ? [11...12] : chance(20, &random) ? [3...4] : []
    )
    if chance(10, &random) { box.detached.insert(name(1, 1 - mailbox)) }
    if chance(10, &random) {
      let isOlder = chance(50, &random)
      box.absence = chance(50, &random) ? .unproven : .restored(isOlder: isOlder)
    }
    if chance(10, &random) { box.pendingExpunges = [11] }
    if chance(10, &random) { box.isWritable = false }
    return box
  }

  private static func empty(_ mailbox: UInt64) -> MailboxSnapshot {
    MailboxSnapshot(
      mailbox: mailbox,
      directory: [],
      role: nil,
      isLabel: false,
      base: [],
      underWay: [:],
      detached: [],
      formerRecords: [],
      local: [],
      absence: .proven,
      outside: .none,
      pendingExpunges: [],
      remote: .unchanged,
      isWritable: true,
      permanentFlags: .all,
      fetchSince: nil,
      completions: Completions(sizeLimit: 0, names: []),
      deletionGuard: DeletionGuard(
        recentInMailbox: 0,
        recentInAccount: 0,
        messagesInAccount: 0,
        isOverridden: false
      ),
      blockedDeletions: .none,
      expunges: true,
      movesAtOnce: true
    )
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
  ) -> RemoteMessages {
    let messages = (UInt32(1)...14).compactMap { uid -> RemoteMessage? in
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
    return RemoteMessages(messages)
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
      identity: chance(90, &random) ? identity(content) : nil,
      completeness: content > 0 && chance(10, &random)
        ? .partial(name: [UInt8(truncatingIfNeeded: uid)]) : .whole
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
