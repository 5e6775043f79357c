import SearchIndex
import TestSupport
import Testing

/// Files of one base name in one folder, as a Maildir of other programs may have them: each is a message of its own.
@Suite struct NamesakeTests {
  private let mailbox: Mailbox

  init() throws {
    mailbox = try Mailbox()
    try write("cur/x:2,S", "a")
    try write("new/x", "b")
    try write("cur/x:2,F", "c")
  }

  private func write(_ path: String, _ id: String) throws {
    try mailbox.write("INBOX/\(path)", Array("Message-ID: <\(id)@x>\n\ntext\n".utf8))
  }

  @Test(arguments: [false, true])
  func allAreFound(isBuilt: Bool) throws {
    if isBuilt { _ = try mailbox.index.build() } else { _ = try mailbox.index.scan() }
    #expect(try mailbox.ids("*") == ["a@x", "b@x", "c@x"])
    #expect(try mailbox.ids("tag:flagged") == ["c@x"])
    #expect(try mailbox.ids("tag:unread") == ["b@x", "c@x"])
    // One that comes later, and one that goes: both at once would be another name of one file.
    try write("cur/x:2,R", "d")
    _ = try mailbox.index.scan()
    #expect(try mailbox.ids("*") == ["a@x", "b@x", "c@x", "d@x"])
    try mailbox.remove("INBOX/cur/x:2,F")
    _ = try mailbox.index.scan()
    let found = try mailbox.ids("*")
    #expect(found == ["a@x", "b@x", "d@x"])
  }

  /// Which of two has got which name is told by their texts alone.
  @Test func namesThatChangeTogetherAreNotMixedUp() throws {
    _ = try mailbox.index.scan()
    try mailbox.rename("INBOX/cur/x:2,S", "INBOX/cur/x:2,RS")
    try mailbox.rename("INBOX/cur/x:2,F", "INBOX/cur/x:2,FR")
    let report = try mailbox.index.scan()
    #expect(report.renamed == 0, "\(report)")
    #expect(try mailbox.ids("tag:flagged") == ["c@x"])
    #expect(try mailbox.ids("tag:replied and not tag:unread") == ["a@x"])
    try mailbox.rename("INBOX/cur/x:2,RS", "INBOX/cur/x:2,S")
    _ = try mailbox.index.scan()
    #expect(try mailbox.ids("*") == ["a@x", "b@x", "c@x"])
  }
}
