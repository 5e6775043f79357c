import CXapian
import Glibc
import MailModel
import Octets
import Maildir
import Platform
import Query
import SearchIndex
import TestSupport
import Testing
import Threads

@Test(arguments: try Fixtures.load("Fixtures/searches.txt"))
func searches(_ fixture: Fixture) throws {
  var mailbox = try Mailbox()
  let trusted = (fixture["trusts"] ?? "").split(separator: " ")
  mailbox.servers = TrustedServers(
    names: trusted.dropLast().map { Array($0.utf8) },
    hops: trusted.last.flatMap { Int($0) } ?? 0
  )
  for part in fixture.parts where part.name.contains("/") {
    try mailbox.write(part.name, Array((part.text.isEmpty ? "" : part.text + "\n").utf8))
  }
  try mailbox.index.build()
  for line in fixture.lines("searches") {
    let parts = line.split(separator: "=>", maxSplits: 1, omittingEmptySubsequences: false)
    let wanted = parts[1].split(separator: " ").map { "\($0)" }
    let found = try mailbox.ids(String(parts[0]))
    #expect(found == wanted, "\(parts[0])")
    #expect(try mailbox.count(String(parts[0])) == wanted.count, "\(parts[0])")
  }
}

/// A message without Date and Received has the date at which it came: by the name of its file or by its time, whichever is
/// earlier.
@Test(
  arguments: [
    ("1700000000.a:2,", 1_420_459_200, "2015-01-05"),
    ("1700000000.a:2,", 1_790_000_000, "2023-11-14"),
    ("1420459200.a:2,", 1_420_459_200, "2015-01-05"),
    ("a:2,", 1_420_459_200, "1970-01-01"),
  ] as [(String, Int64, String)]
)
func aMessageWithoutADateHasThatOfItsArrival(_ name: String, _ time: Int64, _ day: String) throws {
  let mailbox = try Mailbox()
  try mailbox.write("cur/\(name)", Array("Subject: x\nMessage-ID: <m@x>\n\nx\n".utf8))
  try FileSystem.setTimes(Path("\(mailbox.root)/cur/\(name)"), time)
  try mailbox.index.build()
  #expect(try mailbox.ids("date:\(day)") == ["m@x"])
}

/// What is changed step by step is in the end what an index made anew knows.
@Test(arguments: 1...6)
func stepsLeadWhereOneLeapDoes(_ seed: UInt64) throws {
  var world = try RandomMail(seed: seed)
  try world.mailbox.index.build()
  for _ in 0..<12 {
    let changes = try world.change(Int.random(in: 1...6, using: &world.generator))
    if Bool.random(using: &world.generator) {
      try world.mailbox.index.apply(changes)
      // A crash after the commit: the same changes come again.
      try world.mailbox.index.apply(changes)
    } else {
      try world.mailbox.index.scan(.nothing)
    }
    let stepped = try world.mailbox.everything()
    let faults = try world.mailbox.index.check().report
    #expect(faults == [])
    try world.mailbox.index.build()
    #expect(try world.mailbox.everything() == stepped)
  }
}

/// Of two that may be the parent, In-Reply-To is believed where it is one id and nothing else.
@Test(arguments: [
  ("<b@x>", true), ("  <b@x>\r\n ", true), ("b@x", false), ("<b@x", false), ("b@x>", false),
  ("<b@ x>", false), ("<b@x> (a message of Monday)", false), ("Your message <b@x>", false),
  ("<b@x> <c@x>", false), ("<b@x><c@x>", false),
])
func aPlainInReplyToNamesTheParent(_ field: String, _ isBelieved: Bool) throws {
  let mailbox = try Mailbox()
  let answer = "In-Reply-To: \(field)\r\nReferences: <a@x>\r\n"
  for (day, (id, more)) in [("a@x", ""), ("b@x", "References: <a@x>\r\n"), ("d@x", answer)]
    .enumerated()
  {
    let date = "Date: \(day + 1) Jul 2026 10:00 +0000\r\n"
    try mailbox.write(
      "INBOX/cur/\(day):2,",
      Array("Message-ID: <\(id)>\r\n\(date)\(more)\r\n.".utf8)
    )
  }
  try mailbox.index.build()
  let thread = try #require(try mailbox.threads("*").first)
  let tree = ThreadTree(thread.messages.map(\.member))
  #expect(tree.flattened.map(\.depth) == (isBelieved ? [0, 1, 2] : [0, 1, 1]))
}

