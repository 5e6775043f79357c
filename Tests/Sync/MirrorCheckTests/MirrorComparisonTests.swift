import MailModel
import MirrorCheck
import Octets
import SyncPlan
import TestSupport
import Testing

@Suite("A mirror compared with its server")
struct MirrorComparisonTests {
  @Test("comparisons", arguments: try Fixtures.load("Fixtures/comparisons.txt"))
  func compare(_ fixture: Fixture) throws {
    let comparison = MirrorComparison(try Self.mailbox(fixture))
    #expect(comparison.differences.map(Self.text) == fixture.lines("differences"))
    var counts = ["\(comparison.equal.count) equal"]
    if comparison.detached > 0 { counts.append("\(comparison.detached) detached") }
    let marked = comparison.comparable.count - comparison.equal.count
    if marked > 0 { counts.append("\(marked) in marks alone") }
    if !comparison.partial.isEmpty { counts.append("\(comparison.partial.count) partial") }
    if comparison.going > 0 { counts.append("\(comparison.going) going") }
    if comparison.older > 0 { counts.append("\(comparison.older) older") }
    #expect(counts == fixture.lines("counts"))
  }

  private static func text(_ difference: MirrorDifference) -> String {
    let name = difference.name.map { String(decoding: $0, as: UTF8.self) }
    return "\(difference.uid.map { "\($0)" } ?? "-") \(name ?? "-") \(text(difference.kind))"
  }

  private static func text(_ kind: MirrorDifference.Kind) -> String {
    switch kind {
    case .mailbox(let obstacle): obstacle.rawValue
    case .fileMissing: "no file"
    case .notFetched: "not fetched"
    case .goneFromServer: "gone from the server"
    case .goneOnBothSides: "gone"
    case .unknownFile: "unknown"
    case .namesake: "namesake"
    case .noFile: "no file of its own"
    case .noName: "no name"
    case .flags(let here, let there, let changed):
      "flags \(letters(here)) \(letters(there)) \(changed.rawValue)"
    case .keywords(let here, let there): "keywords \(words(here)) \(words(there))"
    case .size(let recorded, let there): "size \(recorded) \(there)"
    case .date(let recorded, let there): "date \(recorded) \(there)"
    case .content: "content"
    case .octets: "octets"
    case .notGiven: "not given"
    case .unreadable(let reason): "unreadable \(reason)"
    }
  }

  private static func letters(_ flags: SystemFlags) -> String {
    let letters = zip("DFPRST", 0...).filter { flags.rawValue & (1 << $0.1) != 0 }.map(\.0)
    return letters.isEmpty ? "-" : String(letters)
  }

  private static func words(_ keywords: [[UInt8]]) -> String {
    keywords.isEmpty
      ? "-" : keywords.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "+")
  }

  // MARK: Reading

  private static func mailbox(_ fixture: Fixture) throws -> CheckedMailbox {
    var mailbox = CheckedMailbox(
      base: [],
      detached: [],
      pendingExpunges: [],
      files: [],
      messages: [],
      fetchSince: nil
    )
    for line in fixture.lines("rules") {
      let words = line.split(separator: " ").map { "\($0)" }
      switch words[0] {
      case "detached": mailbox.detached.insert(Array(words[1].utf8))
      case "expunging": mailbox.pendingExpunges.insert(try number(words[1]))
      case "sent": mailbox.isSent = true
      case "since": mailbox.fetchSince = Int64(words[1])
      default: throw HarnessError(line)
      }
    }
    for line in fixture.lines("base") {
      let words = try words(line, 4)
      let record = BaseRecord(
        uid: try number(words[0]),
        name: Array(words[2].utf8),
        flags: flags(words[1]),
        size: UInt64(try number(words[3])) * 10,
        date: Int64(try number(words[3])),
        identity: words.contains("unread") ? nil : identity(UInt64(try number(words[3]))),
        completeness: words.contains("partial") ? .partial(name: [UInt8(ascii: "p")]) : .whole
      )
      mailbox.base.append(record)
    }
    for line in fixture.lines("files") {
      let words = try words(line, 3)
      let content: CheckedFile.Content =
        words[2] == "unreadable"
        ? .unreadable("no permission")
        : .message(
          identity(UInt64(try number(words[2]))),
          wireSize: UInt64(try number(words[2])) * 10
        )
      var file = CheckedFile(
        name: Array(words[0].utf8),
        flags: flags(words[1]).system,
        isDetached: words.contains("detached"),
        content: content
      )
      file.added = words.dropFirst(3).filter { $0.hasPrefix("+") }.map {
        Array($0.dropFirst().utf8)
      }
      file.removed = words.dropFirst(3).filter { $0.hasPrefix("-") }.map {
        Array($0.dropFirst().utf8)
      }
      mailbox.files.append(file)
    }
    for line in fixture.lines("server") {
      let words = try words(line, 4)
      mailbox.messages.append(
        RemoteMessage(
          uid: try number(words[0]),
          flags: flags(words[1]),
          size: UInt64(try number(words[2])),
          date: Int64(try number(words[3]))
        )
      )
    }
    return mailbox
  }

  private static func identity(_ number: UInt64) -> ContentIdentity {
    ContentIdentity(messageID: number, bodyHigh: number, bodyLow: number, header: number)
  }

  private static func words(_ line: String, _ least: Int) throws -> [String] {
    let words = line.split(separator: " ").map { "\($0)" }
    guard words.count >= least else { throw HarnessError(line) }
    return words
  }

  private static func number(_ word: String) throws -> UInt32 {
    guard let number = UInt32(word) else { throw HarnessError(word) }
    return number
  }

  private static func flags(_ word: String) -> MessageFlags {
    let parts = word.split(separator: "+").map { "\($0)" }
    var flags: SystemFlags = []
    for (letter, bit) in zip("DFPRST", 0...) where parts[0].contains(letter) {
      flags.insert(SystemFlags(rawValue: 1 << bit))
    }
    return MessageFlags(flags, keywords: parts.dropFirst().map { Array($0.utf8) })
  }
}
