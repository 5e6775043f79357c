import TestSupport
import Testing

/// magnum index with filters for attachments: what it finds, and what it says of filters that do not work.
@Suite struct AttachmentTextTests {
  private let magnum: ProgramUnderTest
  private let search: ProgramUnderTest

  init() throws {
    magnum = try ProgramUnderTest("magnum")
    search = try ProgramUnderTest("magnum-search")
    for (number, text) in [(1, "apple"), (2, "pear")] {
      for sub in ["new", "tmp"] { try Files.makeDirectories("\(magnum.home["mail"])/INBOX/\(sub)") }
      try magnum.home.write(
        """
        Message-ID: <m\(number)@x>
        Date: 1 Jul 2026 10:00:00 +0000
        Subject: mail
        Content-Type: application/x-fruit
        Content-Transfer-Encoding: base64

        \(Self.base64[text] ?? "")

        """,
        to: "mail/INBOX/cur/\(number):2,"
      )
    }
  }

  private static let base64 = ["apple": "YXBwbGUK", "pear": "cGVhcgo="]

  private func configure(_ command: String, _ more: String = "") throws -> String {
    try magnum.configure(
      """
      \(more)
      [index-filter]
      "application/x-fruit" = \(command)
      [account.work]
      maildir = "\(magnum.home["mail"])"
      """
    )
  }

  private func found(_ word: String) throws -> String {
    try search.run("--maildir", magnum.home["mail"], "--output", "messages", word).output
  }

  @Test func textOfAttachmentsIsFound() throws {
    _ = try configure("[\"sed\", \"s/apple/apricot/\"]")
    let outcome = try magnum.run("index")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(outcome.output.hasPrefix("work  +2 new  text of 2 attachments  "), "\(outcome.output)")
    #expect(try found("apricot") == "id:m1@x\n" && found("pear") == "id:m2@x\n")
    #expect(try magnum.run("index").output.hasPrefix("work  nothing new  "))
    let json = try ParsedJSON(magnum.run("index", "--rebuild", "--json").output)
    #expect(json["texts"] == .number("2") && json["without-text"] == .number("0"))
  }

  @Test func aFailureIsSaidOnce() throws {
    _ = try configure("[\"sh\", \"-c\", \"grep -v apple\"]")
    let outcome = try magnum.run("index")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("text of 1 attachments  1 attachments without text"))
    #expect(
      outcome.errors
        == "magnum index: work: sh ended with status 1 on an attachment of id:m1@x, and no text was taken\n"
    )
    #expect(try magnum.run("index").errors == "")
    #expect(try found("pear") == "id:m2@x\n")
  }

  @Test func aProgramThatIsMissingIsSaid() throws {
    _ = try configure("[\"\(magnum.home["bin"])/filter\"]")
    let outcome = try magnum.run("index")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("the filter for application/x-fruit cannot be started: execve"))
    #expect(outcome.errors.contains("a confined filter sees no home directory"))
    #expect(try magnum.run("index").errors == "", "it is said once a day")
    #expect(try magnum.run("index", "--account", "work").errors == outcome.errors, "but when asked")
    #expect(try found("mail") == "id:m1@x\nid:m2@x\n" || found("mail") == "id:m2@x\nid:m1@x\n")
  }

  /// A namespace in which no further ones can be made is such a system.
  @Test func whereNamespacesAreRefusedNoFilterRuns() throws {
    let file = try configure("[\"cat\"]")
    let line = "echo 0 >/proc/sys/user/max_user_namespaces && exec \"$0\" index"
    func run() throws -> Outcome {
      var command = magnum.command([])
      command.arguments = ["--user", "--map-root-user", "sh", "-c", line, command.program]
      command.program = "unshare"
      return try command.run()
    }
    let outcome = try run()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.errors.contains("the filters for attachments do not run"))
    #expect(outcome.errors.split(separator: "\n").count == 2, "\(outcome.errors)")
    #expect(try found("apple") == "" && found("mail") != "")
    let text = try #require(Files.text(file))
    try magnum.configure("index-filter-unconfined = true\n" + text)
    #expect(try run().code == 0)
    #expect(try found("apple") == "id:m1@x\n")
  }
}
