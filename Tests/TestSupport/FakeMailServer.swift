import Synchronization

/// A made-up mail server with just enough IMAP to be mirrored, for mail and names that Dovecot would refuse.
///
/// It answers any command in good order; a test bends single answers through `override`.
package final class FakeMailServer: Sendable {
  /// A mail on the server.
  package struct Mail: Sendable {
    /// The UID.
    package var uid: UInt32
    /// The flags as sent.
    package var flags: String
    /// The octets.
    package var body: [UInt8]

    /// A mail; the body is text with CR LF.
    package init(_ uid: UInt32, flags: String = "", _ body: String) {
      self.init(uid, flags: flags, octets: Array(body.utf8))
    }

    /// A mail of any octets.
    package init(_ uid: UInt32, flags: String = "", octets: [UInt8]) {
      self.uid = uid
      self.flags = flags
      body = octets
    }
  }

  /// A mailbox on the server.
  package struct Mailbox: Sendable {
    /// The name as it stands in LIST, quotes or literal included.
    package var listed: String
    /// The name as the client sends it, without quotes.
    package var name: String
    /// The attributes in LIST.
    package var attributes = "\\HasNoChildren"
    /// UIDVALIDITY.
    package var validity: UInt32 = 1
    /// HIGHESTMODSEQ; nil where the server keeps none.
    package var modSequence: UInt64?
    /// The mails in the order of their UIDs.
    package var mails: [Mail]

    /// A mailbox whose name needs no escapes.
    package init(_ name: String, _ mails: [Mail] = []) {
      self.name = name
      self.mails = mails
      listed = "\"\(name)\""
    }
  }

  /// What the server has; a test may change it between runs.
  package var mailboxes: [Mailbox] {
    get { store.withLock { $0.mailboxes } }
    set { store.withLock { $0.mailboxes = newValue } }
  }

  /// The commands that came, in the order of their arrival.
  package var requests: [String] { server.requests }

  /// The URL for a configuration file.
  package var clearURL: String { server.clearURL }

  /// Where it listens.
  package var port: UInt16 { server.port }

  /// How many connections came.
  package var connectionCount: Int { server.connectionCount }

  private let store: Store
  private let server: ScriptedServer

  /// Starts the server.
  ///
  /// - Parameters:
  ///   - mailboxes: What it has.
  ///   - capabilities: What it announces.
  ///   - delimiter: The hierarchy separator.
  ///   - greetings: What it does in place of its greeting when the connection of that number comes.
  ///   - override: Answers a command in place of the server; nil leaves it to the server.
  /// - Throws: `HarnessError` when it cannot listen.
  package init(
    _ mailboxes: [Mailbox],
    capabilities: String = "IMAP4rev1 SASL-IR AUTH=PLAIN LITERAL+ UIDPLUS ESEARCH LIST-STATUS",
    delimiter: String = "/",
    greetings: [Int: [ScriptedServer.Action]] = [:],
    override: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Action]? = { _ in nil
    }
  ) throws {
    let store = Store(mailboxes: mailboxes, capabilities: capabilities, delimiter: delimiter)
    self.store = store
    let ready = ScriptedServer.Action.lines("* OK [CAPABILITY \(capabilities)] ready")
    server = try ScriptedServer(greetingOf: { greetings[$0] ?? [ready] }) {
      override($0) ?? store.answer($0)
    }
  }

  /// The mailboxes and what each connection has selected.
  private final class Store: Sendable {
    struct Content: Sendable {
      var mailboxes: [Mailbox]
      var selected: [Int: String] = [:]
    }

    private let content: Mutex<Content>
    private let capabilities: String
    private let delimiter: String

    init(mailboxes: [Mailbox], capabilities: String, delimiter: String) {
      content = Mutex(Content(mailboxes: mailboxes))
      self.capabilities = capabilities
      self.delimiter = delimiter
    }

    func withLock<R>(_ body: (inout Content) -> R) -> R {
      content.withLock { body(&$0) }
    }

    func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Action] {
      switch request.name {
      case "CAPABILITY": [.lines("* CAPABILITY \(capabilities)", "{tag} OK")]
      case "AUTHENTICATE", "LOGIN": [.lines("{tag} OK [CAPABILITY \(capabilities)] in")]
      case "LOGOUT": [.lines("* BYE", "{tag} OK"), .close]
      case "LIST": list(withStatus: request.text.uppercased().contains("STATUS"))
      case "STATUS": status(request)
      case "SELECT", "EXAMINE": select(request)
      case "UID FETCH": fetch(request)
      case "UID SEARCH": search(request)
      case "ENABLE": [.lines("* ENABLED \(request.text.dropFirst(7))", "{tag} OK")]
      case "NOOP", "UNSELECT", "CLOSE", "CHECK", "ID": [.lines("{tag} OK")]
      default: [.lines("{tag} BAD unknown command")]
      }
    }

    private func list(withStatus: Bool) -> [ScriptedServer.Action] {
      let lines = withLock(\.mailboxes).flatMap { box in
        let entry = "* LIST (\(box.attributes)) \"\(delimiter)\" \(box.listed)\r\n"
        let isSelectable = !box.attributes.contains("\\Noselect")
        return [entry] + (withStatus && isSelectable ? [Self.status(of: box)] : [])
      }
      return [.send(lines.joined()), .lines("{tag} OK")]
    }

    private static func status(of box: Mailbox) -> String {
      let next = (box.mails.map(\.uid).max() ?? 0) + 1
      let sequence = box.modSequence.map { " HIGHESTMODSEQ \($0)" } ?? ""
      return "* STATUS \(box.listed)"
        + " (MESSAGES \(box.mails.count) UIDNEXT \(next) UIDVALIDITY \(box.validity)\(sequence))\r\n"
    }

    private func mailbox(named text: String) -> Mailbox? {
      withLock(\.mailboxes).sorted { $0.name.count > $1.name.count }.first { box in
        text.contains("\"\(box.name)\"") || text.contains(" \(box.name)")
      }
    }

    private func status(_ request: ScriptedServer.Request) -> [ScriptedServer.Action] {
      guard let box = mailbox(named: request.text) else {
        return [.lines("{tag} NO no such mailbox")]
      }
      return [.send(Self.status(of: box)), .lines("{tag} OK")]
    }

    private func select(_ request: ScriptedServer.Request) -> [ScriptedServer.Action] {
      guard let box = mailbox(named: request.text) else {
        return [.lines("{tag} NO no such mailbox")]
      }
      withLock { $0.selected[request.connection] = box.name }
      return [
        .lines(
          "* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)",
          "* \(box.mails.count) EXISTS",
          "* OK [UIDVALIDITY \(box.validity)]",
          "* OK [UIDNEXT \((box.mails.map(\.uid).max() ?? 0) + 1)]",
          box.modSequence.map { "* OK [HIGHESTMODSEQ \($0)]" } ?? "* OK [NOMODSEQ]",
          "{tag} OK [READ-ONLY]"
        )
      ]
    }

    private func selectedMails(_ connection: Int) -> [Mail] {
      withLock { content in
        content.mailboxes.first { $0.name == content.selected[connection] }?.mails ?? []
      }
    }

    private func search(_ request: ScriptedServer.Request) -> [ScriptedServer.Action] {
      let words = request.text.uppercased().split(separator: " ")
      let flag = ["SEEN", "FLAGGED", "ANSWERED", "DELETED", "DRAFT"].first {
        words.contains($0[...])
      }
      let found = selectedMails(request.connection)
        .filter { flag.map($0.flags.uppercased().contains) ?? true }
        .map { "\($0.uid)" }
      guard words.contains("RETURN") else {
        return [.lines("* SEARCH \(found.joined(separator: " "))", "{tag} OK")]
      }
      let all = found.isEmpty ? "" : " ALL \(found.joined(separator: ","))"
      return [.lines("* ESEARCH (TAG \"{tag}\") UID\(all)", "{tag} OK")]
    }

    private func fetch(_ request: ScriptedServer.Request) -> [ScriptedServer.Action] {
      let words = request.text.split(separator: " ", maxSplits: 3)
      guard words.count == 4 else { return [.lines("{tag} BAD")] }
      var actions: [ScriptedServer.Action] = []
      for (index, mail) in selectedMails(request.connection).enumerated()
      where Self.contains(words[2], mail.uid) {
        actions += Self.line(index + 1, mail, words[3].uppercased())
      }
      return actions + [.lines("{tag} OK")]
    }

    private static func line(_ number: Int, _ mail: Mail, _ items: String) -> [ScriptedServer
      .Action]
    {
      var head = "* \(number) FETCH (UID \(mail.uid)"
      if items.contains("FLAGS") { head += " FLAGS (\(mail.flags))" }
      if items.contains("INTERNALDATE") { head += " INTERNALDATE \"17-Jul-1996 02:44:25 +0000\"" }
      if items.contains("RFC822.SIZE") { head += " RFC822.SIZE \(mail.body.count)" }
      guard items.contains("BODY") else { return [.lines(head + ")")] }
      return [.send(head + " BODY[] {\(mail.body.count)}\r\n"), .octets(mail.body), .lines(")")]
    }

    private static func contains(_ set: Substring, _ uid: UInt32) -> Bool {
      set.split(separator: ",").contains { part in
        let ends = part.split(separator: ":").map { $0 == "*" ? UInt32.max : UInt32($0) ?? 0 }
        guard let first = ends.first, let last = ends.last else { return false }
        return (min(first, last)...max(first, last)).contains(uid)
      }
    }
  }
}
