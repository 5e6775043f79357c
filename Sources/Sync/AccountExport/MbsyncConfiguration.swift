package import Configuration
internal import MailModel
internal import Octets
internal import Platform

/// An account as an mbsyncrc.
package struct MbsyncConfiguration {
  private let account: Account
  private let boxes: [MbsyncBox]
  private let left: [[UInt8]]
  private let style: MbsyncFolderStyle
  private let names: ServerNames

  /// Takes an account, the mailboxes that have a folder, and those of them that mbsync cannot name.
  package init(
    _ account: Account,
    boxes: [MbsyncBox],
    left: [[UInt8]],
    style: MbsyncFolderStyle,
    names: ServerNames
  ) {
    self.account = account
    self.boxes = boxes
    self.left = left
    self.style = style
    self.names = names
  }

  /// What mbsync has no equivalent for, or is left to do.
  package var remarks: [String] {
    var remarks = left.map {
      "mbsync cannot have the mailbox \(Printable.text($0)): it is left out"
    }
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
    if account.clientCertificate?.passphrase != nil {
      remarks.append("the key of the client certificate has a passphrase: mbsync asks for it")
    }
    if account.proxy != nil {
      remarks.append("mbsync knows no proxy: add a line Tunnel with a command that uses it")
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
    let sections = [server, far] + outside + [maildir]
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
    case .command(let words):
      lines.append("Tunnel \(quoted(ShellWord.oneLine(ShellWord.command(words))))")
    case nil: break
    }
    if !account.user.isEmpty { lines.append("User \(quoted(account.user))") }
    lines += secret
    if let file = account.trustFile { lines.append("CertificateFile \(quoted(text(file)))") }
    if let certificate = account.clientCertificate {
      lines.append("ClientCertificate \(quoted(text(certificate.certificate)))")
      lines.append("ClientKey \(quoted(text(certificate.keyFile)))")
    }
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
    case .arguments(let words): ShellWord.oneLine(ShellWord.command(words))
    case .shell(let line): ShellWord.oneLine(line)
    }
  }

  // MARK: - Mailboxes

  /// mbsync takes the server's prefix from all names unless it is told not to.
  private var far: [String] {
    let lines = ["IMAPStore \(quoted("\(account.name)-far"))", "Account \(name)"]
    return names.keepsPrefix ? lines + ["UseNamespace no"] : lines
  }

  /// The store of mailboxes outside of the prefix.
  private var outside: [[String]] {
    guard boxes.contains(where: \.isOutside) else { return [] }
    return [
      ["IMAPStore \(quoted("\(account.name)-outside"))", "Account \(name)", "UseNamespace no"]
    ]
  }

  // MARK: - Channels

  private var maildir: [String] {
    let root = text(account.maildir)
    let head = ["MaildirStore \(quoted("\(account.name)-near"))"]
    guard account.layout == .verbatim else {
      return head + ["Inbox \(quoted(root))"] + style.lines
    }
    return head + ["Path \(quoted("\(root)/"))", "Inbox \(quoted("\(root)/INBOX"))"] + style.lines
  }

  /// One channel for all mailboxes whose folders have their names, one for each other, and one for those that a section of
  /// their own is about.
  private var channels: [[String]] {
    let others = boxes.filter { !$0.hasOneName }
    let selected = others.filter { account.sync.selects($0.names) }
    let singles = selected.enumerated().map { number, box in
      channel(
        "\(account.name)-\(number + 1)",
        far: ":\(account.name)-\(box.isOutside ? "outside" : "far"):\(decoded(box.far))",
        near: decoded(box.near),
        rules(account.sync.settings(of: box.names))
      )
    }
    // Patterns are for the names of both sides.
    let left = others.flatMap { [decoded($0.far), decoded($0.near)] }
    let unwanted = (account.sync.exclude + ViewMailboxes(account).patterns).flatMap(forms) + left
    let own = account.sync.mailboxes
    let exclude = (own.flatMap { forms($0.pattern) } + unwanted).map { "!\($0)" }
    let all = wanted(account.sync.include) + exclude
    let specials = own.enumerated().compactMap { number, mailbox in
      special(mailbox, number, before: own.prefix(number).map(\.pattern), unwanted)
    }
    return [channel(account.name, patterns: all, rules(account.sync))] + specials + singles
  }

  /// The channel for a section of mailboxes.
  private func special(
    _ mailbox: MailboxSettings,
    _ number: Int,
    before: [MailboxPattern],
    _ unwanted: [String]
  ) -> [String]? {
    let include = account.sync.include.entries
    let keptOut = include.filter { !$0.admits }.map(\.pattern)
    let isForAll = include.first?.pattern == MailboxPattern("*")
    let wanted: [String]
    if isForAll {
      wanted = forms(mailbox.pattern) + keptOut.flatMap(forms).map { "!\($0)" }
    } else {
      // Of what include names, those that are here.
      wanted = boxes.filter {
        mailbox.pattern.matches(anyOf: $0.names) && account.sync.include.admit(anyOf: $0.names)
      }.map { decoded($0.far) }
    }
    guard !wanted.isEmpty else { return nil }
    let exclude = (before.flatMap(forms) + unwanted).map { "!\($0)" }
    return channel(
      "\(account.name)-own-\(number + 1)",
      patterns: wanted + exclude,
      rules(account.sync.settings(from: mailbox))
    )
  }

  private func channel(_ name: String, patterns: [String], _ rules: [String]) -> [String] {
    let line = "Patterns \(patterns.map(quoted).joined(separator: " "))"
    return channel(name, far: ":\(account.name)-far:", near: "", [line] + rules)
  }

  private func channel(
    _ name: String,
    far: String,
    near: String,
    _ more: [String]
  ) -> [String] {
    [
      "Channel \(quoted(name))", "Far \(quoted(far))",
      "Near \(quoted(":\(account.name)-near:\(near)"))",
    ] + more
  }

  private func wanted(_ include: OrderedPatterns) -> [String] {
    let texts = include.entries.flatMap { entry in
      forms(entry.pattern).map { entry.admits ? $0 : "!\($0)" }
    }
    // Where the inbox is not below the prefix, no wildcard finds it.
    let isInbox = account.sync.include.admit(anyOf: [Array("INBOX".utf8)])
    return isInbox && !names.hidden.isEmpty && !texts.contains("INBOX") ? ["INBOX"] + texts : texts
  }

  private func rules(_ settings: SyncSettings) -> [String] {
    [
      "Sync \(kinds(settings))", "Create \(side(settings.create))",
      "Remove \(side(settings.remove))", "Expunge \(expunged(settings))", "CopyArrivalDate yes",
      "SyncState *",
    ]
  }

  /// What goes in which direction: all of it, except for removals that are not to reach the other side.
  private func kinds(_ sync: SyncSettings) -> String {
    let (pulls, pushes) = (sync.direction != .push, sync.direction != .pull)
    let keepsFiles = pulls && sync.remoteDeletion == .keep
    let keepsMessages = pushes && sync.localDeletion == .keep
    guard keepsFiles || keepsMessages else { return pulls ? pushes ? "All" : "Pull" : "Push" }
    let fromServer = pulls ? ["PullNew", "PullFlags"] + (keepsFiles ? [] : ["PullDelete"]) : []
    let toServer = pushes ? ["PushNew", "PushFlags"] + (keepsMessages ? [] : ["PushDelete"]) : []
    return (fromServer + toServer).joined(separator: " ")
  }

  /// Where messages that are marked as deleted go for good.
  private func expunged(_ sync: SyncSettings) -> String {
    guard sync.expunge == .all else { return "None" }
    let keepsFiles = sync.remoteDeletion == .keep
    let keepsMessages = sync.localDeletion == .keep
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

  /// The forms in which names of mbsync fit a pattern.
  private func forms(_ pattern: MailboxPattern) -> [String] {
    names.forms(of: pattern).map { self.pattern($0) }
  }

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
