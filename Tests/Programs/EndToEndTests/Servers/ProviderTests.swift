import Octets
import TestSupport
import Testing

/// The large providers, as scripted servers with what they offer and how they behave.
@Suite struct ProviderTests {
  /// A provider, a home, and the program.
  final class Scene {
    let server: ProviderServer
    let program: ProgramUnderTest
    let provider: Provider

    var maildir: String { program.home["Mail/test"] }

    init(_ provider: Provider) throws {
      self.provider = provider
      server = try ProviderServer(provider)
      program = try ProgramUnderTest()
      try program.configure(at: server.clearURL)
      for number in 0..<6 {
        server.deliver(mail("m\(number)"), flags: number < 3 ? ["\\Seen"] : [])
      }
      server.deliver(mail("other"), to: provider.ordinary, flags: ["\\Seen"])
      try sync()
    }

    @discardableResult
    func sync(sourceLocation: SourceLocation = #_sourceLocation) throws -> Outcome {
      let outcome = try program.command(["-v"]).run()
      #expect(outcome.code == 0, "\(outcome)", sourceLocation: sourceLocation)
      return outcome
    }

    /// The folder of a mailbox.
    func folder(_ mailbox: String) -> String {
      let parts = mailbox.split(separator: provider.delimiter).map { "\($0)" }
      return parts.map { Array($0.utf8) }
        .map { String(decoding: ModifiedUTF7.decode($0) ?? $0, as: UTF8.self) }
        .joined(separator: "/")
    }

    func local(_ mailbox: String) -> LocalFolder { LocalFolder(maildir, folder(mailbox)) }

    /// The subjects of the files of a mailbox, sorted.
    func files(_ mailbox: String) -> [String] {
      MaildirTree(maildir)[OctetName(Array(folder(mailbox).utf8))].map { file in
        let lines = String(decoding: file.body, as: UTF8.self).split(separator: "\n")
        return String(lines.first { $0.hasPrefix("Subject: ") }?.dropFirst(9) ?? "")
      }.sorted()
    }

    /// Runs until all is done; then both sides hold the same, and a further run changes nothing and says so.
    func expectSettled(
      saying words: String = "nothing new",
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let runs = try (0..<3).map { _ in try sync(sourceLocation: sourceLocation).output }
      for box in server.mailboxes where !provider.views.contains(box.name) {
        let subjects = server.subjects(box.name)
        #expect(files(box.name) == subjects, "\(box.name): \(runs)", sourceLocation: sourceLocation)
        #expect(
          Set(subjects).count == subjects.count,
          "\(box.name): \(subjects)",
          sourceLocation: sourceLocation
        )
      }
      let before = TreeSnapshot(maildir)
      let last = try sync(sourceLocation: sourceLocation)
      #expect(last.output.contains(words), "\(last)", sourceLocation: sourceLocation)
      let changed = TreeSnapshot(maildir).differences(from: before)
        .filter { !$0.contains("/.magnum") }
      #expect(changed == [], sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: Provider.all)
  func aFirstSyncAndNothingAfterIt(_ provider: Provider) throws {
    let scene = try Scene(provider)
    try scene.expectSettled()
    #expect(scene.files("INBOX") == (0..<6).map { "m\($0)" })
    let folders = MaildirTree(scene.maildir).mailboxes.keys
    for view in provider.views {
      #expect(!folders.contains(OctetName(Array(scene.folder(view).utf8))), "\(view) is a view")
    }
    #expect(folders.contains(OctetName(Array(scene.folder(provider.trash).utf8))))
    let fetched = scene.server.requests.count { $0.contains("BODY.PEEK[]") }
    try scene.sync()
    #expect(scene.server.requests.count { $0.contains("BODY.PEEK[]") } == fetched)
  }

  @Test(arguments: Provider.all)
  func flagsBothWays(_ provider: Provider) throws {
    let scene = try Scene(provider)
    try scene.local("INBOX").setFlags("FRS", of: "m0")
    try scene.local("INBOX").setFlags("", of: "m1")
    scene.server.setFlags(["\\Seen", "\\Flagged"], of: "m3")
    scene.server.setFlags([], of: "m2")
    try scene.expectSettled()
    #expect(scene.server.flags(of: "m0") == ["\\Answered", "\\Flagged", "\\Seen"])
    #expect(scene.server.flags(of: "m1") == [])
    let inbox = scene.local("INBOX")
    #expect(inbox.flags(try inbox.index("m3")) == "FS")
    #expect(inbox.flags(try inbox.index("m2")) == "")
  }

  /// $Forwarded is a keyword: where none are kept it stays here, and no run tries it again.
  @Test(arguments: Provider.all)
  func aKeywordThatMayNotBeKept(_ provider: Provider) throws {
    let scene = try Scene(provider)
    try scene.local("INBOX").setFlags("PS", of: "m0")
    try scene.expectSettled(
      saying: provider.keepsKeywords ? "nothing new" : "the server cannot keep these flags"
    )
    let inbox = scene.local("INBOX")
    #expect(inbox.flags(try inbox.index("m0")) == "PS")
    let flags = scene.server.flags(of: "m0") ?? []
    #expect(flags == (provider.keepsKeywords ? ["$Forwarded", "\\Seen"] : ["\\Seen"]))
    let stored = scene.server.requests.count { $0.hasPrefix("UID STORE") }
    try scene.sync()
    #expect(scene.server.requests.count { $0.hasPrefix("UID STORE") } == stored)
  }