/// What subjects link can be changed, and then all mail is threaded anew, as if the index had been made so.
@Test func subjectsLinkWhatIsWantedNow() throws {
  var mailbox = try Mailbox()
  for (number, subject) in ["Plan", "Re: Plan", "Plan", "Re: Other"].enumerated() {
    let date = "Date: \(number + 1) Jul 2026 10:00 +0000"
    try mailbox.write(
      "INBOX/cur/\(number):2,",
      Array("Message-ID: <\(number)@x>\nSubject: \(subject)\n\(date)\n\n.".utf8)
    )
  }
  for (wanted, count) in [
    (SubjectThreading?.none, 3), (.off, 4), (nil, 4), (.replies, 3), (nil, 3), (.all, 2),
  ] {
    mailbox.index.subjects = wanted
    try mailbox.index.scan()
    #expect(try mailbox.threads("*").count == count, "\(String(describing: wanted))")
    let faults = try mailbox.index.check().report
    #expect(faults == [])
    if wanted == nil { try mailbox.index.build() }
    #expect(try mailbox.threads("*").count == count, "\(String(describing: wanted)) made anew")
  }
}

/// A new index links answers alone; one of before subjects were about two people keeps linking others, by the new rule.
@Test func anIndexKeepsWhatSubjectsLink() throws {
  var mailbox = try Mailbox()
  mailbox.index.subjects = nil
  for (number, from) in ["a@x", "b@x", "a@x", "b@x"].enumerated() {
    let head = "Message-ID: <\(number)@x>\nFrom: \(from)\nTo: me@x\n"
    let subject = "Subject: \(number == 3 ? "Re: " : "")Plan\n"
    let text = "\(head)\(subject)Date: \(number + 1) Jul 2026 10:00 +0000\n\n."
    try mailbox.write("INBOX/cur/\(number):2,", Array(text.utf8))
  }
  try mailbox.index.scan()
  #expect(try mailbox.threads("*").count == 3)
  try setMetadata("subject-threading", "all", "\(mailbox.root)/.magnum/index/gen-1")
  try mailbox.index.scan()
  #expect(try mailbox.threads("*").count == 2)
  try mailbox.index.build()
  #expect(try mailbox.threads("*").count == 2)
}

@Test func aRenameOpensNoFile() throws {
  let mailbox = try Mailbox()
  for number in 0..<20 { try mailbox.write("INBOX/cur/\(number):2,", mail(number)) }
  #expect(try mailbox.index.scan().added == 20)
  for number in 0..<20 { try mailbox.rename("INBOX/cur/\(number):2,", "INBOX/cur/\(number):2,S") }
  let report = try mailbox.index.scan(.nothing)
  #expect(report.renamed == 20 && report.opened == 0 && report.added == 0)
  #expect(try mailbox.count("tag:unread") == 0)
  try mailbox.rename("INBOX/cur/3:2,S", "Archive/cur/3:2,S")
  let move = try mailbox.index.scan(.nothing)
  #expect(move.renamed == 1 && move.opened == 0)
  #expect(try mailbox.ids("folder:Archive") == ["m3@x"])
}

@Test func asManyFilesAreOpenedAsAreNew() throws {
  let mailbox = try Mailbox()
  for number in 0..<20 { try mailbox.write("INBOX/cur/\(number):2,", mail(number)) }
  try mailbox.index.scan()
  for number in 20..<23 { try mailbox.write("INBOX/new/\(number)", mail(number)) }
  let changes = (20..<23).map { number in
    let (folder, file) = Mailbox.place("INBOX/new/\(number)")
    return MaildirChange.added(folder: folder, file)
  }
  let report = try mailbox.index.apply(changes)
  #expect(report.added == 3 && report.opened == 3)
  let again = try mailbox.index.apply(changes)
  #expect(again.isQuiet && again.opened == 0)
}

