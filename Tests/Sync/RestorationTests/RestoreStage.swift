import Configuration
import MailModel
import MailStore
import MemoryStore
import Platform
import RestorePlan
import TestSupport

@testable import Restoration

/// A Maildir, an account that was never synced, and a server in memory.
final class RestoreStage {
  let folder: TempDirectory
  private(set) var account: Account
  var content: MemoryContent
  /// How many requests the last run made.
  private(set) var requests = 0
  /// What the last run said.
  private(set) var events: [RestorationEvent] = []

  var source: String { folder["source"] }

  /// Where the account's mail would be.
  var mirror: String { account.maildir.display }

  init(_ abilities: MemoryAbilities = MemoryAbilities()) throws {
    folder = try TempDirectory("restore")
    try folder.writeConfiguration("")
    account = try Configuration.load(explicit: Path(folder["config.toml"])).accounts[0]
    content = MemoryContent()
    content.abilities = abilities
    content.make("INBOX")
    content.make("Drafts", use: .drafts)
    try make("")
  }

  /// Has the account be another user's.
  func change(user: String) throws {
    let text = Files.text(folder["config.toml"]) ?? ""
    let lines = text.split(separator: "\n").map { $0.hasPrefix("user") ? "user = \"\(user)\"" : $0 }
    try folder.write(
      Array("\(lines.joined(separator: "\n"))\n".utf8),
      to: "config.toml",
      mode: 0o600
    )
    account = try Configuration.load(explicit: Path(folder["config.toml"])).accounts[0]
  }

  /// Makes a folder.
  func make(_ folder: String) throws {
    for name in ["cur", "new", "tmp"] { try Files.makeDirectories("\(source)/\(folder)/\(name)") }
  }

  /// Writes a message file, and gives it a date.
  func add(_ name: String, _ text: String, to folder: String = "", date: Int64 = 1_500_000_000)
    throws
  {
    try make(folder)
    let path = Path("\(source)/\(folder)/cur/\(name)")
    try Files.write(text, to: "\(source)/\(folder)/cur/\(name)")
    try FileSystem.setTimes(path, date)
  }

  /// A message.
  static func message(_ id: String?, _ subject: String, body: String = "text", to: String = "b")
    -> String
  {
    let line = id.map { "Message-ID: <\($0)>\n" } ?? ""
    return "From: a@x\nTo: \(to)@x\nSubject: \(subject)\n\(line)\n\(body)\n"
  }

  /// Restores; what the server has then is what it has for the next run.
  func run(
    _ interference: MemoryServer.Interference = MemoryServer.Interference(),
    isDryRun: Bool = false,
    into prefix: [String] = [],
    retryDelays: [Double] = [],
    interruption: Interruption = Interruption()
  ) throws -> RestorationReport {
    let server = MemoryServer(content, interference)
    let source = try MaildirSource(
      Path(source),
      into: prefix.map { Array($0.utf8) },
      mirror: account.maildir,
      ownPlaces: []
    )
    events = []
    let report = AccountRestoration(
      source,
      to: account,
      of: [account],
      isDryRun: isDryRun,
      stateHome: Path(folder["state"]),
      server: server,
      retryDelays: retryDelays,
      interruption: interruption,
      observer: { self.events.append($0) }
    ).restoreAccount()
    content = server.read { $0 }
    requests = server.requestCount
    return report
  }

  /// Forgets what is recorded.
  func loseRecords() { Files.removeTree(folder["state"]) }

  /// Has the records name no user and server, as those of older versions.
  func makeRecordsOld() throws {
    let path = folder["state/magnum/accounts/\(account.name)/restored"]
    let lines = (Files.text(path) ?? "").split(separator: "\n").filter { !$0.hasPrefix("at ") }
    try Files.write(lines.map { "\($0)\n" }.joined(), to: path)
  }

  /// The messages of a mailbox, each as its flags, date, subject and body, sorted.
  func lines(_ mailbox: String) -> [String] {
    let messages = content.mailboxes[mailbox]?.messages.values.map { $0 } ?? []
    return messages.map { message in
      let text = String(decoding: message.octets, as: UTF8.self)
      let subject = text.split(separator: "Subject: ").last?.prefix { $0 != "\r\n" } ?? ""
      let body = text.split(separator: "\r\n\r\n").dropFirst().joined()
      let flags = message.flags.sorted().joined(separator: " ")
      return "[\(flags)] \(message.date) \(subject): \(body.prefix { $0 != "\r\n" })"
    }.sorted()
  }
}
