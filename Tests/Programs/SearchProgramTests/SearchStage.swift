import TestSupport

/// A Maildir, the programs that search it, and a home of their own.
struct SearchStage {
  let search: ProgramUnderTest
  let magnum: ProgramUnderTest
  let mail: String

  init() throws {
    search = try ProgramUnderTest("magnum-search")
    magnum = try ProgramUnderTest("magnum")
    mail = search.home["mail"]
  }

  /// Makes a folder of the Maildir, where there is none.
  func makeFolder(_ name: String = "INBOX") throws {
    for sub in ["cur", "new", "tmp"] { try Files.makeDirectories("\(mail)/\(name)/\(sub)") }
  }

  /// Configures the account `work` of the Maildir, whose submission server cannot be reached; `more` follows in its section.
  func configureAccount(_ more: String = "") throws {
    try search.configure(
      """
      [account.work]
      address = "b@x.org"
      maildir = "\(mail)"
      smtp = "smtp+plain://127.0.0.1:1"
      smtp-login = "none"
      \(more)

      """
    )
  }

  /// Writes a message; answers name what they answer.
  func deliver(
    _ number: Int,
    answering parent: Int? = nil,
    folder: String = "INBOX",
    flags: String = ""
  ) throws {
    var lines = [
      "From: Writer \(number) <w\(number)@example.org>", "To: reader@example.org",
      "Subject: \(parent == nil ? "" : "Re: ")topic \(parent ?? number)",
      "Message-ID: <m\(number)@x>", "Date: \(1 + number % 28) Jul 2026 10:00:00 +0000",
    ]
    if let parent { lines.append("In-Reply-To: <m\(parent)@x>") }
    lines += ["", "text number\(number)", ""]
    try makeFolder(folder)
    try search.home.write(
      lines.joined(separator: "\n"),
      to: "mail/\(folder)/cur/\(number):2,\(flags)"
    )
  }

  func index(_ arguments: [String] = [], _ variables: [String: String] = [:]) throws -> Outcome {
    try magnum.command(["index", mail] + arguments, variables).run()
  }

  func search(_ arguments: [String]) throws -> Outcome {
    try search.command(["--maildir", mail] + arguments).run()
  }

  /// The lines of an answer.
  func lines(_ arguments: [String]) throws -> [String] {
    try search(arguments).output.split(separator: "\n").map { "\($0)" }
  }
}
