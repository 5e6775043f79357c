@testable import Maildir
import Testing

@Suite("Placeholders of mbsync")
struct MbsyncPlaceholderTests {
  /// Written by isync 1.4.4.
  private static let body = """
    Having a size of 0KiB, this message is over the MaxSize limit.
    Flag it and sync again (Sync mode ReNew) to fetch its real contents.

    """

  @Test("bodies that are")
  func matches() {
    #expect(MbsyncPlaceholder.isBody(Array(Self.body.utf8)))
    #expect(MbsyncPlaceholder.isBody(Array(Self.body.utf8).flatMap { $0 == 10 ? [13, 10] : [$0] }))
    let other = "Having a size of 12.5MiB, this message is over the MaxSize limit.\n"
    #expect(MbsyncPlaceholder.isBody(Array(other.utf8)))
  }

  @Test(
    "bodies that are not",
    arguments: [
      "", "Having a size of ", "Having a size of , this message is over the MaxSize limit.\n",
      "> Having a size of 0KiB, this message is over the MaxSize limit.\n",
      "Having a size of 0KiB, this message is over the MaxSize limit",
      "Having a size of no KiB, this message is over the MaxSize limit.\n",
      body + String(repeating: "What does this mean?\n", count: 10),
    ]
  )
  func others(_ body: String) {
    #expect(!MbsyncPlaceholder.isBody(Array(body.utf8)))
  }
}
