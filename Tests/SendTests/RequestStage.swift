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

  /// Puts an entry into the queue; `lines` are what its kind needs beyond the message.
  ///
  /// - Returns: its name.
  @discardableResult
  func enter(
    _ kind: String,
    of message: (uid: Int, file: String?, id: String?),
    validity: UInt64? = nil,
    queued: String = "2026-01-01T10:00:00Z",
    mailbox: String = "INBOX",
    _ lines: String...
  ) throws -> String {
    count += 1
    let name = "\(1_700_000_000_000_000 + count).0000000\(count % 10)"
    var text = """
      Magnum-Spool: 1
      Kind: \(kind)
      Id: \(name)
      Account: work
      Queued: \(queued)
      Mailbox: \(mailbox)
      Uidvalidity: \(try validity ?? post.imap.status("UIDVALIDITY"))
      Uid: \(message.uid)

      """
    if let file = message.file { text += "File: \(file)\n" }
    text += lines.map { $0 + "\n" }.joined()
    if let id = message.id { text += "Message-Id: <\(id)@x.test>\n" }
    try Files.write((text + "\n").utf8, to: "\(post.spool)/queue/\(name)")
    return name
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
}
