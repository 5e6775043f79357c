import Maildir
import Platform
import Query
import SearchIndex
import TestSupport
import Testing

/// An index that another one has replaced goes once no search can be reading it.
@Suite struct ReplacedGenerationTests {
  private let mailbox: Mailbox

  init() throws {
    mailbox = try Mailbox()
    try mailbox.write("INBOX/cur/1:2,S", Array("Message-ID: <1@x>\n\none\n".utf8))
    try mailbox.index.build()
  }

  private var generations: [String] {
    Files.names(in: mailbox.index.place.directory.display)
      .map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasPrefix("gen-") }.sorted()
  }

  /// The index as it is seen so many seconds after now.
  private func index(in seconds: Int64) -> SearchIndex {
    var index = mailbox.index
    let now = Clock.nowNanoseconds() + seconds * 1_000_000_000
    index.now = { now }
    return index
  }

  @Test func itStaysForTenMinutes() throws {
    try mailbox.index.compact()
    #expect(generations == ["gen-1", "gen-2"])
    for seconds in [0, 590] as [Int64] {
      try index(in: seconds).scan()
      #expect(generations == ["gen-1", "gen-2"], "\(seconds)")
    }
    try index(in: 610).scan()
    #expect(generations == ["gen-2"])
    #expect(try mailbox.ids("one") == ["1@x"])
  }

  /// As a sync that reports its changes does it, without a look at the folders.
  @Test func theFirstCommitThatIsLaterRemovesIt() throws {
    try mailbox.index.build()
    #expect(generations == ["gen-1", "gen-2"])
    for (seconds, flags) in [(590, "F"), (610, "RS")] as [(Int64, String)] {
      let (old, new) = (seconds == 590 ? "S" : "F", flags)
      try mailbox.rename("INBOX/cur/1:2,\(old)", "INBOX/cur/1:2,\(new)")
      let (folder, file) = Mailbox.place("INBOX/cur/1:2,\(old)")
      let (toFolder, toFile) = Mailbox.place("INBOX/cur/1:2,\(new)")
      let change = MaildirChange.renamed(folder: folder, file, toFolder: toFolder, toFile)
      try index(in: seconds).apply([change])
      #expect(generations == (seconds == 590 ? ["gen-1", "gen-2"] : ["gen-2"]))
    }
    #expect(try mailbox.ids("tag:replied") == ["1@x"])
  }

  @Test func oneOfSeveralStays() throws {
    for _ in 0..<3 { try mailbox.index.compact() }
    try mailbox.index.scan()
    #expect(generations == ["gen-3", "gen-4"])
    try index(in: 610).build()
    #expect(generations == ["gen-4", "gen-5"])
  }

  /// A search that began with the index that goes answers from the one in its place.
  @Test func aSearchGoesOnWithTheNextOne() throws {
    try mailbox.index.compact()
    var attempts = 0
    let count = try mailbox.reader.read { (snapshot) throws(IndexError) in
      attempts += 1
      if attempts == 1 { throw IndexError.damaged("gone") }
      return try snapshot.count(.everything)
    }
    #expect(count == 1 && attempts == 2)
  }
}
