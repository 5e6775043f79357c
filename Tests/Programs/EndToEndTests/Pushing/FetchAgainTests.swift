import TestSupport
import Testing

/// Messages that were removed here by mistake, which the deletion guard keeps on the server.
struct FetchAgainTests {
  private let stage: Stage
  private var inbox: LocalFolder { LocalFolder(stage.maildir, "INBOX") }

  /// A mailbox of which all is gone here but one message that was moved, and one that is new.
  init() throws {
    stage = try Stage()
    try stage.imap.append((1...12).map { mail("number\($0)") })
    _ = try? stage.imap.command("CREATE Archive")
    try stage.imap.append([mail("old")], to: "Archive")
    try stage.settle()
    let maildir = stage.maildir
    try Command.shell(
      "set -e; cd \"$1\"; set -- INBOX/cur/* INBOX/new/*; for f; do [ -e \"$f\" ] && break; done; mv \"$f\" Archive/cur/; rm -f INBOX/cur/* INBOX/new/*",
      [maildir]
    )
    try inbox.add("fresh", mail("fresh"), flags: "S")
  }

  /// How often each message is here and on the server.
  private func counts() throws -> (here: [String: Int], there: [String: Int]) {
    var here: [String: Int] = [:]
    for (name, files) in stage.tree.mailboxes where !files.isEmpty { here["\(name)"] = files.count }
    return (here, try stage.imap.everything().mapValues(\.count).filter { $0.value > 0 })
  }

  @Test func bothWaysOutAreNamed() throws {
    let guarded = try stage.sync()
    #expect(guarded.code == 1, "\(guarded)")
    let both =
      "--allow-mass-delete 'test/INBOX' test; if not: magnum-sync --fetch-again 'test/INBOX'"
    #expect(guarded.errors.contains("if this is right: magnum-sync \(both)"), "\(guarded)")
    let status = try stage.magnum("status")
    #expect(status.output.contains(" is right: magnum-sync \(both)"), "\(status)")
    let before = try counts()
    let again = try stage.sync("--fetch-again", "test/INBOX")
    #expect(again.code == 0, "\(again)")
    let after = try counts()
    #expect(after.here == after.there && after.there == before.there, "\(after) \(again)")
    #expect(after.here["INBOX"] == 12 && after.here["Archive"] == 2, "\(after)")
    try stage.expectMirrored()
    try stage.expectSettled("\(again)")
    let quiet = try stage.magnum("status")
    #expect(quiet.code == 0 && !quiet.output.contains("fetch-again"), "\(quiet)")
  }

  /// It does without a run that says so before, with a dry run that changes nothing, and twice.
  @Test func itIsFetchedOnce() throws {
    let dry = try stage.sync("-n", "--fetch-again", "test/INBOX")
    #expect(dry.code == 0 && inbox.bases.count == 1, "\(dry)")
    for _ in 1...2 {
      let outcome = try stage.sync("--fetch-again", "test/IN*")
      #expect(outcome.code == 0, "\(outcome)")
      let counts = try counts()
      #expect(counts.here == counts.there && counts.here["INBOX"] == 12, "\(counts) \(outcome)")
    }
    try stage.expectSettled()
  }

  /// Without its folder nothing tells what became of a mailbox, until a person does.
  @Test func aFolderThatIsGoneAsAWholeIsMadeAgain() throws {
    Files.removeTree("\(stage.maildir)/Archive")
    let refused = try stage.sync()
    let way = "or fetch it anew: magnum-sync --fetch-again 'test/Archive'"
    #expect(refused.code == 1 && refused.errors.contains(way), "\(refused)")
    let status = try stage.magnum("status")
    #expect(status.output.contains(way), "\(status)")
    let dry = try stage.sync("-n", "--fetch-again", "test/*")
    #expect(dry.code == 0 && !Files.exists("\(stage.maildir)/Archive"), "\(dry)")
    let outcome = try stage.sync("--fetch-again", "test/*")
    #expect(outcome.code == 0, "\(outcome)")
    let counts = try counts()
    #expect(counts.here == counts.there, "\(counts) \(outcome)")
    #expect(counts.here["INBOX"] == 13 && counts.here["Archive"] == 1, "\(counts)")
    try stage.expectMirrored()
    try stage.expectSettled()
  }

  @Test func aMailboxThatIsNotThereIsAMistake() throws {
    #expect(try stage.sync("--fetch-again", "test/Nowhere").code == 64)
    #expect(try stage.sync("--fetch-again", "test").code == 64)
    let both = try stage.sync("--fetch-again", "test/INBOX", "--allow-mass-delete", "test/INBOX")
    #expect(both.code == 64 && inbox.bases.count == 1, "\(both)")
  }
}
