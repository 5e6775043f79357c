/// The real mutt on a terminal that nobody looks at, with settings and a home of its own.
package struct Mutt: Sendable {
  private let home: TempDirectory
  private let settings: String

  /// A mutt for the Maildirs below a folder.
  ///
  /// - Parameters:
  ///   - maildir: The folder; it has INBOX and Drafts.
  ///   - settings: More lines of its muttrc.
  /// - Throws: `HarnessError` when its files cannot be written.
  package init(_ maildir: String, _ settings: String = "") throws {
    home = try TempDirectory("mutt")
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

  /// Opens a folder, types the keys, and leaves.
  ///
  /// - Parameters:
  ///   - keys: In the words of mutt's `push`, such as `<first-entry><delete-message>`.
  ///   - folder: Below the Maildirs' folder.
  /// - Throws: `HarnessError` when it does not end by itself within 20 seconds.
  package func type(_ keys: String, in folder: String = "INBOX") throws {
    let words = ["-n", "-F", settings, "-f", "+\(folder)", "-e", "push '\(keys)<quit>'"]
    var command = Command("mutt", words)
    command.environment["HOME"] = home.path
    command.environment["TERM"] = "xterm"
    command.isOnTerminal = true
    command.timeLimit = 20
    let outcome = try command.run()
    guard outcome.code == 0 else { throw HarnessError("mutt: \(keys): \(outcome)") }
  }
}
