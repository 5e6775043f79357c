import MailModel
import Octets
import SyncPlan
import Testing

/// The smaller decisions about the other half of a message or of a file: facts in, answers out.
@Suite struct SearchTests {
  private static func message(_ uid: UInt32, size: UInt64?, date: Int64? = nil) -> RemoteMessage {
    RemoteMessage(uid: uid, flags: MessageFlags(), size: size, date: date)
  }

  // MARK: Namesakes

  @Test func theFileThatHoldsTheMessageIsTheMessages() {
    let content = { (body: UInt64, header: UInt64, size: UInt64) in
      Trace(
        ContentIdentity(messageID: 1, bodyHigh: body, bodyLow: 0, header: header),
        size: size
      )
    }
    let record = content(1, 1, 100)
    #expect(record.likest(among: [content(2, 1, 100), content(1, 1, 100)]) == 1)
    #expect(record.likest(among: [content(2, 1, 100), content(1, 2, 120)]) == 1)
    #expect(record.likest(among: [content(2, 1, 120), content(3, 1, 100)]) == 1)
    #expect(record.likest(among: [nil, content(3, 1, 120), content(4, 1, 120)]) == 1)
    #expect(record.likest(among: []) == nil)
  }

  // MARK: Lost files

  @Test func aFileStaysWhoseMessageMayBeOneThatNoRunHasSeen() {
    let lost = LostFile(name: [1], wanted: Trace(messageID: 5, size: 100, date: 50))
    let unknown = LostFile(name: [2], wanted: Trace())
    let held = { (unseen: [RemoteMessage]?) in
      LostFile.held([lost, unknown], by: unseen)
    }
    #expect(held([]) == [])
    #expect(held([Self.message(1, size: 100, date: 50)]) == [[1], [2]])
    #expect(held([Self.message(1, size: 101, date: 50)]) == [[2]])
    #expect(held(nil) == [[1], [2]])
  }

  // MARK: Keys

  @Test func aKeyCountsWhereTheHeaderSaysTheSame() throws {
    let file = Trace(ContentIdentity(messageID: 5, bodyHigh: 1, bodyLow: 0, header: 3), size: 100)
    let alike = [Self.message(7, size: 100), Self.message(8, size: 100)]
    #expect(KeyClaim(file, as: 9, among: alike) == nil)
    let current = try #require(KeyClaim(file, as: 8, among: alike))
    #expect(current.messages.map(\.uid) == [8])
    let header = { (id: UInt64, header: UInt64) in
      { (message: RemoteMessage) in Trace(messageID: id, header: header, size: message.size) }
    }
    let settled = { (claims: [KeyClaim], header: (RemoteMessage) -> Trace?) in
      KeyClaim.resolveClaims(claims, by: header).map { $0?.uid }
    }
    #expect(settled([current], header(5, 4)) == [8])
    #expect(settled([current], header(6, 3)) == [nil])
    #expect(settled([current]) { _ in nil } == [nil])
    // The UID means nothing: the header has to agree, and each message is one file's.
    let former = try #require(KeyClaim(file, as: nil, among: alike))
    #expect(settled([former], header(5, 4)) == [nil])
    #expect(settled([former, former, former], header(5, 3)) == [7, 8, nil])
  }

  // MARK: What a mailbox got meanwhile

  @Test func uidNextTellsThatMessagesCame() {
    let mark = { (next: UInt32?) in MailboxMark(uidNext: next, modSequence: nil) }
    #expect(mark(6).hasMore(than: mark(5)))
    #expect(!mark(5).hasMore(than: mark(5)))
    #expect(mark(2).hasMore(than: nil))
    #expect(!mark(1).hasMore(than: nil))
    #expect(!mark(nil).hasMore(than: mark(5)))
  }

  @Test func whatNothingTellsMayHaveHappened() {
    let mark = MailboxMark(uidNext: 5, modSequence: 9, messages: 3)
    #expect(!mark.differs(from: mark))
    #expect(mark.differs(from: MailboxMark(uidNext: 6, modSequence: 9, messages: 3)))
    #expect(mark.differs(from: MailboxMark(uidNext: 5, modSequence: 10, messages: 3)))
    #expect(!mark.differs(from: MailboxMark(uidNext: 5, modSequence: nil, messages: 3)))
    #expect(mark.differs(from: MailboxMark(uidNext: 5, modSequence: nil, messages: 2)))
    #expect(mark.differs(from: MailboxMark(uidNext: 5, modSequence: nil)))
  }
}
