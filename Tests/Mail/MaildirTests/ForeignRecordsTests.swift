import MailModel
@testable import Maildir
import Testing

@Suite("What other tools knew of a file")
struct ForeignRecordsTests {
  private static let state = """
    FarUidValidity 70
    NearUidValidity 5
    MaxPulledUid 30
    MaxPushedUid 9

    11 1 FS
    0 2 S
    12 3 ~S
    13 4 >F
    14 5 <S
    0 6 ^
    15 7 S

    """
  private static let digests = [
    "7e33429f656f1e6e9d79b29c3f82c57e", "d07923816012158d6c5f8f4d220153e3",
  ]

  @Test(
    "mbsync's state",
    arguments: [
      ("a,U=1", "uid 11 flags FS synced"), ("a,U=2", "flags S synced"),
      ("a,U=3", "uid 12 synced"), ("a,U=4", "uid 13 synced placeholder"),
      ("a,U=5", "uid 14 flags S synced"), ("a,U=6", "flags "),
      // A number that two files bear; flags that cannot be seen; a file that nobody numbered.
      ("a,U=7", "synced"), ("b,U=7", "synced"), ("a,U=1;2,F", "uid 11 synced"), ("a", ""),
      // Unknown to the state: looked at before, and numbered after the last push.
      ("a,U=8", "synced"), ("a,U=9", "synced"), ("a,U=10", ""),
    ]
  )
  func states(_ name: String, _ wanted: String) throws {
    let state = try #require(MbsyncState(Array(Self.state.utf8)))
    let names = name.hasSuffix("U=7") ? ["a,U=7", "b,U=7"] : [name]
    let records = ForeignRecords(
      names: names.map { Array($0.utf8) },
      mbsync: MbsyncStateFile(state: state, isBehind: false)
    )
    #expect(Self.text(records.record(of: Array(name.utf8), validity: 70)) == wanted)
    let other = Self.text(records.record(of: Array(name.utf8), validity: 71))
    #expect(!other.contains("uid"), "another UIDVALIDITY")
    let behind = ForeignRecords(
      names: [Array(name.utf8)],
      mbsync: MbsyncStateFile(state: state, isBehind: true)
    )
    let wasSynced = behind.record(of: Array("a,U=10".utf8), validity: 70).wasSynced
    #expect(wasSynced, "a run that broke off may have pushed it")
  }

  @Test("without a state")
  func names() {
    let names = [
      "a,U=1,FMD5=\(Self.digests[0])", "b,U=2,FMD5=\(Self.digests[0])",
      "c,U=1,FMD5=\(Self.digests[1])", "d,U=9", "e",
    ]
    let records = ForeignRecords(names: names.map { Array($0.utf8) }, mbsync: nil)
    let found = names.map { Self.text(records.record(of: Array($0.utf8), validity: 70)) }
    #expect(found == ["uid 1 synced", "uid 2 synced", "synced", "synced", ""])
  }

  private static func text(_ record: ForeignRecords.Record) -> String {
    let flags = record.flags.map { flags in
      "flags " + String(decoding: flags.system.characters, as: UTF8.self)
    }
    return [
      record.uid.map { "uid \($0)" }, flags, record.wasSynced ? "synced" : nil,
      record.isPlaceholder ? "placeholder" : nil,
    ].compactMap { $0 }.joined(separator: " ")
  }
}
