import TestSupport
import Testing

/// A Maildir of mbsync goes to Magnum, and on to mbsync or offlineimap, in every layout: nothing is fetched or sent twice.
@Suite struct RoundTripTests {
  /// How mbsync keeps the folders, and how the server names its mailboxes.
  enum Layout: String, CaseIterable, Sendable {
    case verbatim, legacy, maildirPlusPlus, flat, belowInbox, keptPrefix, path, mapped, exceptions

    var options: DovecotOptions {
      var options = DovecotOptions()
      switch self {
      case .belowInbox, .keptPrefix, .path:
        options.separator = "."
        options.lines = ["namespace inbox {", "  prefix = INBOX.", "}"]
      case .verbatim, .legacy, .maildirPlusPlus, .flat, .mapped, .exceptions: break
      }
      return options
    }

    /// The mailboxes besides INBOX, under the names that the server has for them.
    var mailboxes: [String] {
      switch self {
      case .belowInbox, .keptPrefix, .path:
        ["INBOX.Sent", "INBOX.Lists.swift", "INBOX.Entw&APw-rfe"]
      case .mapped, .exceptions: ["[Gmail]/Sent Mail", "[Gmail]/All", "Lists/swift", "Junk"]
      case .verbatim, .legacy, .maildirPlusPlus, .flat: ["Sent", "Lists/swift", "Entw&APw-rfe"]
      }
    }

    /// Those of them that mbsync syncs.
    var synced: [String] {
      switch self {
      case .exceptions: ["[Gmail]/Sent Mail", "Lists/swift"]
      case .mapped: ["[Gmail]/Sent Mail", "Lists/swift"]
      default: mailboxes
      }
    }

    func mbsync(_ stage: Stage) -> Mbsync {
      var mbsync = Mbsync(stage: stage)
      switch self {
      case .verbatim, .belowInbox: break
      case .legacy: mbsync.layout = "Legacy"
      case .maildirPlusPlus: mbsync.layout = "Maildir++"
      case .flat: mbsync.store = "Flatten ."
      case .keptPrefix: mbsync.farStore = "UseNamespace no"
      case .path:
        mbsync.farStore = "Path INBOX.\nPathDelimiter ."
        mbsync.patterns = "INBOX *"
      case .mapped:
        mbsync.patterns = "INBOX Lists/*"
        mbsync.channels = [
          ["Channel sent", "Far \":far:[Gmail]/Sent Mail\"", "Near :near:sent", "SyncState *"]
            + ["Create Near", "Sync Pull"]
        ]
      case .exceptions: mbsync.patterns = "* ![Gmail]* !Junk \"[Gmail]/Sent Mail\""
      }
      return mbsync
    }
  }

  private static let short: [Layout] = [.flat]
  private static let long = Layout.allCases.filter { !short.contains($0) }

  @Test(arguments: short)
  func backToMbsync(_ layout: Layout) throws { try goAndComeBack(layout, to: "mbsync") }

  @Test(.enabled(if: runsLongTests), arguments: long)
  func backToMbsyncInEveryLayout(_ layout: Layout) throws {
    try goAndComeBack(layout, to: "mbsync")
  }

  @Test(arguments: [Layout.belowInbox])
  func onToOfflineIMAP(_ layout: Layout) throws { try goAndComeBack(layout, to: "offlineimap") }

  @Test(
    .enabled(if: runsLongTests),
    arguments: Layout.allCases.filter { $0 != .belowInbox && $0 != .mapped }
  )
  func onToOfflineIMAPInEveryLayout(_ layout: Layout) throws {
    try goAndComeBack(layout, to: "offlineimap")
  }

