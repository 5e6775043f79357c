import MailModel
import Maildir
import Platform
import SyncPlan
import SyncState
import TestSupport
import Testing

@testable import Mailboxes

@Suite("Maildirs as a run sees them")
struct LocalMailboxTests {
  /// A change within the granularity of the clock would not show in fingerprints as young as it.
  @Test("fingerprints are kept only where names equal the map and the last change is a while ago")
  func fingerprints() throws {
    let folder = try TempDirectory()
    let maildir = Path(folder["box"])
    try FolderTree(root: Path(folder.path), layout: .verbatim).create(Array("box".utf8))
    let state = MailboxState(
      MailboxHeader(mailbox: [], directory: [], id: 0x0123_4567_89ab_cdef, validity: 17)
    )
    #expect(try LocalMailbox(maildir, beside: state).fingerprints(matching: state) == nil)
    Stopwatch.sleep(2.2)
    let settled = try LocalMailbox(maildir, beside: state)
    #expect(settled.fingerprints(matching: state) == MaildirFingerprints(of: maildir))
    var other = state
    other.apply(.detached(name: [1]))
    #expect(
      settled.fingerprints(matching: other) != nil,
      "nobody misses a file that was on its own"
    )
    other.apply(
      .message(BaseRecord(uid: 1, name: [2], flags: MessageFlags([]), completeness: .whole))
    )
    #expect(settled.fingerprints(matching: other) == nil)
    withExtendedLifetime(folder) {}
  }
}
