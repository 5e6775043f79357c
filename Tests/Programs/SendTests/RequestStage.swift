import TestSupport

/// A stage on which entries wait that are about messages of the server.
final class RequestStage {
  let post: PostStage

  private let proxy: BendingProxy?
  private var count = 0

  /// A server with one message for each subject in INBOX, and empty mailboxes Archive and Trash.
  ///
  /// Archive is not mirrored. Where `hidden` has UIDPLUS the server does not name what it took either. `command` bends
  /// commands.
  init(
    _ subjects: [String],
    hiding hidden: [String] = [],
    command: (@Sendable (String) -> BendingProxy.Fate)? = nil
  ) throws {
    var options = DovecotOptions()
    for name in hidden { options = options.hiding(name) }
    options.specialUse["Trash"] = "\\Trash"
    post = try PostStage(options)
    let isSilent = hidden.contains("UIDPLUS")
    if isSilent || command != nil {
      proxy = try BendingProxy(
        to: post.server.ports.clear,
        command: command ?? { _ in .passed },
        reply: { isSilent ? BendingProxy.silenced($0) : $0 }
      )
    } else {
      proxy = nil
    }
    try configure()
    try post.imap.append(subjects.map(Self.message))
    try post.imap.create("Archive")
    try Command.shell("umask 077; mkdir -p \"$1\"/queue", [post.spool])
  }

  func configure() throws {
    try post.configure(imap: proxy?.clearURL, sync: "exclude = [\"Archive\"]")
  }

  private static func message(_ subject: String) -> [UInt8] {
    Array("Message-ID: <\(subject)@x.test>\r\nSubject: \(subject)\r\n\r\ntext\r\n".utf8)
  }

  /// A message as entries name it; a UID of 0 for none.
  typealias Named = (uid: Int, file: String?, id: String?)

  /// Puts an entry with one change into the queue, such as `move Archive`.
  ///
  /// - Returns: its name.
  @discardableResult
  func enter(
    _ change: String,
    of messages: Named...,
    validity: UInt64? = nil,
    queued: String = "2026-01-01T10:00:00Z",
    mailbox: String = "INBOX"
  ) throws -> String {
    try enter([(change, messages)], validity: validity, queued: queued, mailbox: mailbox)
  }

  /// Puts an entry with several changes into the queue.
  ///
  /// - Returns: its name.
  @discardableResult
  func enter(
    _ changes: [(change: String, messages: [Named])],
    validity: UInt64? = nil,
    queued: String = "2026-01-01T10:00:00Z",
    mailbox: String = "INBOX"
  ) throws -> String {
    count += 1
    let name = "\(1_700_000_000_000_000 + count).0000000\(count % 10)"
    var text = """
      Magnum-Spool: 1
      Kind: change
      Id: \(name)
      Account: work
      Queued: \(queued)

      """
    let validity = try validity ?? post.imap.status("UIDVALIDITY")
    for (change, messages) in changes {
      text += "Change: \(change)\nMailbox: \(mailbox)\nUidvalidity: \(validity)\n"
      text += messages.map(Self.lines).joined()
    }
    try Files.write((text + "\n").utf8, to: "\(post.spool)/queue/\(name)")
    return name
  }

  private static func lines(_ message: Named) -> String {
    "Uid: \(message.uid)\n" + (message.file.map { "File: \($0)\n" } ?? "")
      + (message.id.map { "Message-Id: <\($0)@x.test>\n" } ?? "")
  }

  var inbox: LocalFolder { LocalFolder(post.maildir, "INBOX") }

  /// Works on the queue, whatever waits.
  @discardableResult
  func flush(_ variables: [String: String] = [:]) throws -> Outcome {
    try post.magnum("queue", "flush", variables: variables)
  }

  /// What each mailbox holds: subjects with their flags, sorted, such as `a+\Seen`.
  func world() throws -> [String: [String]] {
    try post.imap.everything().mapValues { messages in
      messages.map { message in
        let lines = String(decoding: message.body, as: UTF8.self).split(separator: "\r\n")
        let subject = lines.first { $0.hasPrefix("Subject: ") }.map { String($0.dropFirst(9)) }
        let flags = message.flags.filter { $0 != "\\Recent" }.sorted().map { "+" + $0 }
        return (subject ?? "?") + flags.joined()
      }.sorted()
    }
  }

  /// How many entries there are in each state.
  var entries: [Int] { ["queue", "failed", "hold", "log"].map { post.entries($0).count } }

  /// The state of each message of the entries that `queue list --json` has printed.
  func states(_ json: String) -> [String] {
    json.split(separator: "\"state\":\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
      .filter { $0 != "queue" && $0 != "failed" }
  }

  /// The reports of failures in the inbox, one behind the other.
  func reports() throws -> String {
    let inbox = inbox
    return try inbox.bases.indices.filter { inbox.bases[$0].hasSuffix(".magnum") }
      .map { String(decoding: try inbox.content($0), as: UTF8.self) }.joined()
  }
}
