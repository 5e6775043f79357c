import MailModel
import Octets
import Platform
import SearchIndex
import TestSupport
import Testing

/// Each transaction that changes a message has a number, by which what has changed since is found.
@Suite struct RevisionTests {
  private struct Step {
    /// Old and new paths.
    var renamed: [(String, String)] = []
    /// The path of a new file, and the number of its message.
    var written: (path: String, number: Int)?
    /// The messages that have a new revision.
    var changed: [String]
  }

  private static let steps = [
    Step(renamed: [("INBOX/cur/1:2,", "INBOX/cur/1:2,F")], changed: ["m1@x"]),
    Step(changed: []),
    Step(renamed: [("INBOX/cur/1:2,F", "Archive/cur/1:2,F")], changed: ["m1@x"]),
    Step(written: ("INBOX/cur/4:2,", 4), changed: ["m4@x"]),
    Step(renamed: [("INBOX/cur/4:2,", "INBOX/cur/4:2,S")], changed: ["m4@x"]),
    Step(
      renamed: [("INBOX/cur/2:2,", "INBOX/cur/2:2,S"), ("INBOX/cur/4:2,S", "INBOX/cur/4:2,")],
      changed: ["m2@x", "m4@x"]
    ),
    Step(written: ("Archive/cur/copy:2,", 3), changed: ["m3@x"]),
  ]

  @Test func changesSinceARevision() throws {
    let mailbox = try Mailbox(subjects: .off)
    for number in 1...3 { try write(number, "INBOX/cur/\(number):2,", mailbox) }
    try mailbox.index.build()
    let first = try revision(mailbox)
    #expect(first.number == 1)
    #expect(try mailbox.ids("lastmod:1..") == ["m1@x", "m2@x", "m3@x"])
    var last = first.number
    for step in Self.steps {
      for (old, new) in step.renamed { try mailbox.rename(old, new) }
      if let (path, number) = step.written { try write(number, path, mailbox) }
      try mailbox.index.scan(.nothing)
      let now = try revision(mailbox)
      #expect(now.number == (step.changed.isEmpty ? last : last + 1), "\(step)")
      #expect(now.uuid == first.uuid)
      #expect(try mailbox.ids("lastmod:\(last + 1)..") == step.changed, "\(step)")
      last = now.number
    }
    try mailbox.remove("INBOX/cur/3:2,")
    try mailbox.remove("Archive/cur/copy:2,")
    try mailbox.index.scan(.nothing)
    #expect(try revision(mailbox).number == last + 1)
    #expect(try mailbox.ids("lastmod:\(last + 1)..") == [])
    #expect(try mailbox.ids("lastmod:..1 or lastmod:99..") == [])
    try mailbox.index.compact()
    let compacted = try revision(mailbox)
    #expect(compacted.uuid == first.uuid && compacted.number == last + 1)
    #expect(try mailbox.ids("lastmod:2..") == ["m1@x", "m2@x", "m4@x"])
    try mailbox.index.build()
    let rebuilt = try revision(mailbox)
    #expect(rebuilt.uuid != first.uuid && rebuilt.uuid.count == 36)
    #expect(rebuilt.number == 1)
  }

  /// What looks otherwise than before has a later revision, whatever was done.
  @Test(arguments: 1...4)
  func nothingThatChangedIsLeftOut(_ seed: UInt64) throws {
    var world = try RandomMail(seed: seed)
    try world.mailbox.index.build()
    for _ in 0..<20 {
      let last = try revision(world.mailbox).number
      let before = try shown(world.mailbox)
      let changes = try world.change(Int.random(in: 1...6, using: &world.generator))
      try world.mailbox.index.apply(changes)
      let found = try shown(world.mailbox, "lastmod:\(last + 1)..")
      for (message, now) in try shown(world.mailbox) where before[message] != now {
        #expect(found[message] == now)
      }
    }
  }

  /// What a search shows of each message.
  private func shown(_ mailbox: Mailbox, _ query: String = "*") throws -> [String: String] {
    var shown: [String: String] = [:]
    for thread in try mailbox.threads(query) {
      for message in thread.messages where message.isMatch {
        let id = String(decoding: message.id, as: UTF8.self)
        let files = message.files.map(\.path.display).sorted()
        shown["\(id) \(message.content)"] =
          "\(thread.id) \(message.tags.map(\.rawValue)) \(files)"
      }
    }
    return shown
  }

  private func revision(_ mailbox: Mailbox) throws -> IndexRevision {
    try mailbox.reader.read { (snapshot) throws(IndexError) in try snapshot.revision() }
  }

  private func write(_ number: Int, _ path: String, _ mailbox: Mailbox) throws {
    let head = "Message-ID: <m\(number)@x>\nSubject: s\(number)\n"
    try mailbox.write(path, Array("\(head)Date: \(number) Jul 2026 10:00 +0000\n\ntext\n".utf8))
  }
}
