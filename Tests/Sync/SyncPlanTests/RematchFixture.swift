import MailModel
import SyncPlan
import TestSupport

/// Reads the worlds of `rematches.txt` and writes what came out.
struct RematchFixture {
  let fixture: Fixture

  func world() throws -> RematchWorld {
    var world = RematchWorld()
    for line in fixture.lines("local") { try takeLocal(line, &world) }
    for line in fixture.lines("remote") { try takeRemote(line, &world) }
    return world
  }

  static func lines(_ outcome: RematchWorld.Outcome) -> [String] {
    let rematch = outcome.rematch
    var lines: [String] = []
    if !outcome.headers.isEmpty { lines.append("headers \(list(outcome.headers))") }
    if !outcome.bodies.isEmpty { lines.append("bodies \(list(outcome.bodies))") }
    lines += rematch.matches.map { "match \(name($0.name)) \($0.uid) \(text($0.base))" }
    lines += rematch.detached.map { "detached \(name($0))" }
    lines += rematch.additions.map { "add \(name($0))" }
    lines += rematch.fresh.map { "fetch \($0)" }
    return lines
  }

  private static func name(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }

  private static func text(_ flags: MessageFlags) -> String {
    let letters = zip("DFPRST", 0...).filter { flags.system.rawValue & (1 << $0.1) != 0 }.map(\.0)
    let keywords = flags.keywords.map { String(decoding: $0, as: UTF8.self) }
    return ([letters.isEmpty ? "-" : String(letters)] + keywords).joined(separator: "+")
  }

  private static func flags(_ word: String) -> MessageFlags {
    let parts = word.split(separator: "+").map { "\($0)" }
    var flags: SystemFlags = []
    for (letter, bit) in zip("DFPRST", 0...) where parts[0].contains(letter) {
      flags.insert(SystemFlags(rawValue: 1 << bit))
    }
    return MessageFlags(flags, keywords: parts.dropFirst().map { Array($0.utf8) })
  }

  private static func list(_ uids: [UInt32]) -> String {
    uids.map { "\($0)" }.joined(separator: " ")
  }

  private func takeLocal(_ line: String, _ world: inout RematchWorld) throws {
    let words = try words(line)
    let flags = Self.flags(words[1]).system
    world.addLocal(words[0], try content(words), flags: flags, date: try date(words))
    let last = world.locals.count - 1
    for word in words.dropFirst(4) {
      let parts = word.split(separator: "=").map { "\($0)" }
      switch parts[0] {
      case "synced": world.locals[last].local.wasSynced = true
      case "uid":
        world.locals[last].local.expectedUID = UInt32(parts[1])
        world.locals[last].local.wasSynced = true
      case "draft": world.locals[last].local.isDraft = true
      case "recorded":
        var agreed = world.locals[last].content
        agreed.body = parts[1]
        world.locals[last].local.agreed = RematchWorld.identity(agreed)
        world.locals[last].local.recordedSize = agreed.headerSize + UInt64(agreed.body.utf8.count)
        world.locals[last].local.recordedDate = try date(words)
        world.locals[last].local.wasSynced = true
      case "server": world.locals[last].local.serverHeader = RematchWorld.hash(parts[1])
      case "base": world.locals[last].local.base = Self.flags(parts[1])
      case "of": world.locals[last].local.baseUID = UInt32(parts[1])
      default: continue
      }
    }
  }

  private func takeRemote(_ line: String, _ world: inout RematchWorld) throws {
    let words = try words(line)
    guard let uid = UInt32(words[0]) else { throw HarnessError("\(fixture.name): \(line)") }
    let flags = Self.flags(words[1])
    world.addRemote(uid, try content(words), flags: flags, date: try date(words))
    if let size = try number("size", words) {
      world.remotes[world.remotes.count - 1].remote.message.size = size
    }
    if let body = value("former", words) {
      var former = try content(words)
      former.body = body
      world.remotes[world.remotes.count - 1].remote.former = RematchWorld.identity(former)
    }
    if words.contains("known") { world.reveal(uid) }
  }

  private func words(_ line: String) throws -> [String] {
    let words = line.split(separator: " ").map { "\($0)" }
    guard words.count >= 4 else { throw HarnessError("\(fixture.name): \(line)") }
    return words
  }

  private func content(_ words: [String]) throws -> RematchWorld.Content {
    var content = RematchWorld.Content(
      messageID: words[2] == "-" ? nil : words[2],
      body: words[3]
    )
    if let head = value("head", words) { content.head = head }
    if let size = try number("header", words) { content.headerSize = size }
    return content
  }

  private func date(_ words: [String]) throws -> Int64 {
    Int64(try number("date", words) ?? 0)
  }

  private func number(_ key: String, _ words: [String]) throws -> UInt64? {
    guard let text = value(key, words) else { return nil }
    guard let number = UInt64(text) else { throw HarnessError("\(fixture.name): \(key)") }
    return number
  }

  private func value(_ key: String, _ words: [String]) -> String? {
    words.dropFirst(4).first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
  }
}
