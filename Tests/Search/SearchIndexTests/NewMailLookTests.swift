import Maildir
import Platform
import SearchIndex
import TestSupport
import Testing

/// Where only the directory new of a folder changed, it alone is read, and all that it shows is found.
@Suite struct NewMailLookTests {
  private struct Case {
    let what: String
    /// Files that come, by path.
    var written: [(path: String, id: Int)] = []
    /// Old and new paths.
    var renamed: [(String, String)] = []
    var removed: [String] = []
    /// The messages, with the directories of their files.
    let found: [String]
  }

  private static let before = ["1 INBOX/cur", "2 INBOX/cur", "3 INBOX/new", "4 INBOX/new"]

  private static let cases = [
    Case(
      what: "one comes",
      written: [("INBOX/new/5", 5)],
      found: before + ["5 INBOX/new"]
    ),
    Case(
      what: "a copy of one in cur comes",
      written: [("INBOX/new/1", 1)],
      found: ["1 INBOX/cur INBOX/new"] + before.dropFirst()
    ),
    Case(what: "one goes", removed: ["INBOX/new/3"], found: before.filter { $0 != "3 INBOX/new" }),
    Case(
      what: "one is moved to cur",
      renamed: [("INBOX/new/3", "INBOX/cur/3:2,S")],
      found: ["1 INBOX/cur", "2 INBOX/cur", "3 INBOX/cur", "4 INBOX/new"]
    ),
    Case(
      what: "one is moved to another folder",
      renamed: [("INBOX/new/4", "Other/new/4")],
      found: ["1 INBOX/cur", "2 INBOX/cur", "3 INBOX/new", "4 Other/new"]
    ),
    Case(
      what: "one gets another name",
      written: [("INBOX/new/6", 6)],
      renamed: [("INBOX/new/4", "INBOX/new/4:2,F")],
      found: ["1 INBOX/cur", "2 INBOX/cur", "3 INBOX/new", "4 INBOX/new", "6 INBOX/new"]
    ),
  ]

  @Test(arguments: cases.indices) func allIsFound(_ place: Int) throws {
    let one = Self.cases[place]
    var mailbox = try Mailbox()
    // Later than all changes of directories, so that their fingerprints tell of others.
    let now = Clock.nowNanoseconds() + 3_600_000_000_000
    mailbox.index.now = { now }
    for (path, id) in [
      ("INBOX/cur/1:2,S", 1), ("INBOX/cur/2:2,", 2), ("INBOX/new/3", 3), ("INBOX/new/4", 4),
      ("Other/cur/8:2,S", 8),
    ] {
      try write(path, id, mailbox)
    }
    try mailbox.index.build()
    #expect(try mailbox.index.scan().isQuiet)
    #expect(try found(mailbox) == Self.before)
    for (path, id) in one.written { try write(path, id, mailbox) }
    for (old, new) in one.renamed { try mailbox.rename(old, new) }
    for path in one.removed { try mailbox.remove(path) }
    let report = try mailbox.index.scan()
    #expect(report.opened == one.written.count, "\(one.what)")
    #expect(try found(mailbox) == one.found, "\(one.what)")
    #expect(try mailbox.index.scan().isQuiet, "\(one.what)")
    #expect(try mailbox.index.scan(.nothing).isQuiet, "\(one.what)")
  }

  private func write(_ path: String, _ id: Int, _ mailbox: Mailbox) throws {
    try mailbox.write(path, Array("Message-ID: <\(id)@x>\n\ntext \(id)\n".utf8))
  }

  private func found(_ mailbox: Mailbox) throws -> [String] {
    try mailbox.threads("not id:8@x").flatMap(\.messages).map { message in
      let id = String(decoding: message.id, as: UTF8.self).prefix(1)
      let places = message.files.map {
        "\(String(decoding: $0.folder, as: UTF8.self))/\($0.file.subdirectory)"
      }
      return ([String(id)] + places.sorted()).joined(separator: " ")
    }.sorted()
  }
}
