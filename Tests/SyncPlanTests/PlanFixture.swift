import SyncPlan
import TestSupport

/// Reads the snapshots of the fixtures.
struct PlanFixture {
  let fixture: Fixture

  func snapshot() throws -> MailboxSnapshot {
    var snapshot = MailboxSnapshot(mailbox: 1)
    snapshot.base = try fixture.lines("base").map { line in
      let words = try words(line, 3)
      return BaseRecord(uid: try uid(words[0]), name: Array(words[2].utf8), flags: flags(words[1]))
    }
    for line in fixture.lines("local") { try takeLocal(line, &snapshot) }
    snapshot.remote = try remote()
    for rule in fixture.lines("rules") { try take(rule: rule, &snapshot) }
    return snapshot
  }

  func policy(_ direction: Policy.Direction) -> Policy {
    let rules = fixture.lines("rules")
    let deletion: Policy.LocalDeletion =
      rules.contains("keep") ? .keep : rules.contains("expunge") ? .expunge : .trash
    return Policy(direction: direction, localDeletion: deletion)
  }

  private func takeLocal(_ line: String, _ snapshot: inout MailboxSnapshot) throws {
    if line == "moving" { return snapshot.absenceIsProven = false }
    let words = try words(line, 2)
    var file = LocalFile(name: Array(words[0].utf8), flags: flags(words[1]).system)
    if words.count == 4 { file.ownUID = try uid(words[3]) }
    snapshot.local.append(file)
  }

  private func remote() throws -> RemoteView {
    var messages: [RemoteMessage] = []
    var vanished: [ClosedRange<UInt32>] = []
    let lines = fixture.lines("remote")
    for line in lines where line != "changes" {
      let words = try words(line, 2)
      if words[0] == "vanished" {
        let bounds = try words[1].split(separator: ":").map { try uid(String($0)) }
        vanished.append(bounds[0]...bounds[bounds.count - 1])
      } else {
        let date = words.count > 2 ? Int64(words[2]) : nil
        messages.append(RemoteMessage(uid: try uid(words[0]), flags: flags(words[1]), date: date))
      }
    }
    return lines.contains("changes")
      ? .changes(messages, vanished: vanished) : .complete(messages)
  }

  private func take(rule: String, _ snapshot: inout MailboxSnapshot) throws {
    let words = rule.split(separator: " ").map(String.init)
    switch words[0] {
    case "keep", "expunge": break
    case "read-only": snapshot.permanentFlags = []
    case "trash": snapshot.role = .trash
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
