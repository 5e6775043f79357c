import Octets
import SyncPlan
import TestSupport

/// Reads the snapshots of the fixtures.
struct PlanFixture {
  let fixture: Fixture

  func snapshot() throws -> MailboxSnapshot {
    try snapshot(1, "")
  }

  /// The snapshots of a fixture that has two mailboxes; the sections of the second end with ` other`.
  func snapshots() throws -> [MailboxSnapshot] {
    [try snapshot(1, ""), try snapshot(2, " other")]
  }

  private func snapshot(_ mailbox: UInt64, _ ending: String) throws -> MailboxSnapshot {
    var snapshot = MailboxSnapshot(mailbox: mailbox)
    snapshot.base = try fixture.lines("base" + ending).map { line in
      let words = try words(line, 3)
      let content = content(words)
      return BaseRecord(
        uid: try uid(words[0]),
        name: Array(words[2].utf8),
        flags: flags(words[1]),
        size: content.map { $0 * 10 } ?? 0,
        date: content.map { Int64($0) } ?? 0,
        identity: content.map(Self.identity)
      )
    }
    for line in fixture.lines("local" + ending) { try takeLocal(line, &snapshot) }
    snapshot.remote = try remote("remote" + ending)
    for rule in fixture.lines("rules" + ending) { try take(rule: rule, &snapshot) }
    return snapshot
  }

  /// What follows `=`: a number that stands for Message-ID, body, size and date at once.
  private func content(_ words: [String]) -> UInt64? {
    words.first { $0.hasPrefix("=") }.flatMap { UInt64($0.dropFirst()) }
  }

  private static func identity(_ content: UInt64) -> ContentIdentity {
    ContentIdentity(messageID: content, bodyHigh: content, bodyLow: content)
  }

  private static func key(_ content: UInt64) -> ContentKey {
    ContentKey(messageID: content, bodySize: content)
  }

  func policy(_ direction: Policy.Direction) -> Policy {
    let rules = fixture.lines("rules")
    let deletion: Policy.LocalDeletion =
      rules.contains("keep") ? .keep : rules.contains("expunge") ? .expunge : .trash
    let expunge: Policy.Expunge = rules.contains("expunge-trash") ? .trash : .never
    return Policy(direction: direction, localDeletion: deletion, expunge: expunge)
  }

  private func takeLocal(_ line: String, _ snapshot: inout MailboxSnapshot) throws {
    if line == "moving" { return snapshot.absence = .unproven }
    if line == "restored" { return snapshot.absence = .restored }
    let words = try words(line, 2)
    var file = LocalFile(name: Array(words[0].utf8), flags: flags(words[1]).system)
    if words.count == 4, words[2] == "own" { file.ownUID = try uid(words[3]) }
    file.identity = content(words).map(Self.identity)
    file.key = content(words).map(Self.key)
    file.isEdited = words.contains("edited")
    snapshot.local.append(file)
  }

  private func remote(_ section: String) throws -> RemoteView {
    var messages: [RemoteMessage] = []
    var vanished: [ClosedRange<UInt32>] = []
    let lines = fixture.lines(section)
    for line in lines where line != "changes" {
      let words = try words(line, 2)
      if words[0] == "vanished" {
        let bounds = try words[1].split(separator: ":").map { try uid(String($0)) }
        vanished.append(bounds[0]...bounds[bounds.count - 1])
      } else {
        let date = words.count > 2 ? Int64(words[2]) : nil
        let content = content(words)
        messages.append(
          RemoteMessage(
            uid: try uid(words[0]),
            flags: flags(words[1]),
            size: content.map { $0 * 10 },
            date: content.map { Int64($0) } ?? date,
            key: content.map(Self.key)
          )
        )
      }
    }
    return lines.contains("changes")
      ? .changes(messages, vanished: vanished) : .complete(messages)
  }

  private func take(rule: String, _ snapshot: inout MailboxSnapshot) throws {
    let words = rule.split(separator: " ").map(String.init)
    switch words[0] {
    case "keep", "expunge", "expunge-trash": break
    case "no-flags": snapshot.permanentFlags = []
    case "read-only": snapshot.isWritable = false
    case "trash": snapshot.role = .trash
    case "label": snapshot.isLabel = true
    case "drafts": snapshot.role = .drafts
    case "sent": snapshot.role = .sent
    case "elsewhere": snapshot.elsewhere.insert(Array(words[1].utf8))
    case "tombstone": snapshot.tombstones.insert(try uid(words[1]))
    case "released": snapshot.brake.isReleased = true
    case "since": snapshot.fetchSince = Int64(words[1])
    case "account":
      snapshot.brake.recentInAccount = Int(words[1]) ?? 0
      snapshot.brake.messagesInAccount = Int(words[3]) ?? 0
    default: throw HarnessError("\(fixture.name): rule \(rule)")
    }
  }

  private func words(_ line: String, _ least: Int) throws -> [String] {
    let words = line.split(separator: " ").map(String.init)
    guard words.count >= least else { throw HarnessError("\(fixture.name): \(line)") }
    return words
  }

  private func uid(_ word: String) throws -> UInt32 {
    guard let uid = UInt32(word) else { throw HarnessError("\(fixture.name): UID \(word)") }
    return uid
  }

  private func flags(_ word: String) -> MessageFlags {
    let parts = word.split(separator: "+").map(String.init)
    var flags: SystemFlags = []
    for (letter, bit) in zip("DFPRST", 0...) where parts[0].contains(letter) {
      flags.insert(SystemFlags(rawValue: 1 << bit))
    }
    return MessageFlags(flags, keywords: parts.dropFirst().map { Array($0.utf8) })
  }
}
