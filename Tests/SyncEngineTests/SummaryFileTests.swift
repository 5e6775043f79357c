import Platform
import Testing

@testable import SyncEngine

@Suite("Summary files")
struct SummaryFileTests {
  private static var summary: Summary {
    var summary = Summary(root: .max)
    summary.capabilities = ["IMAP4rev1", "LIST-STATUS", "X,Y"].map { Array($0.utf8) }
    let stamp = FileStamp(device: 1, inode: .max, modified: -1, changed: .max)
    summary.entries[Sample.header.mailbox] = Summary.Entry(
      header: Sample.header,
      messages: 3,
      isComplete: true,
      stamps: MaildirStamps(new: stamp, cur: stamp)
    )
    var inbox = Sample.header
    inbox.mailbox = Array("INBOX".utf8)
    inbox.directory = []
    summary.entries[inbox.mailbox] = Summary.Entry(
      header: inbox,
      messages: 0,
      isComplete: false,
      stamps: nil
    )
    return summary
  }

  @Test("a summary comes back whole")
  func roundTrip() throws {
    #expect(try SummaryFile.decode(SummaryFile.encode(Self.summary)) == Self.summary)
  }

  @Test("a summary that is not whole is none")
  func damaged() {
    let octets = SummaryFile.encode(Self.summary)
    for index in octets.indices {
      var flipped = octets
      flipped[index] ^= 4
      #expect(throws: StateError.self) { try SummaryFile.decode(flipped) }
      #expect(throws: StateError.self) { try SummaryFile.decode(Array(octets[..<index])) }
    }
  }
}
