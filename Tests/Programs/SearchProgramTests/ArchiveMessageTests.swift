import TestSupport
import Testing

/// Messages that only an archive has: answered, passed on, and their attachments saved, as if they were here.
@Suite struct ArchiveMessageTests {
  private static let mail = """
    From: Ada <ada@x.org>
    To: me@x.test
    Subject: lunch
    Message-ID: <there@x.org>
    Date: 1 Jul 2026 10:00:00 +0000
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary=b

    --b
    Content-Type: text/plain

    Shall we?
    --b
    Content-Type: application/pdf; name="../menu.pdf"
    Content-Disposition: attachment
    Content-Transfer-Encoding: base64

    JVBERg==
    --b--

    """

  private let magnum: ProgramUnderTest

  /// An account with one message, and an archive with two, of which one has an attachment.
  init() throws {
    magnum = try ProgramUnderTest("magnum")
    try write(Self.mail.replacing("there@", with: "here@"), to: "mail/INBOX")
    try write(Self.mail, to: "there/INBOX")
    try write(Self.mail.replacing("there@", with: "other@"), to: "there/Old")
    try configure(
      "\"\(ProgramUnderTest.products)/magnum-search\", \"--serve\", \"--maildir\", "
        + "\"\(magnum.home["there"])\""
    )
    for folder in ["mail", "there"] {
      #expect(try magnum.run("index", magnum.home[folder]).code == 0)
    }
  }

  private func write(_ message: String, to folder: String) throws {
    for sub in ["cur", "new", "tmp"] {
      try Files.makeDirectories(magnum.home["\(folder)/\(sub)"])
    }
    try magnum.home.write(message, to: "\(folder)/cur/1:2,S")
  }

  private func configure(_ command: String) throws {
    try magnum.configure(
      """
      [account.here]
      address = "me@x.test"
      maildir = "\(magnum.home["mail"])"
      smtp = "smtp+plain://127.0.0.1:1"
      [archive.old]
      command = [\(command)]
      """
    )
  }

  private func saved(_ folder: String) -> [String: String] {
    var files: [String: String] = [:]
    for name in Files.names(in: magnum.home[folder]).map({ String(decoding: $0, as: UTF8.self) }) {
      files[name] = Files.text(magnum.home["\(folder)/\(name)"])
    }
    return files
  }

  @Test func attachmentsAreListedAndSaved() throws {
    let list = try magnum.run("attachments", "id:there@x.org")
    #expect(list.code == 0 && list.output.contains("2  application/pdf  4 B"), "\(list)")
    try Files.makeDirectories(magnum.home["out"])
    let save = try magnum.run("attachments", "save", "--to", magnum.home["out"], "id:there@x.org")
    #expect(save.code == 0, "\(save)")
    #expect(saved("out").count == 1 && saved("out").values.first == "%PDF")
    #expect(saved("out").keys.allSatisfy { $0.hasSuffix("menu.pdf") && !$0.contains("/") })
    let fetch = try magnum.run("attachments", "fetch", "id:there@x.org")
    #expect(fetch.code == 0, "\(fetch)")
  }

  @Test func theyAreAnsweredAndPassedOn() throws {
    let reply = try magnum.run("reply", "--print", "id:there@x.org")
    #expect(reply.code == 0, "\(reply)")
    for words in ["To: Ada <ada@x.org>", "In-Reply-To: <there@x.org>", "> Shall we?"] {
      #expect(reply.output.contains(words), "\(reply)")
    }
    let forward = try magnum.run("forward", "--print", "--to", "bob@x.org", "id:there@x.org")
    #expect(forward.code == 0 && forward.output.contains("JVBERg=="), "\(forward)")
  }

  /// A message of this machine is meant before one of an archive.
  @Test func archivesAreAskedWhereNothingIsFoundHere() throws {
    #expect(try magnum.run("attachments", "subject:lunch").code == 0)
    #expect(try magnum.run("attachments", "--account", "here", "id:there@x.org").code == 1)
    #expect(try magnum.run("attachments", "--account", "old", "id:there@x.org").code == 0)
    let several = try magnum.run("attachments", "--account", "old", "subject:lunch")
    #expect(
      several.code == 65 && several.errors.contains("the query finds 2 messages"),
      "\(several)"
    )
    let none = try magnum.run("reply", "--print", "id:nowhere@x.org")
    #expect(none.code == 1 && none.errors.contains("no message found"), "\(none)")
  }

  /// What is here works without the archive, and what is there is not found.
  @Test func anArchiveThatIsOutIsSaid() throws {
    try configure("\"false\"")
    #expect(try magnum.run("reply", "--print", "id:here@x.org").errors.isEmpty)
    let reply = try magnum.run("reply", "--print", "id:there@x.org")
    #expect(reply.code == 1, "\(reply)")
    #expect(reply.errors.contains("archive old: left out: its command ended"), "\(reply)")
  }

  /// The message without its attachment, of that id, sealed by the account of that root.
  private func partial(_ id: String, root: String) throws -> String {
    try SealedMark.writeKey(root: magnum.home[root])
    let part = """
      Content-Type: message/external-body; access-type="x-magnum"; section="2"; size="8"

      Content-Type: application/pdf; name=menu.pdf

      --b--
      """
    let start = try #require(Self.mail.firstRange(of: "Content-Type: application/pdf"))
    let mail = try SealedMark.field(id) + Self.mail[..<start.lowerBound] + part
    return mail.replacing("there@x.org", with: id)
  }

  /// Of a message that lies in several folders, a file that has its attachment counts, there and here.
  @Test(arguments: ["Again", "Zzz"])
  func aWholeFileCountsBeforeOneWithoutAttachments(_ folder: String) throws {
    for (root, id) in [("there", "there@x.org"), ("mail", "here@x.org")] {
      try write(try partial(id, root: root), to: "\(root)/INBOX")
      try write(Self.mail.replacing("there@x.org", with: id), to: "\(root)/\(folder)")
      #expect(try magnum.run("index", magnum.home[root]).code == 0)
    }
    for id in ["id:there@x.org", "id:here@x.org"] {
      let forward = try magnum.run("forward", "--print", "--to", "bob@x.org", id)
      #expect(forward.code == 0 && forward.output.contains("JVBERg=="), "\(forward)")
      let list = try magnum.run("attachments", id)
      #expect(list.output.contains("4 B") && !list.output.contains("on the server"), "\(list)")
      let show = try magnum.run("show", id)
      #expect(!show.output.contains("on the server"), "\(show)")
    }
  }

  /// A file without attachments there: its server is not known here.
  @Test func whatTheArchiveHasNotIsNotFetched() throws {
    Files.removeTree(magnum.home["there/INBOX/cur/1:2,S"])
    try write(try partial("there@x.org", root: "there"), to: "there/Part")
    #expect(try magnum.run("index", magnum.home["there"]).code == 0)
    let save = try magnum.run("attachments", "save", "id:there@x.org")
    #expect(save.code == 65, "\(save)")
    #expect(save.errors.contains("id:there@x.org: it lies in no Maildir of an account"), "\(save)")
    let forward = try magnum.run("forward", "--print", "--to", "bob@x.org", "id:there@x.org")
    #expect(forward.code == 65 && forward.errors.contains("only on the server"), "\(forward)")
  }
}