  @Test(arguments: Provider.all)
  func movesBothWays(_ provider: Provider) throws {
    let scene = try Scene(provider)
    let all = provider.allMail.map { scene.server.subjects($0) }
    try scene.local("INBOX").move("m0", to: scene.folder(provider.ordinary), flags: "S")
    scene.server.move("m5", to: provider.ordinary)
    try scene.expectSettled()
    #expect(scene.server.subjects() == ["m1", "m2", "m3", "m4"])
    #expect(scene.server.subjects(provider.ordinary) == ["m0", "m5", "other"])
    #expect(scene.server.subjects(provider.trash) == [])
    #expect(!scene.server.requests.contains { $0.hasPrefix("APPEND") })
    #expect(provider.allMail.map { scene.server.subjects($0) } == all)
  }

  @Test(arguments: Provider.all)
  func deletionsBothWays(_ provider: Provider) throws {
    let scene = try Scene(provider)
    try scene.local("INBOX").remove("m0")
    scene.server.expunge("m5")
    try scene.expectSettled()
    #expect(scene.server.subjects() == ["m1", "m2", "m3", "m4"])
    #expect(scene.files(provider.trash) == ["m0"])
    #expect(scene.server.subjects(provider.trash) == ["m0"])
    try scene.local(provider.trash).remove("m0")
    try scene.expectSettled()
    #expect(scene.server.subjects(provider.trash) == [])
  }

  @Test(arguments: Provider.all)
  func newFilesAndNewMessages(_ provider: Provider) throws {
    let scene = try Scene(provider)
    try scene.local(provider.ordinary).add("new", mail("from here"), flags: "FS")
    scene.server.deliver(mail("from there"))
    try scene.expectSettled()
    #expect(scene.server.subjects(provider.ordinary) == ["from here", "other"])
    #expect(scene.server.flags(of: "from here", in: provider.ordinary) == ["\\Flagged", "\\Seen"])
    #expect(scene.files("INBOX").contains("from there"))
  }

  // MARK: Habits of one

  /// Taking a message out of a label's folder takes the label away: the message stays in All Mail and elsewhere.
  @Test func aLabelThatIsTakenAwayLeavesAllMail() throws {
    let scene = try Scene(.gmail)
    try scene.local("Work").remove("other")
    try scene.expectSettled()
    #expect(scene.server.subjects("Work") == [])
    #expect(scene.server.subjects("[Gmail]/All Mail").contains("other"))
    #expect(scene.server.subjects("[Gmail]/Trash") == [])
  }

  /// What was moved here and archived there gets its new label, although it lies in All Mail, which is not mirrored.
  @Test func whatIsMovedHereAndArchivedThereGetsItsLabel() throws {
    let scene = try Scene(.gmail)
    try scene.local("INBOX").move("m0", to: "Work", flags: "S")
    scene.server.expunge("m0")
    try scene.expectSettled()
    #expect(scene.server.subjects("Work") == ["m0", "other"])
    #expect(!scene.server.requests.contains { $0.contains("All Mail") && $0.contains("SELECT") })
  }

  /// A message with two labels is two files, and one that goes leaves the other.
  @Test func aMessageWithTwoLabels() throws {
    let scene = try Scene(.gmail)
    scene.server.copy("m0", to: "Work")
    try scene.expectSettled()
    #expect(scene.files("Work") == ["m0", "other"] && scene.files("INBOX").contains("m0"))
    try scene.local("Work").remove("m0")
    try scene.expectSettled()
    #expect(scene.server.subjects("Work") == ["other"] && scene.server.subjects().contains("m0"))
    #expect(scene.server.subjects("[Gmail]/All Mail").contains("m0"))
    #expect(scene.server.subjects("[Gmail]/Trash") == [])
  }

  /// An update of Proton's Bridge numbers all messages anew: nothing is fetched again, nothing doubled.
  @Test func allMessagesAreNumberedAnew() throws {
    let scene = try Scene(.protonBridge)
    try scene.expectSettled()
    let before = TreeSnapshot(scene.maildir)
    scene.server.mailboxes = scene.server.mailboxes.map { box in
      var box = box
      box.validity += 1000
      box.uidNext = 1
      for index in box.messages.indices {
        box.messages[index].uid = box.uidNext
        box.uidNext += 1
      }
      return box
    }
    let fetched = scene.server.requests.count { $0.contains("BODY.PEEK[]") }
    try scene.sync()
    #expect(scene.server.requests.count { $0.contains("BODY.PEEK[]") } == fetched)
    try scene.expectSettled()
    let changed = TreeSnapshot(scene.maildir).differences(from: before)
      .filter { !$0.contains("/.magnum") }
    #expect(changed == [])
    #expect(!scene.server.requests.contains { $0.hasPrefix("APPEND") })
  }

  /// 163 is told the program's name on every connection, before anything else is asked.
  @Test func theNameIsToldFirst() throws {
    let scene = try Scene(.netEase)
    try scene.expectSettled()
    // Nobody waits for the answer: the server may hear of it when the program has ended.
    let isTold = Stopwatch.wait(upTo: 10) {
      let requests = scene.server.requests
      let logins = requests.count { $0.hasPrefix("LOGIN ") }
      // A connection that comes too late to be of use asks for nothing.
      let unused = zip(requests, requests.dropFirst())
        .count { $0 == "CAPABILITY" && $1 == "LOGOUT" }
      return requests.count { $0.hasPrefix("ID (") } + unused == logins
        && logins == scene.server.connectionCount
    }
    #expect(isTold, "\(scene.server.requests)")
    #expect(scene.files("&XfJSIJZk-") == [])
  }
}