/// What is told is taken in without a look at the folder; what was not told the next scan finds.
@Test func changesThatNobodyToldAreFoundByAScan() throws {
  let mailbox = try Mailbox()
  try mailbox.write("INBOX/cur/1:2,", mail(1))
  try mailbox.index.scan()
  for number in 2...4 { try mailbox.write("INBOX/cur/\(number):2,", mail(number)) }
  try mailbox.index.apply([added("INBOX/cur/2:2,")])
  #expect(try mailbox.ids("*") == ["m1@x", "m2@x"])
  try mailbox.rename("INBOX/cur/2:2,", "Archive/cur/2:2,S")
  try mailbox.remove("INBOX/cur/1:2,")
  let (folder, file) = Mailbox.place("INBOX/cur/2:2,")
  let (target, renamed) = Mailbox.place("Archive/cur/2:2,S")
  let moved = MaildirChange.renamed(folder: folder, file, toFolder: target, renamed)
  let report = try mailbox.index.apply([moved, removed("INBOX/cur/1:2,")])
  #expect(report.renamed == 1 && report.removed == 1 && report.opened == 0)
  #expect(try mailbox.ids("folder:Archive and not tag:unread") == ["m2@x"])
  #expect(try mailbox.ids("*") == ["m2@x"])
  #expect(try mailbox.index.scan().added == 2)
  #expect(try mailbox.ids("*") == ["m2@x", "m3@x", "m4@x"])
}

/// Where there is no index yet all mail is taken in, whatever was told.
@Test func theFirstChangeMakesAnIndexOfAllMail() throws {
  let mailbox = try Mailbox()
  for number in 1...3 { try mailbox.write("INBOX/cur/\(number):2,", mail(number)) }
  try mailbox.index.apply([added("INBOX/cur/2:2,")])
  #expect(try mailbox.ids("*") == ["m1@x", "m2@x", "m3@x"])
}

private func added(_ path: String) -> MaildirChange {
  let (folder, file) = Mailbox.place(path)
  return .added(folder: folder, file)
}

private func removed(_ path: String) -> MaildirChange {
  let (folder, file) = Mailbox.place(path)
  return .removed(folder: folder, file)
}

@Test func restoredTimesOfDirectoriesHideNothing() throws {
  let mailbox = try Mailbox()
  try mailbox.write("INBOX/cur/1:2,", mail(1))
  try FileSystem.setTimes(Path("\(mailbox.root)/INBOX/cur"), 1_000_000_000)
  try mailbox.index.scan()
  try mailbox.write("INBOX/cur/2:2,", mail(2))
  try FileSystem.setTimes(Path("\(mailbox.root)/INBOX/cur"), 1_000_000_000)
  try mailbox.index.scan()
  #expect(try mailbox.ids("*") == ["m1@x", "m2@x"])
}

/// An index, with a file beside it that cannot be read: a link in a circle is not, by root either.
private func mailboxWithUnreadable() throws -> (Mailbox, MaildirChange) {
  let mailbox = try Mailbox()
  try mailbox.write("INBOX/cur/1:2,S", mail(1))
  try mailbox.index.scan()
  let (folder, file) = Mailbox.place("INBOX/cur/2:2,")
  try makeLoop("\(mailbox.root)/INBOX/cur/2:2,")
  return (mailbox, .added(folder: folder, file))
}

@Test func whatCannotBeReadIsTriedAgain() throws {
  let (mailbox, change) = try mailboxWithUnreadable()
  // Told of again, and found among those to be tried again, it is one.
  for count in [1, 2, 0] {
    let report = try mailbox.index.apply([MaildirChange](repeating: change, count: count))
    #expect(report.failed == 1 && report.failures.map(\.code) == [ELOOP])
  }
  #expect(try mailbox.ids("*") == ["m1@x"])
  try mailbox.remove("INBOX/cur/2:2,")
  try mailbox.write("INBOX/cur/2:2,", mail(2))
  #expect(try mailbox.index.apply([]).added == 1)
  #expect(try mailbox.ids("*") == ["m1@x", "m2@x"])
}

/// It is one file, though it was to be read again under its former name.
@Test func whatCannotBeReadIsOneFileUnderItsNextName() throws {
  let (mailbox, change) = try mailboxWithUnreadable()
  #expect(try mailbox.index.apply([change]).failed == 1)
  try mailbox.remove("INBOX/cur/2:2,")
  try mailbox.write("INBOX/cur/2:2,S", mail(2))
  #expect(try mailbox.index.scan().added == 1)
  #expect(try mailbox.threads("id:m2@x").first?.messages.first?.files.count == 1)
  #expect(try mailbox.count("tag:unread") == 0)
}

