package import Configuration
internal import MailModel
internal import Octets
internal import Platform

/// An account as an mbsyncrc.
package struct MbsyncConfiguration {
  private let account: Account
  private let boxes: [MbsyncBox]

  /// Takes an account, and the mailboxes that have a folder.
  package init(_ account: Account, boxes: [MbsyncBox]) {
    self.account = account
    self.boxes = boxes
  }

  /// What mbsync has no equivalent for, or is left to do.
  package var remarks: [String] {
    var remarks: [String] = []
    switch account.secret {
    case .inline, .withheld:
      remarks.append("the password stands in Magnum's configuration: add a line Pass")
    case .credential(let name):
      remarks.append("the password is a credential of systemd, \(name): add a line PassCmd")
    case .none, .passwordCommand, .tokenCommand, .oauth, .accessToken, .passwordFile: break
    }
    if account.fingerprint != nil {
      remarks.append(
        "tls-fingerprint: put the certificate into a file, and add a line CertificateFile"
      )
    }
    if account.sync.window != .all {
      remarks.append(
        "window: mbsync fetches new messages only, but all of a mailbox that is new to it"
      )
    }
    if let remark = ViewMailboxes(account).remark("Patterns") { remarks.append(remark) }
    if account.sync.localDeletion != .keep {
      remarks.append(
        "mbsync marks the messages of removed files as deleted; it moves none to Trash"
      )
    }
    return remarks
  }

  /// The text of the file.
  package var octets: [UInt8] {
    let sections = [
      server, ["IMAPStore \(quoted("\(account.name)-far"))", "Account \(name)"], maildir,
    ]
    return (sections + channels).map { Array(($0.joined(separator: "\n") + "\n").utf8) }
      .reduce(into: []) { text, section in
        if !text.isEmpty { text.append(ASCII.lineFeed) }
        text += section
      }
  }

  private var name: String { quoted(account.name) }

  // MARK: - Server

  private var server: [String] {
    var lines = ["IMAPAccount \(name)"]
    switch account.server {
    case .imaps(let host, let port): lines += address(host, port, "IMAPS")
    case .startTLS(let host, let port): lines += address(host, port, "STARTTLS")
    case .plain(let host, let port): lines += address(host, port, "None") + ["AuthMechs LOGIN"]
    case .command(let words): lines.append("Tunnel \(quoted(ShellWord.command(words)))")
    case nil: break
    }
    if !account.user.isEmpty { lines.append("User \(quoted(account.user))") }
    lines += secret
    if let file = account.trustFile { lines.append("CertificateFile \(quoted(text(file)))") }
    return lines
  }

  private func address(_ host: String, _ port: UInt16, _ type: String) -> [String] {
    ["Host \(quoted(host))", "Port \(port)", "SSLType \(type)"]
  }

  private var secret: [String] {
    switch account.secret {
    case .passwordCommand(let command): ["PassCmd \(quoted(line(command)))"]
    case .tokenCommand(let command):
      ["PassCmd \(quoted(line(command)))", "AuthMechs XOAUTH2"]
    case .oauth:
      [
        "PassCmd \(quoted(ShellWord.command(["magnum", "accounts", "token", account.name])))",
        "AuthMechs XOAUTH2",
      ]
    case .passwordFile(let path, _):
      ["PassCmd \(quoted("head -n 1 -- \(ShellWord.command([text(path)]))"))"]
    case .accessToken, .inline, .credential, .withheld, .none: []
    }
  }

  private func line(_ command: ChildProcess.Command) -> String {
    switch command {
    case .arguments(let words): ShellWord.command(words)
    case .shell(let line): line
    }
  }

  // MARK: - Folders

  private var maildir: [String] {
    let root = text(account.maildir)
    let head = "MaildirStore \(quoted("\(account.name)-near"))"
    guard account.layout == .verbatim else {
      return [head, "Inbox \(quoted(root))", "SubFolders Maildir++"]
    }
    return [
      head, "Path \(quoted("\(root)/"))", "Inbox \(quoted("\(root)/INBOX"))", "SubFolders Verbatim",
    ]
  }

  /// One channel for all mailboxes whose folders have their names, and one for each other.
  private var channels: [[String]] {
    let others = boxes.filter { !$0.hasOneName }
    let include = account.sync.include.map { pattern($0.octets) }
    // Patterns are for the names of both sides.
    let left = others.flatMap { [decoded($0.far), decoded($0.near)] }
    let views = ViewMailboxes(account).patterns
    let unwanted = (account.sync.exclude + views).map { pattern($0.octets) }
    let exclude = (unwanted + left).map { "!\($0)" }
    let patterns = (include + exclude).map(quoted).joined(separator: " ")
    let all = channel(account.name, far: [], near: [], ["Patterns \(patterns)"])
    let single = others.enumerated().map { number, box in
      channel("\(account.name)-\(number + 1)", far: box.far, near: box.near, [])
    }
    return [all] + single
  }

  private func channel(
    _ name: String,
    far: [UInt8],
    near: [UInt8],
    _ more: [String]
  ) -> [String] {
    [
      "Channel \(quoted(name))",
      "Far \(quoted(":\(account.name)-far:\(decoded(far))"))",
      "Near \(quoted(":\(account.name)-near:\(decoded(near))"))",
    ] + more + rules
  }

  private var rules: [String] {
    [
      "Sync \(kinds)", "Create \(side(account.sync.create))", "Remove \(side(account.sync.remove))",
      "Expunge \(expunged)", "CopyArrivalDate yes", "SyncState *",
    ]
  }

  /// What goes in which direction: all of it, but for removals that are not to reach the other side.
  private var kinds: String {
    let sync = account.sync
    let (pulls, pushes) = (sync.direction != .push, sync.direction != .pull)
    let keepsFiles = pulls && sync.remoteDeletion == .keep
    let keepsMessages = pushes && sync.localDeletion == .keep
    guard keepsFiles || keepsMessages else { return pulls ? pushes ? "All" : "Pull" : "Push" }
    let fromServer = pulls ? ["PullNew", "PullFlags"] + (keepsFiles ? [] : ["PullDelete"]) : []
    let toServer = pushes ? ["PushNew", "PushFlags"] + (keepsMessages ? [] : ["PushDelete"]) : []
    return (fromServer + toServer).joined(separator: " ")
  }

  /// Where messages that are marked as deleted go for good.
  private var expunged: String {
    guard account.sync.expunge == .all else { return "None" }
    let keepsFiles = account.sync.remoteDeletion == .keep
    let keepsMessages = account.sync.localDeletion == .keep
    return keepsFiles ? keepsMessages ? "None" : "Far" : keepsMessages ? "Near" : "Both"
  }

  private func side(_ side: FolderSide) -> String {
    switch side {
    case .none: "None"
    case .local: "Near"
    case .remote: "Far"
    case .both: "Both"
    }
  }

  // MARK: - Words

  /// A pattern in the encoding of the server's names.
  private func pattern(_ octets: [UInt8]) -> String {
    decoded(ModifiedUTF7.encode(octets) ?? octets)
  }

  private func text(_ path: Path) -> String { decoded(path.octets) }

  private func decoded(_ octets: [UInt8]) -> String { String(decoding: octets, as: UTF8.self) }

  /// A word in quotes; quotes and backslashes in it with a backslash before them.
  private func quoted(_ word: String) -> String {
    let escaped = word.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
    return "\"\(String(escaped))\""
  }
}
