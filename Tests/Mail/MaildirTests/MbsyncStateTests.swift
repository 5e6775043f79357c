import MailModel
@testable import Maildir
import SyncPlan
import TestSupport
import Testing

@Suite("State files of mbsync")
struct MbsyncStateTests {
  /// Written by isync 1.4.4 with MaxMessages and MaxSize, after deletions on both sides.
  private static let text = """
    FarUidValidity 1795244800
    NearUidValidity 1795244799
    MaxPulledUid 19
    MaxPushedUid 12
    MaxExpiredFarUid 12

    2 0 S
    0 1 T
    3 2 FP
    10 3 ~
    13 6 \("")
    15 7 >
    19 12 <S
    20 13 DFPRST

    """

  @Test("a file of isync 1.4.4")
  func whole() throws {
    let state = try #require(MbsyncState(Array(Self.text.utf8)))
    #expect(state.farValidity == 1_795_244_800)
    #expect(state.nearValidity == 1_795_244_799)
    #expect(
      state.pairs.map(Self.text) == [
        "2 - S", "- 1 T", "3 2 FP", "10 3 expired", "13 6", "15 7 near placeholder",
        "19 12 S far placeholder", "20 13 DFPRST",
      ]
    )
  }

  @Test(
    "one pair",
    arguments: [
      ("7 8 FS", "7 8 FS"), ("7 8 ", "7 8"), ("7 8", "7 8"), ("7 0 ", "7 -"), ("0 8 S", "- 8 S"),
      ("7 8 ~S", "7 8 S expired"), ("7 8 XS", "7 8 S expired"),
      ("7 8 >~FS", "7 8 FS expired near placeholder"), ("7 0 ^", "7 - skipped"),
      ("0 8 !S", "- 8 S skipped"), ("7 4294967295 ", "7 - skipped"),
      ("4294967294 8 ", "- 8 skipped"), ("4294967293 8 ", "4294967293 8"),
      ("0 0 S", nil), ("", nil), ("7", nil), ("7 ", nil), (" 7 8 S", nil), ("7  8 S", nil),
      ("7 8S", nil), ("7 8 S ", nil), ("7 8 Q", nil), ("7 8 s", nil), ("7 8 S~", nil),
      ("-7 8 S", nil), ("4294967296 8 S", nil), ("7 99999999999999999999 S", nil),
      ("7 8 S\r", nil), ("a b c", nil), ("7 8 \u{0}", nil),
    ] as [(String, String?)]
  )
  func pair(_ line: String, _ wanted: String?) {
    #expect(MbsyncState.Pair(Array(line.utf8)[...]).map(Self.text) == wanted)
  }

  @Test("the flags of a pair are no base where they are not those of both sides")
  func base() {
    let base = { (line: String) in MbsyncState.Pair(Array(line.utf8)[...])?.base }
    #expect(base("7 8 FS") == MessageFlags([.flagged, .seen]))
    #expect(base("7 8 <S") == MessageFlags(.seen))
    #expect(base("7 8 ") == MessageFlags())
    #expect(base("7 8 ~FS") == nil)
    #expect(base("7 8 >") == nil)
  }

  @Test("the file of an expired message does not mark the server's as deleted")
  func expired() throws {
    let pair = try #require(MbsyncState.Pair(Array("10 3 ~S".utf8)[...]))
    #expect(pair.base == nil)
    let remote = MessageFlags(.seen)
    let merged = Rematch.base([.seen, .deleted], remote)
    #expect(merged == MessageFlags([.seen, .deleted]))
  }

  @Test("what never came to the server was not synced")
  func synced() {
    let wasSynced = { (line: String) in MbsyncState.Pair(Array(line.utf8)[...])?.wasSynced }
    #expect(wasSynced("7 8 ") == true)
    #expect(wasSynced("0 8 ") == true)
    #expect(wasSynced("7 0 ^") == true)
    #expect(wasSynced("0 8 ^") == false)
    #expect(wasSynced("4294967294 8 ") == false)
  }

  @Test("a file of isync 1.2")
  func old() throws {
    let text = "MasterUidValidity 5\nSlaveUidValidity 6\nMaxPulledUid 2\n\n1 1 S\n"
    let state = try #require(MbsyncState(Array(text.utf8)))
    #expect(state.farValidity == 5 && state.nearValidity == 6 && state.pairs.count == 1)
  }

  @Test(
    "what is no state file",
    arguments: [
      "", "\n", "\n\n1 1 S\n", "5:6:7\n1 1 S\n", "FarUidValidity 5\n\n1 1 S\n",
      "NearUidValidity 5\n\n1 1 S\n", "FarUidValidity 0\nNearUidValidity 5\n\n1 1 S\n",
      "FarUidValidity 5\nNearUidValidity 0\n\n1 1 S\n", "FarUidValidity 5\nNearUidValidity 6\n",
      "FarUidValidity 5\nNearUidValidity 6\n1 1 S\n", "FarUidValidity 5\nNearUidValidity 6 7\n\n",
      "FarUidValidity 5\nNearUidValidity 4294967296\n\n", "FarUidValidity 5\nNearUidValidity\n\n",
      "FarUidValidity 5\r\nNearUidValidity 6\r\n\r\n", "farUidValidity 5\nNearUidValidity 6\n\n",
    ]
  )
  func refused(_ text: String) {
    #expect(MbsyncState(Array(text.utf8)) == nil)
  }

  @Test("a bad line costs no other")
  func badLine() throws {
    let text = "FarUidValidity 5\nNearUidValidity 6\n\n1 1 S\nwhat?\n\n2 2 F\n"
    let state = try #require(MbsyncState(Array(text.utf8)))
    #expect(state.pairs.map(Self.text) == ["1 1 S", "2 2 F"])
  }

  @Test("a file cut anywhere gives only what it said")
  func cut() throws {
    let octets = Array(Self.text.utf8)
    let whole = try #require(MbsyncState(octets))
    let head = try #require(Self.text.utf8.firstRange(of: Array("\n\n".utf8))).upperBound
    let headCount = Self.text.utf8.distance(from: Self.text.startIndex, to: head)
    for end in octets.indices {
      let state = MbsyncState(Array(octets[..<end]))
      #expect((state == nil) == (end < headCount))
      guard let state else { continue }
      #expect(state.farValidity == whole.farValidity && state.nearValidity == whole.nearValidity)
      #expect(whole.pairs.starts(with: state.pairs))
      #expect(state.pairs.count == octets[headCount..<end].count { $0 == 0x0A })
    }
  }

  @Test("octets of every kind trap nowhere")
  func garbage() {
    var random = SeededGenerator(seed: 1)
    let octets = Array(Self.text.utf8)
    for _ in 0..<2000 {
      var changed = octets
      for _ in 0..<3 {
        let index = Int.random(in: changed.indices, using: &random)
        changed[index] = UInt8.random(in: 0...255, using: &random)
      }
      if let state = MbsyncState(changed) { #expect(state.pairs.count <= octets.count / 4) }
    }
  }

  private static func text(_ pair: MbsyncState.Pair) -> String {
    let letters = pair.flags.characters
    var words = [pair.farUID, pair.nearUID].map { uid in uid.map { "\($0)" } ?? "-" }
    if !letters.isEmpty { words.append(String(decoding: letters, as: UTF8.self)) }
    if pair.isExpired { words.append("expired") }
    if pair.isSkipped { words.append("skipped") }
    if let placeholder = pair.placeholder { words.append("\(placeholder) placeholder") }
    return words.joined(separator: " ")
  }
}