/// Of two messages with one id it is named once, and does not take the place of another.
@Test func anIDThatTwoMessagesHaveTakesOnePlace() throws {
  let mailbox = try Mailbox()
  for (name, id) in [("1", 1), ("2", 2), ("3", 3)] {
    try mailbox.write("INBOX/cur/\(name):2,", mail(id))
  }
  try mailbox.write("INBOX/cur/4:2,", mail(3) + Array("more\n".utf8))
  try mailbox.index.scan()
  #expect(try mailbox.count("*") == 4)
  let set = SearchSet(try IndexPlace.of(Path(mailbox.root)))
  let query = try QueryParser.parse(Array("*".utf8), Mailbox.dates)
  for limit in 1...4 {
    let ids = try set.ids(query, .newestFirst, limit: limit)
    #expect(ids.count == min(limit, 3) && Set(ids).count == ids.count)
  }
}

private func joined(_ mailboxes: [Mailbox]) throws -> SearchSet {
  SearchSet(
    try mailboxes.map {
      IndexReader(try IndexPlace.of(Path($0.root)), account: $0.root, stemming: nil)
    }
  )
}

/// Also where one index is full of messages with one id, its pages leave nothing out and repeat nothing.
@Test func idsOfSeveralIndexesComeOnce() throws {
  let mailboxes = [try Mailbox(), try Mailbox()]
  for (place, id) in [9, 9, 9, 9, 6, 8, 7, 5].enumerated() {
    let text = mail(id) + Array("\(place)\n".utf8)
    try mailboxes[id > 6 && id < 9 ? 1 : 0].write("INBOX/cur/\(place):2,", text)
  }
  for mailbox in mailboxes { try mailbox.index.scan() }
  let set = try joined(mailboxes)
  let query = try QueryParser.parse(Array("*".utf8), Mailbox.dates)
  for order in [SearchOrder.newestFirst, .oldestFirst, .unsorted] {
    let all = try set.ids(query, order)
    #expect(all.count == 5)
    for size in 1...4 {
      let pages = try stride(from: 0, to: 5, by: size).flatMap {
        try set.ids(query, order, offset: $0, limit: size)
      }
      #expect(pages == all)
    }
  }
}

/// Also where the other one comes behind all that was asked of its index.
@Test func aMessageHasItsFilesInAllIndexes() throws {
  let mailboxes = [try Mailbox(), try Mailbox()]
  let texts = (0..<6).map { number in
    Array("Message-ID: <m\(number)@x>\nDate: 2 Nov 2023 00:00 +0000\n\n\(number)\n".utf8)
  }
  for (number, text) in texts.enumerated() {
    try mailboxes[0].write("INBOX/cur/\(number):2,", text)
    try mailboxes[1].write("INBOX/cur/\(9 - number):2,S", text)
  }
  for mailbox in mailboxes { try mailbox.index.scan() }
  let query = try QueryParser.parse(Array("*".utf8), Mailbox.dates)
  for set in [try joined(mailboxes), try joined(mailboxes.reversed())] {
    for limit in 1...7 {
      let found = try set.messages(query, .newestFirst, limit: limit)
      #expect(found.count == min(limit, 6) && found.allSatisfy { $0.files.count == 2 })
    }
  }
}

/// Whichever of the indexes comes first.
@Test func aMessageIsFoundWhereItIsInOneIndex() throws {
  let mailboxes = [try Mailbox(), try Mailbox()]
  for (number, flags) in [["", "S"], ["S", ""]].enumerated() {
    let text = Array("Message-ID: <m\(number)@x>\nReferences: <m0@x>\n\n\(number)\n".utf8)
    for (mailbox, flag) in zip(mailboxes, flags) {
      try mailbox.write("INBOX/cur/\(number):2,\(flag)", text)
    }
  }
  for mailbox in mailboxes { try mailbox.index.scan() }
  let unread = try QueryParser.parse(Array("tag:unread".utf8), Mailbox.dates)
  let threads = try joined(mailboxes).threads(unread, .newestFirst)
  #expect(threads.map { $0.messages.map(\.isMatch) } == [[true, true]])
}

/// Pages begin where those before them ended, also where all threads have one date.
@Test func pagesOverSeveralIndexesLeaveNothingOut() throws {
  let mailboxes = [try Mailbox(subjects: .off), try Mailbox(subjects: .off)]
  for number in 0..<24 {
    try mailboxes[number % 2].write("INBOX/cur/\(number):2,", mail(number))
  }
  for mailbox in mailboxes { try mailbox.index.scan() }
  let set = try joined(mailboxes)
  let query = try QueryParser.parse(Array("*".utf8), Mailbox.dates)
  for (order, size) in [(SearchOrder.newestFirst, 5), (.oldestFirst, 7)] {
    let pages = try stride(from: 0, to: 28, by: size).flatMap {
      try set.threads(query, order, offset: $0, limit: size, detail: .list).map(\.id)
    }
    #expect(pages.count == 24 && Set(pages).count == 24)
  }
}

