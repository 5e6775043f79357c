import Synchronization
import TestSupport
import Testing

/// A user on a server, a home with a configuration for one account "test", and the program.
final class Stage: ServedStage {
  let server: Dovecot
  let user: String
  let program: ProgramUnderTest
  private let keeper: Dovecot

  /// A connection of the test's own to change and read the server.
  private(set) var imap: RawIMAP

  /// Where the account's mail goes.
  var maildir: String { program.home["Mail/test"] }

  var clearPort: UInt16 { server.ports.clear }

  /// Where the program keeps what it knows of the account.
  var state: String { "\(maildir)/.magnum" }

  /// Makes a user of its own, and a configuration that reads the mail over TLS.
  ///
  /// - Parameters:
  ///   - options: The server the program speaks to.
  ///   - store: A server for the test's own connection; the same by default. Another one, such as one that takes
  ///     the test's plain password, keeps the mail and lends it to the first.
  /// - Throws: `HarnessError` when a server does not start.
  init(_ options: DovecotOptions = DovecotOptions(), store: DovecotOptions? = nil) throws {
    server = try Dovecot.shared(options)
    user = Dovecot.freshUser()
    program = try ProgramUnderTest()
    keeper = try store.map { try Dovecot.shared($0) } ?? server
    imap = try RawIMAP(keeper, user: user)
    if keeper !== server {
      try Command.shell(
        "ln -s \"$1/mail/$3\" \"$2/mail/$3\"",
        [keeper.folder, server.folder, user]
      )
    }
    try configure()
  }

  /// Does something while the test's own connection is closed.
  func reconnect(_ body: () throws -> Void) throws {
    try imap.command("LOGOUT")
    try body()
    imap = try RawIMAP(keeper, user: user)
  }

  /// Writes the configuration anew.
  ///
  /// - Parameters:
  ///   - url: The server; nil for TLS to this stage's.
  ///   - secret: The line that names the password.
  ///   - account: More lines of the account.
  ///   - sync: The lines of its sync section.
  ///   - isIndexed: Whether the runs make an index; not by default, for the sake of time.
  /// - Throws: `HarnessError` when the file cannot be written.
  func configure(
    url: String? = nil,
    secret: String = "password = \"pass\"",
    account: String = "",
    sync: String = "",
    isIndexed: Bool = false
  ) throws {
    let url = url ?? server.tlsURL
    let trust = url.hasPrefix("imap+plain") ? "" : "tls-ca-file = \"\(server.trustFile)\""
    try program.configure(
      """
      [account.test]
      maildir = "~/Mail/test"
      imap = "\(url)"
      user = "\(user)"
      \(secret)
      \(trust)
      index = \(isIndexed)
      \(account)

      [account.test.sync]
      \(sync)

      """
    )
  }

  /// Runs the program.
  func sync(
    _ arguments: String...,
    variables: [String: String] = [:],
    timeLimit: Double = 60
  ) throws -> Outcome {
    var command = program.command(arguments, variables)
    command.timeLimit = timeLimit
    return try command.run()
  }

  /// Runs magnum.
  func magnum(_ arguments: String...) throws -> Outcome {
    var command = program.command(arguments)
    command.program = "\(ProgramUnderTest.products)/magnum"
    return try command.run()
  }

  /// Runs the program and expects that all is well.
  @discardableResult
  func syncWell(
    _ arguments: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let outcome = try program.command(arguments).run()
    #expect(outcome.code == 0, "\(outcome)", sourceLocation: sourceLocation)
    return outcome
  }

  /// Runs until nothing is left to learn: the last run trusts the fingerprints of directories.
  func settle(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try syncWell(sourceLocation: sourceLocation)
    let last = try program.trustingCommand([]).run()
    #expect(last.code == 0, "\(last)", sourceLocation: sourceLocation)
  }

  /// The local mail.
  var tree: MaildirTree { MaildirTree(maildir) }

  /// Expects that the local mail is exactly the server's.
  func expectMirrored(
    directory: (String) -> String = { $0 },
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let differences = tree.differences(from: try imap.everything(), directory: directory)
    #expect(differences == [], sourceLocation: sourceLocation)
  }

  /// The text of all state files, to look for what is kept there.
  func stateText() -> String {
    Files.names(in: "\(state)/mailboxes").map { name in
      Files.text("\(state)/mailboxes/\(String(decoding: name, as: UTF8.self))") ?? ""
    }.joined()
  }

