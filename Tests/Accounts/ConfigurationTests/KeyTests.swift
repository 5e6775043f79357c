import Glibc
import MailModel
import SpoolPlan
import TestSupport
import Testing

@testable import Configuration

/// The keys of the program, of the manual page and of the example are the same.
@Suite struct KeyTests {
  private static let root = Fixtures.project("")

  /// Every key as the page lists it: `section name`.
  private static let ours = Set(ConfigurationKey.all.map { "\($0.section.rawValue) \($0.name)" })

  @Test func noKeyTwice() {
    #expect(Self.ours.count == ConfigurationKey.all.count)
    for section in KeySection.allCases {
      for inner in section.sections {
        #expect(ConfigurationKey.named(inner, in: section) == nil)
      }
    }
  }

  @Test("the manual page describes every key once, and no other")
  func page() throws {
    let page = try #require(Files.text("\(Self.root)/man/magnum-config.5"))
    let items = Self.items(of: page)
    #expect(Set(items).count == items.count)
    #expect(Self.difference(Set(items), Self.ours) == [])
  }

  @Test("the page lists a key under the heading of its section")
  func pageSections() {
    let page = """
      .It Ic outside
      .Sh KEYS OF ACCOUNTS
      .It Ic a Ar b
      .Sh KEYS OF ROLES
      .It Ic c
      .Sh FILES
      .It Ic d
      """
    #expect(Self.items(of: page) == ["account a", "roles c"])
  }

  @Test("the example holds every key, in use or behind #, and no other")
  func example() throws {
    let example = try #require(Files.text("\(Self.root)/examples/config.toml"))
    #expect(Self.difference(Self.keys(ofExample: example), Self.ours) == [])
  }

  @Test func exampleAsItIs() throws {
    let home = try ConfigurationHome()
    try home.write(try #require(Files.text("\(Self.root)/examples/config.toml")))
    #expect(home.complaint() == nil)
    let configuration = try home.load()
    #expect(configuration.accounts.count >= 2)
  }

  @Test("every line of the example that is behind # can be put to use by itself")
  func exampleLineByLine() throws {
    let example = try #require(Files.text("\(Self.root)/examples/config.toml"))
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false)
    for index in lines.indices where Self.assignment(lines[index])?.isCommented == true {
      var changed = lines
      changed[index] = changed[index].drop { $0 == "#" || $0 == " " }
      let home = try ConfigurationHome()
      try home.write(changed.joined(separator: "\n"))
      let complaint = home.complaint() ?? ""
      let isFine =
        complaint.isEmpty || complaint.contains("conflicts with")
        || complaint.contains("has no effect without")
      #expect(isFine, "\(lines[index]): \(complaint)")
    }
  }