@Test func aFileRenamedUnderOurHandsIsFound() throws {
  let mailbox = try Mailbox()
  try mailbox.write("INBOX/cur/1:2,S", mail(1))
  try mailbox.index.scan()
  try mailbox.write("INBOX/cur/2:2,S", mail(2))
  let (folder, file) = Mailbox.place("INBOX/cur/2:2,")
  try mailbox.index.apply([.added(folder: folder, file)])
  let found = try mailbox.threads("id:m2@x").first?.messages.first?.files.first
  #expect(found?.currentPath()?.display == "\(mailbox.root)/INBOX/cur/2:2,S")
}

@Test func manyDeletionsAndTermsOfEveryDocument() throws {
  let mailbox = try Mailbox(subjects: .off)
  for number in 0..<6000 { try mailbox.write("INBOX/cur/\(number):2,", mail(number)) }
  try mailbox.index.scan()
  for number in stride(from: 10, to: 200, by: 7) { try mailbox.remove("INBOX/cur/\(number):2,") }
  try mailbox.index.scan(.nothing)
  let left = 6000 - 28
  #expect(try mailbox.count("*") == left)
  for query in ["tag:unread", "folder:INBOX", "text", "tex*", "from:same", "mimetype:text/plain"] {
    #expect(try mailbox.ids(query).count == left, "\(query)")
    #expect(try mailbox.threads(query).count == left, "\(query)")
  }
}

@Test func anEmptyMaildirAndOneThatIsNotThere() throws {
  let mailbox = try Mailbox()
  #expect(throws: IndexError.self) { try mailbox.ids("*") }
  try mailbox.index.scan()
  #expect(try mailbox.ids("*") == [])
  #expect(try mailbox.threads("from:nobody").count == 0)
  #expect(throws: SystemError.self) { try IndexPlace.of(Path("\(mailbox.root)/nowhere")) }
}

@Test func anIndexOfAnotherVersionIsRefusedUntilItIsMadeAnew() throws {
  let mailbox = try Mailbox()
  try mailbox.write("INBOX/cur/1:2,", mail(1))
  try mailbox.index.scan()
  try setSchema("99", "\(mailbox.root)/.magnum/index/gen-1")
  #expect(throws: IndexError.newer(schema: 99)) { try mailbox.ids("*") }
  #expect(throws: IndexError.newer(schema: 99)) { try mailbox.index.scan() }
  try setSchema("0", "\(mailbox.root)/.magnum/index/gen-1")
  #expect(throws: IndexError.older(schema: 0)) { try mailbox.ids("*") }
  try mailbox.index.build()
  #expect(try mailbox.ids("*") == ["m1@x"])
}

/// An index of an earlier version keeps its setting, and the next scan makes it anew.
@Test func anOlderIndexIsMadeAnew() throws {
  let mailbox = try Mailbox(subjects: .off)
  for number in 1...2 {
    let text =
      "Subject: plan\nMessage-ID: <p\(number)@x>\nDate: \(number) Jul 2026 10:00 +0000\n\nx\n"
    try mailbox.write("INBOX/cur/\(number):2,", Array(text.utf8))
  }
  try mailbox.index.scan()
  try setSchema("2", "\(mailbox.root)/.magnum/index/gen-1")
  #expect(throws: IndexError.older(schema: 2)) { try mailbox.ids("plan") }
  var index = SearchIndex(mailbox.index.place)
  index.subjects = nil
  #expect(try index.scan().added == 2)
  #expect(try index.scan().isQuiet)
  #expect(try mailbox.threads("*").count == 2)
  #expect(try mailbox.ids("plan") == ["p1@x", "p2@x"])
  try setSchema("2", "\(mailbox.root)/.magnum/index/gen-2")
  try index.apply([])
  #expect(try mailbox.ids("plan") == ["p1@x", "p2@x"])
}

/// Searches use the index of the version before until it is made anew, and the run that does so says it.
@Test func anIndexOfTheVersionBeforeAnswersUntilThen() throws {
  let mailbox = try Mailbox()
  try mailbox.write("INBOX/cur/1:2,", mail(1))
  #expect(try !mailbox.index.scan().isMadeAnew)
  try setSchema("3", "\(mailbox.root)/.magnum/index/gen-1")
  #expect(try mailbox.ids("*") == ["m1@x"])
  // To be written without gaps makes it no newer.
  try mailbox.index.compact()
  #expect(try mailbox.ids("*") == ["m1@x"])
  #expect(try mailbox.index.scan().isMadeAnew)
  #expect(try mailbox.ids("*") == ["m1@x"])
  #expect(try mailbox.index.scan().isQuiet)
}

