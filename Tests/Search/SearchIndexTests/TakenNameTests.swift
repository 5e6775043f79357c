import MailModel
import Maildir
import Octets
import Platform
import TestSupport
import Testing

@testable import SearchIndex

/// Files that have the names of others, or other contents, between two looks: what the file of a name holds is found.
@Suite struct TakenNameTests {
  private let mailbox: Mailbox

  init() throws {
    mailbox = try Mailbox()
    try write("cur/a:2,S", "a")
    try write("cur/b:2,S", "other")
  }

  private func write(_ path: String, _ id: String) throws {
    try mailbox.write("INBOX/\(path)", Array("Message-ID: <\(id)@x>\n\ntext\n".utf8))
  }

  /// The index, made as a whole or file by file.
  private func index(isBuilt: Bool) throws {
    if isBuilt { _ = try mailbox.index.build() } else { _ = try mailbox.index.scan() }
    #expect(try mailbox.ids("*") == ["a@x", "other@x"])
  }

  /// The base name goes to another message, with its flags or with others, in its folder or elsewhere.
  @Test(
    arguments: [false, true],
    ["INBOX/cur/a:2,S", "INBOX/cur/a:2,F", "INBOX/new/a", "Lists/cur/a:2,S"]
  )
  func aNameThatAnotherMessageTakes(isBuilt: Bool, _ name: String) throws {
    try index(isBuilt: isBuilt)
    try mailbox.remove("INBOX/cur/a:2,S")
    try mailbox.rename("INBOX/cur/b:2,S", name)
    _ = try mailbox.index.scan()
    #expect(try mailbox.ids("*") == ["other@x"])
    #expect(try mailbox.count("text") == 1)
    #expect(try mailbox.count("folder:INBOX") == (name.hasPrefix("INBOX") ? 1 : 0))
    #expect(try mailbox.count("tag:flagged") == (name.hasSuffix("F") ? 1 : 0))
    #expect(try mailbox.index.check().report == [])
  }

  /// Of a base name that is there twice both files are looked at.
  @Test(arguments: [false, true]) func twoFilesOfABaseNameThatChangeNames(isBuilt: Bool) throws {
    try write("new/a", "third")
    if isBuilt { _ = try mailbox.index.build() } else { _ = try mailbox.index.scan() }
    try mailbox.rename("INBOX/new/a", "INBOX/cur/aside")
    try mailbox.rename("INBOX/cur/a:2,S", "INBOX/new/a")
    try mailbox.rename("INBOX/cur/aside", "INBOX/cur/a:2,S")
    _ = try mailbox.index.scan()
    #expect(try mailbox.ids("*") == ["a@x", "other@x", "third@x"])
    #expect(try mailbox.count("id:third@x and not tag:unread") == 1)
    #expect(try mailbox.index.check().report == [])
  }

  /// As editors write a file, under another name first; its mark is that of its last text then.
  @Test(arguments: [false, true]) func aFileThatIsReplaced(isBuilt: Bool) throws {
    try index(isBuilt: isBuilt)
    for id in ["once", "again"] {
      try write("cur/new", id)
      try mailbox.rename("INBOX/cur/new", "INBOX/cur/a:2,S")
      let report = try mailbox.index.scan()
      #expect(report.added == 1 && report.removed == 1)
      #expect(try mailbox.ids("*") == ["\(id)@x", "other@x"].sorted())
    }
    // Flags alone are no other text.
    try mailbox.rename("INBOX/cur/a:2,S", "INBOX/cur/a:2,FS")
    let report = try mailbox.index.scan()
    #expect(report.renamed == 1 && report.opened == 0)
    try write("cur/new", "last")
    try mailbox.rename("INBOX/cur/new", "INBOX/cur/a:2,FS")
    _ = try mailbox.index.scan()
    #expect(try mailbox.ids("tag:flagged") == ["last@x"])
  }

  /// Nothing of its directory changes.
  @Test func aFileThatIsWrittenAnewInItsPlace() throws {
    try index(isBuilt: false)
    try write("cur/a:2,S", "anew")
    #expect(try mailbox.index.scan(.nothing).opened == 1)
    #expect(try mailbox.ids("*") == ["anew@x", "other@x"])
    #expect(try mailbox.index.scan(.nothing).opened == 0)
  }

  /// A backup that puts files back with their times has other inodes, and the same mail.
  @Test func copiesWithTheirTimesAreNotReadAgain() throws {
    try index(isBuilt: true)
    let folder = "\(mailbox.root)/INBOX"
    let script = "cp -pR \"$1\" \"$1.copy\" && rm -r \"$1\" && mv \"$1.copy\" \"$1\""
    try Command.shell(script, [folder])
    for trust in [SearchIndex.Trust.fingerprints, .nothing] {
      let report = try mailbox.index.scan(trust)
      #expect(report.isQuiet && report.opened == 0)
      // Else each scan of the folder would look at each of its files.
      #expect(try known().map(\.entry.mark) == present())
    }
  }

  /// Nothing but the size tells what an earlier version read.
  @Test func filesThatAnEarlierVersionTookIn() throws {
    try index(isBuilt: true)
    try forgetMarks()
    try write("cur/a:2,S", "longer")
    #expect(try mailbox.index.scan().opened == 0)
    #expect(try mailbox.index.scan(.nothing).opened == 1)
    #expect(try mailbox.ids("*") == ["longer@x", "other@x"])
    #expect(try known().map(\.entry.mark) == present())
  }

  private func forgetMarks() throws {
    let number = try mailbox.index.currentGeneration()
    let transaction = try IndexTransaction(
      Generation(mailbox.index.place.generation(number)),
      Path(mailbox.root)
    )
    for (key, entry) in try known() {
      try transaction.renew(key, FileEntry(document: entry.document, nil))
    }
    try transaction.commit()
  }

  /// What the index keeps of the files of INBOX, by their keys.
  private func known() throws -> [(key: [UInt8], entry: FileEntry)] {
    let database = try mailbox.index.open()
    let folders = FolderTable(try database.metadata(Schema.Key.folders))
    let number = try #require(folders.known(Array("INBOX".utf8)))
    let entries = try database.entries(Schema.paths(in: number))
    return entries.keys.indices.compactMap { place in
      entries[place].map { (entries.keys[place], $0) }
    }
  }

  /// What its two files are like.
  private func present() throws -> [FileMark?] {
    try ["a:2,S", "b:2,S"].map { name in
      try FileSystem.status(Path("\(mailbox.root)/INBOX/cur/\(name)")).map { FileMark($0) }
    }
  }

  /// Where an earlier version made the index, names and sizes are all there is; it reads what this one writes.
  @Test func entriesOfOtherVersions() throws {
    let mark = FileMark(inode: .max, version: 7)
    for document: UInt32 in [1, 0x0102_0304, .max] {
      let entry = FileEntry(document: document, mark)
      #expect(FileEntry(entry.octets) == entry)
      #expect(UInt32(truncatingIfNeeded: UInt64(octets: entry.octets)) == document)
      let old = Array(Schema.octets(UInt64(document)).suffix(4))
      #expect(FileEntry(old) == FileEntry(document: document, nil))
      #expect(FileEntry(document: document, nil).octets == old)
    }
    #expect(FileEntry([]) == nil)
  }
}
