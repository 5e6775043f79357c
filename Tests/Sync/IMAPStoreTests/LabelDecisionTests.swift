import MailModel
import MailStore
import SyncPlan
import SyncState
import Testing

@testable import IMAPStore

/// Which mailboxes take part where labels are tags, and when the labels of all messages are read.
@Suite struct LabelDecisionTests {
  private static func mailbox(
    _ name: String,
    _ role: MailboxRole? = nil,
    isView: Bool = false,
    messages: UInt32? = nil,
    next: UInt32 = 1
  ) -> ServerMailbox {
    let status = messages.map { count in
      ServerMailbox.Status(
        identity: MailboxIdentity(validity: 1, serverID: []),
        uidNext: next,
        messages: count,
        modSequence: 9
      )
    }
    return ServerMailbox(
      name: MailboxName(wire: Array(name.utf8)),
      delimiter: UInt8(ascii: "/"),
      isView: isView,
      attributedRole: role,
      status: status
    )
  }

  private static let three = [
    mailbox("[Gmail]/All Mail", .all, isView: true, messages: 9, next: 10),
    mailbox("[Gmail]/Trash", .trash, messages: 1), mailbox("[Gmail]/Spam", .junk, messages: 1),
  ]

  private static func mailboxes(
    _ others: [ServerMailbox],
    isWanted: Bool = false
  ) throws(SyncFailure) -> LabelMailboxes {
    try LabelMailboxes(ServerListing(others + three)) { _ in isWanted }
  }

