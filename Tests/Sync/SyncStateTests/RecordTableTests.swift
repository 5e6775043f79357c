import MailModel
import Octets
import SyncPlan
import TestSupport
import Testing

@testable import SyncState

@Suite("Records in rows")
struct RecordTableTests {
  /// What the table has to do, in the plainest way.
  private struct Model {
    var records: [UInt32: BaseRecord] = [:]
    var uids: [[UInt8]: UInt32] = [:]

    mutating func release(_ record: BaseRecord) {
      if uids[record.name] == record.uid { uids[record.name] = nil }
    }

    mutating func take(_ record: BaseRecord) {
      if let old = records[record.uid], old.name != record.name { release(old) }
      records[record.uid] = record
      uids[record.name] = record.uid
    }

    mutating func remove(_ uid: UInt32) {
      if let old = records.removeValue(forKey: uid) { release(old) }
    }
  }

  /// More changes than are kept beside the rows, so that rows are made of them several times.
  @Test("is what a dictionary is, through all changes", arguments: [1, 2, 3] as [UInt64])
  func changes(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = RecordTable()
    var model = Model()
    let range: UInt32 = seed == 1 ? 40 : 3000
    for step in 0..<9000 {
      let uid = UInt32.random(in: 1...range, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        // Now and then a name that another message may have.
        let owner = Int.random(in: 0..<20, using: &random) == 0 ? uid / 2 : uid
        let record = Self.record(uid, owner, &random)
        table.putRecord(record)
        model.take(record)
      case 6, 7:
        let flags = Self.flags(&random)
        table.setFlags(flags, of: uid)
        model.records[uid]?.flags = flags
      default:
        table.remove(uid)
        model.remove(uid)
      }
      #expect(table[uid] == model.records[uid])
      #expect(table.count == model.records.count)
      if step % 1500 == 0 { compare(table, model, range) }
    }
    compare(table, model, range)
    #expect(table.sharesNames)
  }

  /// As a first sync records: blocks of new messages, the highest UIDs first, and flags of some that are there.
  @Test("what is new is put among the rows", arguments: [1, 2] as [UInt64])
  func additions(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = RecordTable()
    var model = Model()
    let range: UInt32 = 4000
    let blocks = stride(from: range, to: 1, by: -50).map { Array(($0 - 49)...$0) }
    for block in seed == 1 ? blocks : blocks.shuffled(using: &random) {
      for uid in block {
        let record = Self.record(uid, uid, &random)
        table.putRecord(record)
        model.take(record)
      }
      for uid in block.filter({ $0 % 3 == 0 }).map({ range - $0 }) where table.contains(uid) {
        let flags = Self.flags(&random)
        table.setFlags(flags, of: uid)
        model.records[uid]?.flags = flags
      }
    }
    #expect(table.rows.count > Int(range) - 2 * RecordTable.changeLimit)
    #expect(!table.sharesNames)
    compare(table, model, range)
  }

  private func compare(_ table: RecordTable, _ model: Model, _ range: UInt32) {
    let sorted = model.records.values.sorted { $0.uid < $1.uid }
    #expect(Array(table) == sorted)
    #expect(table.keys == sorted.map(\.uid))
    #expect(table.highestUID == sorted.last?.uid)
    #expect(table.withKeywords == sorted.filter { !$0.flags.keywords.isEmpty })
    var told: [BaseRecord] = []
    table.forEachMessage {
      told.append(BaseRecord(uid: $0, name: [], flags: MessageFlags($1), completeness: .whole))
    }
    #expect(told.map(\.uid) == sorted.map(\.uid))
    #expect(told.map(\.flags.system) == sorted.map(\.flags.system))
    var lower = UInt32(0)
    var ranges: [ClosedRange<UInt32>] = []
    while lower < range {
      ranges.append(lower...(lower + 4))
      lower += 9
    }
    ranges.append((range + 20)...UInt32.max)
    let within = sorted.map(\.uid).filter { uid in ranges.contains { $0.contains(uid) } }
    #expect(table.uids(in: ranges) == within)
    #expect(table.uids(in: []).isEmpty)
    for uid in 0...range {
      #expect(table.contains(uid) == (model.records[uid] != nil))
      #expect(table.uids(in: [uid...uid]).isEmpty == (model.records[uid] == nil))
      let name = Self.name(uid)
      #expect(table.uid(of: name) == model.uids[name])
      #expect(name.withUnsafeBytes { table.uid(of: $0) } == model.uids[name])
    }
  }

