import MailModel
import Octets
import SyncPlan
import Testing

/// What became of messages that are gone from one mailbox, among messages that others got.
@Suite struct SurvivorSearchTests {
  private static let here = Array("a".utf8)

  /// A message that the server has, or had, in one place: "name" is that of its file.
  private static func record(
    _ name: String,
    uid: UInt32 = 1,
    body: UInt64 = 1,
    date: Int64? = 100,
    flags: SystemFlags = [],
    isPartial: Bool = false
  ) -> BaseRecord {
    let content = ContentIdentity(messageID: 7, bodyHigh: body, bodyLow: 0, header: 3)
    let name = Array(name.utf8)
    return BaseRecord(
      uid: uid,
      name: name,
      flags: MessageFlags(flags),
      size: 200,
      date: date,
      identity: content,
      completeness: isPartial ? .partial(name: name) : .whole
    )
  }

  private static func find(_ record: BaseRecord, _ flags: SystemFlags?, isTold: Bool = true) throws
    -> Survival?
  {
    var search = try #require(SurvivorSearch([Self.record("a")]))
    search.addMessage(record, flags, in: 2, Array("Folder".utf8), isTold: isTold)
    search.settleAbsent()
    return search.survivors[here]
  }

  @Test func aFileThatIsThereIsTheSurvivor() throws {
    let survivor = Survivor(directory: Array("Folder".utf8), name: Array("b".utf8))
    #expect(try Self.find(Self.record("b", uid: 5), []) == .file(survivor))
  }

  @Test func aFileThatWentIsUnderWayWhereTheServerIsTold() throws {
    let place = RemoteReference(mailbox: 2, uid: 5)
    #expect(try Self.find(Self.record("b", uid: 5), nil) == .underWay(place))
    #expect(try Self.find(Self.record("b", uid: 5), nil, isTold: false) == nil)
  }

  @Test func whatIsToGoSurvivesNothing() throws {
    #expect(try Self.find(Self.record("b"), .deleted) == nil)
  }

  @Test func aFileThatFollowedItsMessageIsNoSecondOne() throws {
    #expect(try Self.find(Self.record("a"), []) == nil)
  }

  @Test func anotherContentOrDateIsAnotherMessage() throws {
    #expect(try Self.find(Self.record("b", body: 2), []) == nil)
    #expect(try Self.find(Self.record("b", date: 101), []) == nil)
    #expect(try Self.find(Self.record("b", date: nil), []) == nil)
  }

  /// Of a partial file nobody saw the body.
  @Test func partsAreTheMessageWhereWhatIsKnownIsTheSame() throws {
    #expect(try Self.find(Self.record("b", body: 2, isPartial: true), []) != nil)
    #expect(try Self.find(Self.record("b", date: 101, isPartial: true), []) == nil)
  }

  @Test func eachOfTwoAlikeIsOneOfThem() throws {
    var search = try #require(SurvivorSearch([Self.record("a", uid: 1), Self.record("c", uid: 2)]))
    search.addMessage(Self.record("d", uid: 8), nil, in: 2, [], isTold: true)
    search.addMessage(Self.record("b", uid: 9), [], in: 3, [], isTold: true)
    search.settleAbsent()
    #expect(search.survivors[Self.here] == .file(Survivor(directory: [], name: Array("b".utf8))))
    let other = RemoteReference(mailbox: 2, uid: 8)
    #expect(search.survivors[Array("c".utf8)] == .underWay(other))
  }

  @Test func onlyMarkedOnesAreLookedForInTheEnd() throws {
    let marked = Self.record("c", uid: 2, body: 2, flags: .deleted)
    var search = try #require(SurvivorSearch([Self.record("a"), marked]))
    let hasMarked = search.narrowToMarked()
    #expect(hasMarked)
    #expect(!search.wants(Self.record("b")))
    #expect(search.wants(Self.record("b", body: 2)))
  }
}
