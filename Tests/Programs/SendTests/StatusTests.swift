import TestSupport
import Testing

/// `magnum status`: what is left for the next sync is no matter for a person, what only a person can let through is.
@Suite struct StatusTests {
  private let stage: PostStage

  init() throws { stage = try PostStage() }

  @Test func deletionsThatAreHeldBackNeedAPerson() throws {
    try stage.imap.append((1...30).map { Array("Subject: \($0)\r\n\r\ntext\r\n".utf8) })
    #expect(try stage.sync().code == 0)
    #expect(try stage.magnum("status").code == 0)
    let script = "find \"$1\" -path '*/cur/*' -o -path '*/new/*' | xargs rm -f"
    try Command.shell(script, [stage.maildir])
    #expect(try stage.sync().code == 1)
    let held = try stage.magnum("status")
    #expect(held.code == 1, "\(held)")
    for words in [
      "INBOX: 30 of 30 messages were removed here; they stay on the server",
      "--allow-mass-delete 'work/INBOX'", "--fetch-again 'work/INBOX'",
    ] {
      #expect(held.output.contains(words), "\(held)")
    }
    #expect(!held.output.contains("sync incomplete"), "said once: \(held)")
    #expect(try stage.sync("--allow-mass-delete", "work/INBOX").code == 0)
    #expect(try stage.magnum("status").code == 0)
  }
}