  /// offlineimap has one direction for all folders.
  @Test func rulesOfSingleMailboxesAreNoneOfOfflineIMAP() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    let text = try #require(Files.text(stage.program.home[".config/magnum/config.toml"]))
    try stage.program.configure(
      text + "[account.test.mailbox.\"Archive/*\"]\ndirection = \"pull\"\n"
    )
    let outcome = try magnum(stage, ["accounts", "export", "--to", "offlineimap", "test"])
    #expect(outcome.code == 65 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("Archive/* has its own"), "\(outcome)")
  }

  /// A line end in an argument of the command for the password is none in the file.
  @Test(arguments: ["mbsync", "offlineimap"])
  func aLineEndInACommand(program: String) throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    let command = "[\"/bin/sh\", \"-c\", \"true\\necho 'p''a'ss\\t# 100%\"]"
    try stage.configure(url: stage.server.clearURL, secret: "password-command = \(command)")
    try stage.syncWell()
    let before = try ServerState(stage)
    let mail = stage.tree.count
    try other(program, stage)
    #expect(try ServerState(stage).lines == before.lines)
    #expect(stage.tree.count == mail)
  }

  // MARK: - One round

  private func goAndComeBack(_ layout: Layout, to program: String) throws {
    let stage = try Stage(layout.options)
    Files.removeTree("\(stage.program.home.path)/.config")
    try stage.imap.append((0..<3).map { mail("mail \($0)") }, flags: "\\Seen")
    for name in layout.mailboxes {
      try stage.imap.create(name)
      try stage.imap.append((0..<2).map { mail("\(name) \($0)") }, to: name, flags: "\\Flagged")
    }
    let mbsync = layout.mbsync(stage)
    try mbsync.run()
    let count = 3 + 2 * layout.synced.count
    let files = stage.tree.mailboxes.mapValues(\.count).filter { $0.value > 0 }
    try #require(files.values.reduce(0, +) == count, "\(files)")
    let before = try ServerState(stage)
    func expectAsBefore(_ words: String) throws {
      #expect(try ServerState(stage).lines == before.lines, "\(layout): \(words)")
      let now = stage.tree.mailboxes.mapValues(\.count).filter { $0.value > 0 }
      #expect(now == files, "\(layout): \(words)")
    }
    let file = "\(stage.program.home.path)/mbsync.rc"
    let imported = try magnum(stage, ["accounts", "import", "--yes", file])
    try #require(imported.code == 0, "\(imported)")
    #expect(!imported.errors.contains("to-do: "), "\(imported)")
    expectNothing(try stage.syncWell("--dry-run", "--json"), count)
    expectNothing(try stage.syncWell("--json"), count)
    try expectAsBefore("magnum-sync")
    try stage.syncWell()
    for _ in 0..<2 { try other(program, stage) }
    try expectAsBefore(program)
    // What the other program did meanwhile is there, too.
    try stage.imap.append(mail("while away"), to: layout.synced[0])
    try other(program, stage, exporting: false)
    let all = stage.tree.mailboxes.values.reduce(0) { $0 + $1.count }
    #expect(all == count + 1, "\(layout): \(program) goes on")
    expectNothing(try stage.syncWell("--json"), nil)
    #expect(stage.tree.mailboxes.values.reduce(0) { $0 + $1.count } == count + 1)
  }

  /// Has another program take over, and run; the first time only the export is made.
  private func other(_ program: String, _ stage: Stage, exporting: Bool = true) throws {
    let file = "\(stage.program.home.path)/\(program).exported"
    if exporting, !Files.exists(file) {
      let name = try #require(account(stage))
      let outcome = try magnum(stage, ["accounts", "export", "--to", program, name])
      try #require(outcome.code == 0, "\(outcome)")
      try Files.write(outcome.output, to: file)
    }
    let arguments =
      program == "mbsync" ? ["-c", file, "-a"] : ["-c", file, "-o", "-u", "basic"]
    var command = Command("/usr/bin/env", [program] + arguments)
    command.environment = stage.program.command([]).environment
    let outcome = try command.run()
    let text = Files.text(file) ?? ""
    #expect(outcome.code == 0 && !outcome.errors.contains("ERROR"), "\(outcome)\n\(text)")
    for word in ["Creating folder", "Deleting"] {
      #expect(!outcome.output.contains(word), "\(outcome)\n\(text)")
    }
  }

  /// The name of the only account.
  private func account(_ stage: Stage) -> String? {
    let text = Files.text(stage.program.home[".config/magnum/config.toml"]) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("[account.") }
    return line.map { String($0.dropFirst("[account.".count).prefix { $0 != "]" }) }
  }

  private func magnum(_ stage: Stage, _ arguments: [String]) throws -> Outcome {
    let environment = stage.program.command([]).environment
    return try Command(
      "\(ProgramUnderTest.products)/magnum",
      arguments,
      environment: environment
    ).run()
  }

  /// A run that fetched, sent and removed nothing, or would not, and found so many messages again.
  private func expectNothing(_ outcome: Outcome, _ rematched: Int?) {
    let end = outcome.lines.last { $0.contains("\"event\":\"completed\"") } ?? ""
    let counts = [
      "new", "fetched", "removedHere", "movedHere", "uploaded", "moved", "copied", "trashed",
      "deleted", "blocked", "failed",
    ]
    for count in counts { #expect(end.contains("\"\(count)\":0,"), "\(outcome)") }
    if let rematched { #expect(end.contains("\"rematched\":\(rematched),"), "\(outcome)") }
  }
}
