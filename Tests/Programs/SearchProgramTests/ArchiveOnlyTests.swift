import TestSupport
import Testing

/// A machine that has no mail of its own, and asks an archive.
struct ArchiveOnlyTests {
  @Test func anArchiveNeedsNoAccount() throws {
    let stage = try SearchStage()
    try stage.deliver(1)
    try #require(stage.index().code == 0)
    let search = "\(ProgramUnderTest.products)/magnum-search"
    try stage.magnum.configure(
      """
      [archive.old]
      command = ["\(search)", "--serve", "--maildir", "\(stage.mail)"]
      """
    )
    let found = try stage.magnum.command(["search", "--count", "*"]).run()
    #expect(found.code == 0 && found.output == "1\n", "\(found)")
    let revision = try stage.magnum.command(["search", "--count", "lastmod:0.."]).run()
    #expect(revision.errors.contains("archive old: not searched, since lastmod:"), "\(revision)")
    let sync = try stage.magnum.command(["sync"]).run()
    #expect(sync.code == 78 && sync.errors.contains("no account"), "\(sync)")
  }
}