  @Test func threeMailboxesAreListed() throws {
    let found = try Self.mailboxes([
      Self.mailbox("INBOX", messages: 3), Self.mailbox("Work", messages: 2),
    ])
    #expect(
      found.listing.mailboxes.map(\.name.description) == [
        "[Gmail]/All Mail", "[Gmail]/Trash", "[Gmail]/Spam",
      ]
    )
    let all = try #require(found.listing[found.all])
    #expect(all.attributedRole == .archive && !all.isView)
    #expect(found.listing.arrivals == found.all)
    #expect(all.status?.modSequence == 9)
  }

  @Test func messagesOfLabelsAreCounted() throws {
    let found = try Self.mailboxes([
      Self.mailbox("INBOX", messages: 3), Self.mailbox("Work", messages: 2),
      Self.mailbox("Unread", messages: 4), Self.mailbox("Same", messages: 1),
      Self.mailbox("SAME", messages: 1), Self.mailbox("-x", messages: 1),
      Self.mailbox("Untold"), Self.mailbox("[Gmail]/Chats", messages: 7),
      Self.mailbox("[Gmail]/Starred", .flagged, messages: 1),
      Self.mailbox("[Gmail]/Drafts", .drafts, messages: 1),
      Self.mailbox("[Gmail]/Sent Mail", .sent, messages: 5),
      Self.mailbox("[Gmail]/Important", .important, messages: 6),
    ])
    let counts = found.counts.map { "\(String(decoding: $0.key, as: UTF8.self)) \($0.value)" }
    #expect(
      counts.sorted() == ["important 6", "inbox 3", "label:unread 4", "sent 5", "work 2"]
    )
  }

  @Test func hiddenMailboxesAreNamed() {
    let hidden: [MailboxRole] = [.all, .trash, .junk]
    for role in hidden {
      let listing = ServerListing(Self.three.filter { $0.attributedRole != role })
      do {
        _ = try LabelMailboxes(listing) { _ in false }
        Issue.record("\(role) is hidden")
      } catch {
        guard case .labels(.hidden(let roles)) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(roles == [role])
      }
    }
  }

  @Test func theDigestChangesWithLabelsAlone() throws {
    let first = try Self.mailboxes([Self.mailbox("Work", messages: 2, next: 5)])
    let same = try Self.mailboxes([Self.mailbox("Work", messages: 2, next: 5)])
    let more = try Self.mailboxes([Self.mailbox("Work", messages: 3, next: 5)])
    let exchanged = try Self.mailboxes([Self.mailbox("Work", messages: 2, next: 6)])
    let renamed = try Self.mailboxes([Self.mailbox("Job", messages: 2, next: 5)])
    #expect(first.digest == same.digest)
    #expect(Set([first, more, exchanged, renamed].map(\.digest)).count == 4)
  }

  @Test func allMailIsLookedAtWhereLabelsMayHaveChanged() throws {
    let found = try Self.mailboxes([], isWanted: true)
    let status = try #require(found.listing[found.all]?.status)
    #expect(status.modSequence == nil && status.messages == 9 && status.uidNext == 10)
  }

  @Test(
    arguments: [
      (nil, 0, true, true), (1000, 1000, false, false), (1000, 4599, false, false),
      (1000, 4600, false, true), (1000, 87_399, false, true), (1000, 87_400, true, true),
      (1000, 999, true, true),
    ] as [(Int64?, Int64, Bool, Bool)]
  )
  func labelsOfAllAreReadAtTimes(last: Int64?, now: Int64, isDue: Bool, mayRepeat: Bool) {
    let reading = last.map { ServerTraits.LabelReading(time: $0, digest: 1) }
    let schedule = LabelSchedule(last: reading, now: now)
    #expect(schedule.isDue == isDue)
    #expect(schedule.mayRepeat == mayRepeat)
  }

  private static func message(_ uid: UInt32, _ tags: String...) -> RemoteMessage {
    RemoteMessage(uid: uid, flags: MessageFlags(keywords: tags.map { Array($0.utf8) }))
  }

  private static let known: [[UInt8]: [UInt32]] = [
    Array("inbox".utf8): [1, 2, 3], Array("work".utf8): [2],
  ]

  @Test(
    arguments: [
      ([], [], 3, 1, true), ([], [], 2, 1, false), ([], [3...9], 2, 1, true),
      ([message(4, "inbox")], [], 4, 1, true), ([message(2)], [], 2, 0, true),
      ([message(2, "work")], [], 2, 1, true), ([message(3, "work")], [1...1], 1, 2, true),
      ([message(3, "other")], [], 2, 1, true), ([message(2)], [2...2], 2, 1, false),
    ] as [([RemoteMessage], [ClosedRange<UInt32>], Int, Int, Bool)]
  )
  func tagsAreHeldAgainstNumbers(
    told: [RemoteMessage],
    vanished: [ClosedRange<UInt32>],
    inbox: Int,
    work: Int,
    agrees: Bool
  ) {
    let comparison = LabelComparison(counts: [
      Array("inbox".utf8): inbox, Array("work".utf8): work,
    ])
    let found = comparison.agrees(Self.known, with: RemoteMessages(told), vanished: vanished)
    #expect(found == agrees)
  }

  @Test(
    arguments: [
      (999, 999, 0, 0, false), (1000, 0, 0, 1000, true), (1000, 1000, 0, 0, true),
      (1001, 1001, 0, 0, false), (2000, 1990, 0, 10, true), (5000, 0, 0, 5000, true),
      (10_000, 10_000, 3, 3, true), (3000, 3000, 2, 2, true), (3000, 3000, 2, 1, false),
      (3000, 2999, 2, 3, false), (500, 500, 2, 2, false),
    ] as [(Int, Int, Int, Int, Bool)]
  )
  func aLimitOfAFolderIsSeen(count: Int, known: Int, gone: Int, new: Int, isReached: Bool) {
    let uids = (0..<known).map { UInt32($0 + 1) }
    let lost = Array(uids.prefix(gone))
    #expect(FolderLimit.isReached(count: count, known: uids, gone: lost, new: new) == isReached)
  }

  @Test func othersThanTheOldestAreNoLimit() {
    let uids = (1...3000).map { UInt32($0) }
    #expect(!FolderLimit.isReached(count: 3000, known: uids, gone: [1, 3], new: 2))
    #expect(FolderLimit.isReached(count: 3000, known: uids, gone: [1, 2], new: 2))
  }
}
