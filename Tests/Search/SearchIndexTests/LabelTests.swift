import CXapian
import MailModel
import Maildir
import Octets
import Platform
import Query
import SearchIndex
import TestSupport
import Testing

/// Places, flags and tags of messages change without a look at their words.
@Suite struct LabelTests {
  @Test func noPositionOfAWordIsReadOrWritten() throws {
    let mailbox = try filled(300)
    try mailbox.index.build()
    #expect(try mailbox.count("\"alpha7 beta7\"") == 1)
    try damageWords(mailbox)
    #expect(throws: IndexError.self) { try mailbox.count("\"alpha7 beta7\"") }
    for number in 0..<300 {
      try mailbox.rename("INBOX/cur/\(number):2,", "Archive/cur/\(number):2,FSb")
    }
    try mailbox.write("Archive/dovecot-keywords", Array("1 later\n".utf8))
    try tag(["work", "Home"], (0..<100).map { "\($0)" }, in: "Archive", mailbox)
    #expect(try mailbox.index.scan(.nothing).renamed == 300)
    try tag(["home"], (50..<60).map { "\($0)" }, in: "Archive", mailbox)
    #expect(try mailbox.index.scan(.nothing).marked == 100)
    let counts = [
      ("folder:INBOX", 0), ("tag:inbox", 0), ("folder:Archive", 300), ("tag:unread", 0),
      ("tag:flagged", 300), ("tag:later", 300), ("tag:work", 0), ("tag:HOME", 10), ("tag:*", 300),
      ("tag:/^ho/", 10), ("not tag:home", 290), ("beta7 and tag:later", 1),
    ]
    for (query, count) in counts { #expect(try mailbox.count(query) == count, "\(query)") }
    let tags = try mailbox.reader.read { (snapshot) throws(IndexError) in
      try snapshot.tags(of: .everything)
    }
    #expect(tags.map(\.rawValue).sorted() == ["flagged", "home", "later"])
  }

  /// A message in two folders keeps a tag for as long as one of them gives it.
  @Test func aTagOfTwoFolders() throws {
    let mailbox = try filled(3)
    try mailbox.write("Archive/cur/copy:2,", message(1))
    try tag(["work"], ["1"], in: "INBOX", mailbox)
    try tag(["work"], ["copy"], in: "Archive", mailbox)
    try mailbox.index.build()
    for (folder, base, left) in [("INBOX", "1", 1), ("Archive", "copy", 0)] {
      #expect(try mailbox.ids("tag:work") == ["1@x"])
      try tag([], [base], in: folder, mailbox)
      #expect(try mailbox.index.scan(.nothing).marked == 1)
      #expect(try mailbox.count("tag:work") == left)
      #expect(try mailbox.index.check().report == [])
    }
  }

  /// Each document says what the check is there to find.
  @Test func theCheckFindsALabelThatIsMissing() throws {
    let mailbox = try filled(3)
    try mailbox.index.build()
    #expect(try mailbox.index.check().report == [])
    let generation = "\(mailbox.root)/.magnum/index/gen-1"
    try clearValue(slot: 1 << 16, of: 2, in: generation)
    #expect(try mailbox.index.check().faults == 2)
  }

  /// What brings no new mail is one commit for 5,000 files.
  @Test(arguments: [(1, 1), (1200, 1), (5000, 1), (5001, 2)])
  func commits(_ count: Int, _ wanted: UInt64) throws {
    let mailbox = try filled(1)
    try mailbox.index.build()
    let before = try epoch(mailbox)
    let changes = (0..<count).map { number -> MaildirChange in
      let places = ["", "F"].map { Mailbox.place("INBOX/cur/0:2,\($0)") }
      let (old, new) = (places[number % 2], places[1 - number % 2])
      return .renamed(folder: old.folder, old.file, toFolder: new.folder, new.file)
    }
    #expect(try mailbox.index.apply(changes).renamed == count)
    #expect(try epoch(mailbox) == before + wanted)
    #expect(try mailbox.count("tag:flagged") == count % 2)
  }

  /// How many commits there were.
  private func epoch(_ mailbox: Mailbox) throws -> UInt64 {
    var error = magnum_index_error()
    let path = "\(mailbox.root)/.magnum/index/gen-1"
    let database = try #require(magnum_index_open(path, MAGNUM_INDEX_READ, &error))
    defer { magnum_index_close(database) }
    var value = magnum_index_octets()
    #expect(magnum_index_metadata(database, MAGNUM_INDEX_MAIN, "epoch", &value, &error))
    defer { magnum_index_octets_free(value) }
    let octets = UnsafeRawBufferPointer(start: value.data, count: value.size)
    return UInt64(String(decoding: octets, as: UTF8.self)) ?? 0
  }

  private func filled(_ count: Int) throws -> Mailbox {
    let mailbox = try Mailbox(subjects: .off)
    for number in 0..<count { try mailbox.write("INBOX/cur/\(number):2,", message(number)) }
    return mailbox
  }

  private func message(_ number: Int) -> [UInt8] {
    let words = (0..<40).map { "word\($0 * number)" }.joined(separator: " ")
    let head = "Message-ID: <\(number)@x>\nSubject: number\(number)\n\n"
    return Array("\(head)alpha\(number) beta\(number) \(words)\n".utf8)
  }

  private func tag(
    _ words: [String],
    _ bases: [String],
    in folder: String,
    _ mailbox: Mailbox
  ) throws {
    let keywords = bases.map { (Array($0.utf8), words.map { Array($0.utf8) }) }
    let file = KeywordFile(Dictionary(uniqueKeysWithValues: keywords))
    _ = try file.write(in: Path("\(mailbox.root)/\(folder)"))
  }

  private func clearValue(slot: UInt32, of document: UInt32, in path: String) throws {
    var error = magnum_index_error()
    let database = try #require(openForWriting(path, &error))
    let loaded = try #require(magnum_index_document_load(database, document, &error))
    #expect(magnum_index_document_set_value(loaded, slot, [], 0, &error))
    #expect(magnum_index_replace(database, document, loaded, &error))
    #expect(magnum_index_flush(database, &error))
    magnum_index_document_free(loaded)
    magnum_index_close(database)
  }

  /// Makes the blocks that hold positions such that none can be read.
  private func damageWords(_ mailbox: Mailbox) throws {
    let path = Path("\(mailbox.root)/.magnum/index/gen-1/position.glass")
    let size = 8192
    var octets = try #require(try FileSystem.readFile(path, limit: 1 << 24))
    // The fifth octet of a block is its level, 0 for a leaf.
    let leaves = stride(from: 0, to: octets.count, by: size).filter { octets[$0 + 4] == 0 }
    try #require(leaves.count > 10)
    for leaf in leaves {
      octets.replaceSubrange(leaf..<(leaf + size), with: repeatElement(255, count: size))
    }
    try Descriptor.open(path, .truncate).write(all: octets)
  }
}