/// Symbolic links to files are messages, others are nothing.
@Test func linksToFilesAreMessages() throws {
  let mailbox = try Mailbox()
  try mailbox.write("Store/1", mail(1))
  try mailbox.write("INBOX/cur/2:2,", mail(2))
  let cur = "\(mailbox.root)/INBOX/cur"
  for (name, target) in [
    ("1:2,S", "../../Store/1"), ("2:2,S", "2:2,"), ("3:2,", "."), ("4:2,", "x"),
  ] {
    try FileSystem.symbolicLink(Path("\(cur)/\(name)"), to: Path(target))
  }
  try mailbox.index.scan()
  #expect(try mailbox.ids("*") == ["m1@x", "m2@x"])
  #expect(try mailbox.ids("tag:unread") == ["m2@x"])
  try FileSystem.remove(Path("\(cur)/1:2,S"))
  try mailbox.index.scan(.nothing)
  #expect(try mailbox.ids("*") == ["m2@x"])
}

@Test func theSettingForSubjectsIsThatOfTheIndex() throws {
  for (setting, count) in [(SubjectThreading.all, 1), (.off, 2)] {
    let mailbox = try Mailbox(subjects: setting)
    try mailbox.index.scan()
    for number in 1...2 {
      let text =
        "Subject: plan\nMessage-ID: <p\(number)@x>\nDate: \(number) Jul 2026 10:00:00 +0000\n\nx\n"
      try mailbox.write("INBOX/cur/\(number):2,", Array(text.utf8))
      try mailbox.index.scan(.nothing)
    }
    #expect(try mailbox.threads("*").count == count)
  }
}

private func setSchema(_ schema: String, _ path: String) throws {
  try setMetadata("schema", schema, path)
}

private func setMetadata(_ key: String, _ text: String, _ path: String) throws {
  var error = magnum_index_error()
  let database = try #require(openForWriting(path, &error))
  let value = Array(text.utf8)
  let part = MAGNUM_INDEX_MAIN
  #expect(magnum_index_set_metadata(database, part, key, value, value.count, &error))
  #expect(magnum_index_flush(database, &error))
  magnum_index_close(database)
}

@Test func twoWritersTakeTurns() throws {
  var mailbox = try Mailbox()
  for number in 0..<30 { try mailbox.write("INBOX/cur/\(number):2,", mail(number)) }
  try mailbox.index.scan()
  let lock = Path("\(mailbox.root)/.magnum/index/lock")
  guard case .acquired(let held) = try FileLock.acquire(lock) else {
    Issue.record("no lock")
    return
  }
  mailbox.index.wait = 0.1
  let error = #expect(throws: IndexError.self) { try mailbox.index.build() }
  guard case .locked(lock, let holder)? = error else {
    Issue.record("\(String(describing: error))")
    return
  }
  #expect(holder != nil)
  #expect(try mailbox.count("*") == 30)
  held.release()
  try mailbox.index.build()
}

@Test func readersAreNeverDisturbed() throws {
  let mailbox = try Mailbox()
  for number in 0..<200 { try mailbox.write("INBOX/cur/\(number):2,", mail(number)) }
  try mailbox.index.scan()
  let writer = Background {
    for round in 0..<15 {
      for number in 0..<20 {
        let (old, new) = round % 2 == 0 ? ("", "S") : ("S", "")
        try? mailbox.rename("INBOX/cur/\(number):2,\(old)", "INBOX/cur/\(number):2,\(new)")
      }
      _ = try? mailbox.index.scan(.nothing)
      if round % 5 == 4 { try? mailbox.index.compact() }
    }
  }
  for _ in 0..<150 {
    #expect(try mailbox.count("*") == 200)
    #expect(try mailbox.ids("text").count == 200)
    let unread = try mailbox.threads("tag:unread").count
    #expect(unread == 200 || unread == 180, "\(unread)")
  }
  writer.join()
}

private func mail(_ number: Int) -> [UInt8] {
  Array(
    """
    From: same@example.org
    Message-ID: <m\(number)@x>
    Date: Mon, 06 Jul 2026 10:00:00 +0000
    Subject: number \(number)

    text \(number)

    """.utf8
  )
}