  /// Some mail in a few mailboxes: what most tests start from.
  func fill(seed: UInt64 = 1, inbox: Int = 12, other: Int = 5) throws {
    var corpus = Corpus(seed: seed)
    try imap.append(corpus.take(inbox))
    try imap.create("Lists/swift")
    try imap.create("Archive")
    try imap.append(corpus.take(other), to: "Lists/swift", flags: "\\Seen")
    try imap.append(corpus.take(other), to: "Archive", flags: "\\Seen \\Answered")
  }
}

extension Stage {
  /// Runs until all is done, two times at most; then both sides hold the same, and another run changes no mail.
  ///
  /// - Returns: What the server has, as ``contents()``.
  @discardableResult
  func expectSettled(
    _ place: @autoclosure () -> String = "",
    _ arguments: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String: [String]] {
    let command = program.command(["-v"] + arguments)
    var last = try command.run()
    try #require(last.code == 0, "\(place()): then: \(last)", sourceLocation: sourceLocation)
    last = try command.run()
    try #require(last.code == 0, "\(place()): then: \(last)", sourceLocation: sourceLocation)
    let imap = try RawIMAP(server, user: user)
    let there = try imap.everything()
    let differences = tree.differences(from: there)
    try #require(differences == [], "\(place()): then: \(last)", sourceLocation: sourceLocation)
    let leftovers = tree.mailboxes.keys.filter { !Files.names(in: "\(maildir)/\($0)/tmp").isEmpty }
    try #require(leftovers == [], "\(place())", sourceLocation: sourceLocation)
    let files = TreeSnapshot(maildir)
    let further = try command.run()
    try #require(
      further.code == 0,
      "\(place()): a further run: \(further)",
      sourceLocation: sourceLocation
    )
    let changed = TreeSnapshot(maildir).differences(from: files).filter { !$0.contains("/.magnum") }
    try #require(changed == [], "\(place()): a further run", sourceLocation: sourceLocation)
    try #require(
      try imap.everything() == there,
      "\(place()): a further run",
      sourceLocation: sourceLocation
    )
    return Self.lines(of: there)
  }

  /// What the server has, a line a message, whatever the UIDs.
  func contents() throws -> [String: [String]] {
    Self.lines(of: try RawIMAP(server, user: user).everything())
  }

  private static func lines(of mailboxes: [String: [RawIMAP.Message]]) -> [String: [String]] {
    mailboxes.mapValues { messages in
      messages.map { message in
        "\(message.flags) \(TreeSnapshot.hash(message.body)) Subject: \(message.subject)"
      }.sorted()
    }
  }

  /// One run over a single connection in which another client of the server acts before a command with these words.
  func sync(
    before words: String,
    sync lines: String = "",
    variables: [String: String] = [:],
    _ act: @escaping @Sendable (RawIMAP) throws -> Void
  ) throws -> Outcome {
    let (port, user) = (server.ports.clear, user)
    let failure = Mutex<String?>(nil)
    let proxy = try MeddlingProxy(to: port, before: words) {
      do { try act(try RawIMAP(port: port, user: user)) } catch {
        failure.withLock { $0 = "\(error)" }
      }
    }
    let settings = "connections = 1\n\(lines)"
    try configure(url: "imap+plain://127.0.0.1:\(proxy.port)", sync: settings)
    let outcome = try sync("-v", "--trace", variables: variables)
    #expect(proxy.hasActed, "\(outcome)")
    #expect(failure.withLock { $0 } == nil)
    try configure(url: server.clearURL, sync: settings)
    return outcome
  }

  /// Where a message is on the server, with its flags.
  func places(of subject: String) throws -> [String] {
    try imap.everything().flatMap { mailbox, messages in
      messages.filter {
        String(decoding: $0.body, as: UTF8.self).contains("Subject: \(subject)\r\n")
      }.map { "\(mailbox) [\(MaildirTree.letters($0.flags))]" }
    }.sorted()
  }

  /// Expects that the server lacks just so many mails of a mailbox, and has nothing that is not here.
  func expectMirroredOtherwise(
    lacking count: Int,
    in mailbox: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let differences = tree.differences(from: try imap.everything())
    #expect(differences.count == count, sourceLocation: sourceLocation)
    #expect(
      differences.allSatisfy { $0.hasPrefix("\(mailbox): too many") },
      "\(differences)",
      sourceLocation: sourceLocation
    )
  }
}

/// A short mail with a subject to be found again.
func mail(_ subject: String, body: String = "text") -> [UInt8] {
  let lines = [
    "From: a@example.org", "Date: Mon, 06 Jan 2025 12:00:00 +0000", "Subject: \(subject)",
    "Message-ID: <\(subject.utf8.map { String($0, radix: 16) }.joined())@example.org>", "", body,
    "",
  ]
  return Array(lines.joined(separator: "\r\n").utf8)
}