  @Test("the order in which records came makes no difference")
  func equality() {
    var random = SeededGenerator(seed: 5)
    let records = (1...20).map { Self.record($0, $0, &random) }
    var (one, other) = (RecordTable(), RecordTable())
    for record in records { one.putRecord(record) }
    for record in records.reversed() { other.putRecord(record) }
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    other.remove(20)
    #expect(one != other)
  }

  // MARK: Lines

  /// Whatever the short way reads, the long way reads too, and the same.
  @Test("a line that is read in place is what its record is")
  func lines() throws {
    var random = SeededGenerator(seed: 6)
    var read = 0
    for uid in UInt32(1)...300 {
      let record = Self.record(uid, uid, &random)
      let line = RecordCodec.encode(.message(record))
      let isPlain = (record.date ?? 0) >= 0 && !record.completeness.isPartial
      #expect((Self.read(line) == .message(record)) == isPlain)
      for _ in 0..<30 {
        let changed = Self.damaged(line, &random)
        guard let found = Self.read(changed) else { continue }
        read += 1
        #expect(found == RecordCodec.decode(changed[...]))
      }
    }
    #expect(read > 100)
    for record in Sample.records {
      let line = RecordCodec.encode(record)
      #expect(Self.read(line).map { $0 == record } ?? true)
    }
  }

  private static func read(_ line: [UInt8]) -> StateRecord? {
    line.withUnsafeBytes { octets in
      var table = RecordTable()
      var keywords = KeywordTexts()
      guard let line = MessageLine(octets, 0..<octets.count),
        let list = keywords.list(octets, line.keywords),
        table.append(line, keywords: list, in: octets), let record = table[line.uid]
      else { return nil }
      return .message(record)
    }
  }

  private static func damaged(_ line: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var line = line
    let place = Int.random(in: line.indices, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: line.remove(at: place)
    case 1: line.insert(line.randomElement(using: &random) ?? 0, at: place)
    default: line[place] = Array(" %-09S\u{7F}".utf8).randomElement(using: &random) ?? 0
    }
    return line
  }

  // MARK: Records

  private static func name(_ uid: UInt32) -> [UInt8] {
    Array("1700000000.V17U\(uid).0123456789abcdef,S=12,W=14".utf8)
  }

  private static func flags(_ random: inout SeededGenerator) -> MessageFlags {
    let keywords: [[[UInt8]]] = [[], [], [], [[0x61]], [[0x61], [0x62]]]
    return MessageFlags(
      SystemFlags(rawValue: UInt8.random(in: 0..<64, using: &random)),
      keywords: keywords.randomElement(using: &random) ?? []
    )
  }

  private static func known<Number: BinaryInteger>(_ number: Number) -> Number? {
    number == 0 ? nil : number
  }

  private static func record(
    _ uid: UInt32,
    _ owner: UInt32,
    _ random: inout SeededGenerator
  ) -> BaseRecord {
    // Half of the names tell what the records do, so that they are not kept.
    let isTold = Bool.random(using: &random)
    return BaseRecord(
      uid: uid,
      name: name(owner),
      flags: flags(&random),
      size: isTold ? 14 : known(UInt64.random(in: 0...5000, using: &random)),
      date: isTold
        ? 1_700_000_000 : known(Int64.random(in: -10...2_000_000_000, using: &random)),
      identity: Bool.random(using: &random)
        ? ContentIdentity(
          messageID: random.next(),
          bodyHigh: random.next(),
          bodyLow: random.next(),
          header: random.next()
        ) : nil,
      completeness: Int.random(in: 0..<8, using: &random) == 0
        ? .partial(name: Array("p\(uid)".utf8)) : .whole
    )
  }
}