  @Test("a line #key = value shows what holds without it")
  func exampleDefaults() throws {
    let example = try #require(Files.text("\(Self.root)/examples/config.toml"))
    let home = try ConfigurationHome()
    let plain = try Self.settings(example, home)
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false)
    var keys: Set<String> = []
    for index in lines.indices where lines[index].hasPrefix("#") && !lines[index].hasPrefix("# ") {
      guard let key = Self.assignment(lines[index])?.key else { continue }
      keys.insert(String(key))
      var changed = lines
      changed[index].removeFirst()
      let text = changed.joined(separator: "\n")
      #expect(try Self.settings(text, home) == plain, "\(lines[index])")
    }
    #expect(keys.count >= 20, "\(keys.sorted())")
  }

  @Test("what the example has in use is what an account cannot do without")
  func exampleInUse() throws {
    let example = try #require(Files.text("\(Self.root)/examples/config.toml"))
    let used = example.split(separator: "\n").compactMap { Self.assignment($0) }
      .filter { !$0.isCommented }.map(\.key)
    #expect(Set(used) == ["address", "maildir", "imap", "password-command", "smtp"])
  }

  /// What a configuration comes to; of what is tried again, only whether it is the default.
  private static func settings(_ text: String, _ home: ConfigurationHome) throws -> [String] {
    try home.write(text)
    let configuration = try home.load()
    let standard = RetrySchedule.standard
    let senders = configuration.senders.map { sender -> String in
      let retry = sender.retry
      let isDefault =
        [nil, standard.delays].contains(retry.delays)
        && [nil, standard.lifetime].contains(retry.lifetime)
        && [nil, standard.uncertain].contains(retry.uncertain)
      return "\(sender.user) \(sender.addresses) \(sender.copy) \(isDefault)"
    }
    let accounts = configuration.accounts.map { "\($0)" }
    return ["\(configuration.deliveryLog) \(configuration.messageSizeLimit)"] + senders + accounts
  }

  @Test(
    "the configurations that pages show are right",
    arguments: [("config.5", 3), ("oauth.7", 3)]
  )
  func pageBlocks(page: String, count: Int) throws {
    let blocks = try Self.blocks(ofPage: Self.page(page))
    #expect(blocks.count == count)
    for block in blocks {
      let home = try ConfigurationHome()
      try home.write(block)
      #expect(home.complaint() == nil, "\(block)")
    }
  }

  @Test("the line that the page shows for each key is right")
  func pageLines() throws {
    let lines = try Self.lines(ofPage: Self.page())
    let shown = Set(lines.map { "\($0.key.section.rawValue) \($0.key.name)" })
    let known = ConfigurationKey.all.map { "\($0.section.rawValue) \($0.name)" }
    #expect(Self.difference(shown, Set(known)) == [])
    for (key, line) in lines {
      let home = try ConfigurationHome()
      try home.write(Self.account(with: key, line))
      #expect(home.complaint() == nil, "\(line)")
    }
  }

  // MARK: - Reading the page and the example

  private static func page(_ name: String = "config.5") throws -> String {
    let page = try #require(Files.text("\(Self.root)/man/magnum-\(name)"))
    return page.replacing("\\(dq", with: "\"").replacing("\\e", with: "\\")
  }

  /// The configurations among the literal displays of the page.
  private static func blocks(ofPage page: String) -> [String] {
    page.split(separator: ".Bd -literal").dropFirst().compactMap {
      let text = $0.drop { $0 != "\n" }.dropFirst()
      let end = text.firstRange(of: "\n.Ed")?.lowerBound ?? text.endIndex
      let block = String(text.prefix(upTo: end))
      return block.hasPrefix("[") ? block : nil
    }
  }

  /// The examples of single keys: `.Dl key = value` below `.It Ic key`.
  private static func lines(ofPage page: String) -> [(key: ConfigurationKey, line: String)] {
    var section = KeySection.root
    var lines: [(key: ConfigurationKey, line: String)] = []
    for line in page.split(separator: "\n") {
      if line.hasPrefix(".Sh ") { section = headings[String(line.dropFirst(4))] ?? .root }
      guard line.hasPrefix(".Dl ") else { continue }
      let name = String(line.dropFirst(4).prefix { $0 != " " })
      if let key = ConfigurationKey.named(name, in: section) {
        lines.append((key, String(line.dropFirst(4))))
      }
    }
    return lines
  }

  /// A whole account around one key.
  private static func account(with key: ConfigurationKey, _ line: String) -> String {
    var lines = ["[account.work]"]
    if key.name != "maildir" { lines.append("maildir = \"/mail\"") }
    if key.name != "user" { lines.append("user = \"me\"") }
    if key.group != .server { lines.append("imap = \"imaps://imap.example.org\"") }
    if key.group != .secret, key.section != .oauth, key.section != .store {
      lines.append("password-command = \"pass\"")
    }
    if key.name == "send-recipients" {
      lines.append("send-command = [\"msmtp\"]")
    } else if key.group != .submissionServer {
      lines.append("smtp = \"submissions://smtp.example.org\"")
    }
    switch key.section {
    case .root: lines.insert(line, at: 0)
    case .account: lines += (companions[key.name] ?? []) + [line]
    case .oauth:
      lines += ["[account.work.oauth]", line] + companions[key.name, default: providerLines]
    case .store:
      lines += ["[account.work.oauth]"] + providerLines + ["[account.work.oauth.store]", line]
      lines.append(key.name == "read" ? "write = \"cat\"" : "read = \"cat\"")
    case .mailbox: lines += ["[account.work.mailbox.\"Archive/*\"]", line]
    case .crypto: lines += ["[crypto]", line]
    case .calendar: lines += ["[calendar]", line]
    case .accountCrypto: lines += ["[account.work.crypto]", line]
    case .roles, .sync: lines += ["[account.work.\(key.section.rawValue)]", line]
    }
    return lines.joined(separator: "\n")
  }

  private static let providerLines = ["provider = \"google\"", "client-id = \"me\""]

  private static let endpointLines = [
    "token-endpoint = \"https://a.example/\"", "authorization-endpoint = \"https://a.example/\"",
    "client-id = \"me\"",
  ]

  private static let clientLines = providerLines + ["scopes = [\"mail\"]"]
  private static let keyLines =
    clientLines + ["grant = \"client-credentials\"", "client-key-file = \"/k\""]

  /// What a key needs beside it.
  private static let companions = [
    "grant": clientLines + ["client-key-file = \"/k\""],
    "client-key-file": clientLines + ["grant = \"client-credentials\""],
    "client-key-id": keyLines, "client-certificate-file": keyLines,
    "subject": clientLines + ["grant = \"jwt-bearer\"", "client-key-file = \"/k\""],
    "provider": ["client-id = \"me\""], "issuer": [], "client-id": ["provider = \"google\""],
    "tenant": ["provider = \"microsoft\"", "client-id = \"me\""],
    "authorization-endpoint": [endpointLines[0], endpointLines[2]],
    "token-endpoint": [endpointLines[1], endpointLines[2]],
    "device-endpoint": endpointLines, "revocation-endpoint": endpointLines,
    "proxy-user": [
      "proxy = \"http://p.example\"", "proxy-password-command = \"pass proxy\"",
    ],
    "proxy-password-command": ["proxy = \"http://p.example\"", "proxy-user = \"me\""],
    "tls-client-key": ["tls-client-certificate = \"/c\""],
    "tls-client-passphrase-command": ["tls-client-certificate = \"/c\""],
    "smtp-tls-client-key": ["smtp-tls-client-certificate = \"/c\""],
    "smtp-tls-client-passphrase-command": ["smtp-tls-client-certificate = \"/c\""],
  ]

  /// The `.It Ic` items of the sections of keys, with the name of the section.
  private static func items(of page: String) -> [String] {
    var section: KeySection?
    var items: [String] = []
    for line in page.split(separator: "\n") {
      if line.hasPrefix(".Sh ") { section = headings[String(line.dropFirst(4))] }
      let words = line.split(separator: " ")
      if let section, words.starts(with: [".It", "Ic"]), words.count > 2 {
        items.append("\(section.rawValue) \(words[2])")
      }
    }
    return items
  }

  private static let headings: [String: KeySection] = [
    "GLOBAL KEYS": .root,
    "KEYS OF ACCOUNTS": .account,
    "KEYS OF ROLES": .roles,
    "KEYS OF SYNC": .sync,
    "KEYS OF MAILBOXES": .mailbox,
    "KEYS OF OAUTH": .oauth,
    "KEYS OF OAUTH STORES": .store,
    "KEYS OF CRYPTO": .crypto,
    "KEYS OF CALENDAR": .calendar,
    "KEYS OF ACCOUNT CRYPTO": .accountCrypto,
  ]

  private static func keys(ofExample example: String) -> Set<String> {
    var section = KeySection.root
    var keys: Set<String> = []
    for line in example.split(separator: "\n") {
      let text = line.drop { $0 == "#" || $0 == " " }
      if text.hasPrefix("["), let name = text.dropFirst().split(separator: "]").first {
        let last = name.split(separator: ".").last.map { "\($0)" } ?? ""
        section = name.contains(".mailbox.") ? .mailbox : KeySection(rawValue: last) ?? .account
        if section == .crypto, name.hasPrefix("account.") { section = .accountCrypto }
      }
      if let assignment = assignment(line) { keys.insert("\(section.rawValue) \(assignment.key)") }
    }
    return keys
  }

  /// The key of `key = value`, `#key = value` or `# key = value`.
  private static func assignment(_ line: Substring) -> (key: Substring, isCommented: Bool)? {
    let isCommented = line.hasPrefix("#")
    let text = line.drop { $0 == "#" || $0 == " " }
    let key = text.prefix { $0.isLetter || $0 == "-" }
    let rest = text.dropFirst(key.count).drop { $0 == " " }
    return key.isEmpty || !rest.hasPrefix("=") ? nil : (key, isCommented)
  }

  private static func difference(_ theirs: Set<String>, _ ours: Set<String>) -> [String] {
    ours.subtracting(theirs).map { "missing: \($0)" }.sorted()
      + theirs.subtracting(ours).map { "unknown: \($0)" }.sorted()
  }
}
