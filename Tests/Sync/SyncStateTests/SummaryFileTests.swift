import MailModel
import MessageContent
import Platform
import Testing

@testable import SyncState

@Suite("Summary files")
struct SummaryFileTests {
  private static var summary: Summary {
    var summary = Summary(root: .max)
    summary.capabilities = ["IMAP4rev1", "LIST-STATUS", "X,Y"].map { Array($0.utf8) }
    let fingerprint = FileFingerprint(device: 1, inode: .max, modified: -1, changed: .max)
    summary.entries[Sample.header.mailbox] = Summary.Entry(
      header: Sample.header,
      messages: 3,
      isComplete: true,
      fingerprints: MaildirFingerprints(new: fingerprint, cur: fingerprint)
    )
    var inbox = Sample.header
    inbox.mailbox = Array("INBOX".utf8)
    inbox.directory = []
    summary.entries[inbox.mailbox] = Summary.Entry(
      header: inbox,
      messages: 0,
      isComplete: false,
      fingerprints: nil
    )
    return summary
  }

  @Test("a summary comes back whole")
  func roundTrip() throws {
    for runs in 0...Summary.Entry.runLimit {
      var summary = Self.summary
      summary.entries[Sample.header.mailbox]?.unfinishedRuns = runs
      var recent = RecentMessages()
      recent.first = .max - UInt32(runs)
      (recent.listed, recent.isSeen, recent.isLeftOut) = (.max, runs > 3, runs == 2)
      recent.sent = Set((0..<UInt32(runs)).map { .max - $0 })
      summary.entries[Sample.header.mailbox]?.recent = recent
      summary.entries[Sample.header.mailbox]?.drafts = (0..<runs).map { number in
        let version = FileVersion(size: .max, modified: -1)
        return DraftFile(place: Array("cur/a \(number)%:2,DS".utf8), version: version)
      }
      #expect(try SummaryFile.decode(SummaryFile.encode(summary)) == summary)
    }
  }

  @Test("names of mailboxes come back", arguments: [[:], ["a b": "c%", "INBOX/x": "y/z"]])
  func names(_ folders: [String: String]) throws {
    var summary = Self.summary
    summary.names = MailboxNames(
      prefix: ["INBOX", "x y"].map { Array($0.utf8) },
      style: .hide,
      folders: Dictionary(uniqueKeysWithValues: folders.map { (Array($0.utf8), Array($1.utf8)) })
    )
    summary.left = folders.isEmpty ? nil : Set(folders.values.map { Array($0.utf8) })
    #expect(try SummaryFile.decode(SummaryFile.encode(summary)) == summary)
  }

  @Test("what an earlier version left undone is one run's, and all that it fetched is recent")
  func earlierVersion() throws {
    for lost in [" 1 1 0", " 1 0"] { try expectTaken(without: lost) }
  }

  private func expectTaken(without lost: String) throws {
    let octets = TextFile.seal(
      SummaryFile.encode(Self.summary).split(separator: 10).dropLast()
        .flatMap { line -> [UInt8] in
          var text = String(decoding: line, as: UTF8.self)
          if text.hasPrefix("mailbox"), text.hasSuffix(lost) { text.removeLast(lost.count) }
          return Array(text.replacing("incomplete:1", with: "incomplete").utf8) + [10]
        }
    )
    #expect(octets.count < SummaryFile.encode(Self.summary).count - 4)
    #expect(try SummaryFile.decode(octets) == Self.summary)
  }

  @Test("what was written when drafts were not told has each folder looked at")
  func versionWithoutDrafts() throws {
    let octets = TextFile.seal(
      SummaryFile.encode(Self.summary).split(separator: 10).dropLast().flatMap { line in
        line.elementsEqual("magnum-summary 4".utf8)
          ? Array("magnum-summary 3\n".utf8) : Array(line) + [10]
      }
    )
    let found = try SummaryFile.decode(octets)
    #expect(found.entries.count == Self.summary.entries.count)
    #expect(found.entries.values.allSatisfy { $0.fingerprints == nil })
    #expect(found.deletions == Self.summary.deletions)
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
