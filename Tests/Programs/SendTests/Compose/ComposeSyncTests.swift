import TestSupport
import Testing

/// Drafts and marks, as they reach a real server.
struct ComposeSyncTests {
  @Test func aDraftComesAndGoesAndTheMessageIsMarked() throws {
    var options = PostStage.withSent
    options.specialUse["Drafts"] = "\\Drafts"
    let stage = try PostStage(options)
    try stage.imap.append([Array(ComposeStage.mail.replacing("\n", with: "\r\n").utf8)])
    #expect(try stage.sync().code == 0)
    let kept = try stage.magnum("reply", "--draft", "id:m1@x.org")
    #expect(kept.code == 0, "\(kept)")
    #expect(try stage.sync().code == 0)
    let there = try stage.imap.messages(in: "Drafts").map(\.flags)
    #expect(there == [["\\Draft", "\\Seen"]], "\(there)")
    let drafts = LocalFolder(stage.maildir, "Drafts")
    #expect(drafts.bases.count == 1)
    let found = try stage.magnum("resume", "--send", "folder:Drafts")
    #expect(found.code == 0, "\(found)")
    #expect(stage.sink.messages.count == 1 && drafts.bases.isEmpty)
    #expect(try stage.sync().code == 0)
    #expect(try stage.imap.messages(in: "Drafts").isEmpty)
    #expect(try stage.imap.messages().map(\.flags) == [["\\Answered"]])
    #expect(try stage.sent().count == 1)
  }
}
