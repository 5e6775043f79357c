/// The real mutt on a terminal that nobody looks at, with settings and a home of its own.
package struct Mutt: Sendable {
  private let program: String
  private let home: TempDirectory
  private let settings: String
  private let variables: [String: String]

  /// A mutt for the Maildirs below a folder.
  ///
  /// - Parameters:
  ///   - maildir: The folder; it has INBOX and Drafts.
  ///   - settings: More lines of its muttrc.
  /// - Throws: `HarnessError` when its files cannot be written.
  package init(_ maildir: String, _ settings: String = "") throws {
    program = "mutt"
    home = try TempDirectory("mutt")
    variables = ["HOME": home.path]
    let editor = try home.write("#!/bin/sh\necho more text >> \"$1\"\n", to: "editor", mode: 0o755)
    self.settings = try home.write(
      """
      set folder="\(maildir)" spoolfile="+INBOX" postponed="+Drafts" record="" mbox_type=Maildir
      set editor="\(editor)" from="me@example.org" realname="Me" use_domain=no hostname="example.org"
      set confirmappend=no delete=yes move=no quit=yes sort=date sleep_time=0 mail_check=0
      set fast_reply=yes include=yes postpone=yes recall=yes wait_key=no
      \(settings)

      """,
      to: "muttrc"
    )
  }

  /// A mutt or neomutt with the example file, for the account "work" of a program under test.
  ///
  /// - Parameters:
  ///   - program: `mutt` or `neomutt`.
  ///   - user: Whose home it is, where the account's mail lies in `Mail/work`.
  /// - Throws: `HarnessError` when its files cannot be written.
  package init(_ program: String, of user: ProgramUnderTest) throws {
    self.program = program
    home = try TempDirectory("mutt")
    let command = user.command([])
    let path = "\(ProgramUnderTest.products):\(command.environment["PATH"] ?? "")"
    variables = command.environment.merging(["PATH": path]) { _, given in given }
    let editor = try home.write("#!/bin/sh\necho more text >> \"$1\"\n", to: "editor", mode: 0o755)
    settings = try home.write(
      """
      source "\(Fixtures.path("../../examples/muttrc"))"
      set from="me@x.test" editor="\(editor)" use_domain=no hostname="x.test"
      set confirmappend=no delete=yes move=no quit=yes sort=date sleep_time=0 abort_unmodified=no
      set fast_reply=yes include=yes postpone=yes recall=yes wait_key=no copy=yes

      """,
      to: "muttrc"
    )
  }

  /// Opens a folder, types the keys, and leaves.
  ///
  /// - Parameters:
  ///   - keys: In the words of mutt's `push`, such as `<first-entry><delete-message>`.
  ///   - folder: Below the Maildirs' folder.
  /// - Throws: `HarnessError` when it does not end by itself within 20 seconds.
  package func type(_ keys: String, in folder: String = "INBOX") throws {
    let words = ["-n", "-F", settings, "-f", "+\(folder)", "-e", "push '\(keys)<quit>'"]
    var command = Command(program, words)
    command.environment.merge(variables) { _, given in given }
    command.environment["TERM"] = "xterm"
    command.isOnTerminal = true
    command.timeLimit = 20
    let outcome = try command.run()
    guard outcome.code == 0 else { throw HarnessError("\(program): \(keys): \(outcome)") }
  }
}
