import Configuration
import Glibc
import Platform
import SMTP
import Spool
import SpoolPlan
import TestSupport
import Testing

@testable import Submission

/// Messages that a program takes over, `send-command`.
@Suite struct SendProgramTests {
  private let place: TempDirectory
  private let outbox: Outbox

  init() throws {
    place = try TempDirectory()
    outbox = Outbox(root: Path(place["spool"]), user: getuid())
  }

  private var spool: Spool { outbox.spool(of: "work") }

  /// The account whose program is a script, which finds the place of the test in $HERE.
  private func sender(_ script: String, _ lines: String = "") throws -> Sender {
    try place.write(script, to: "program.sh")
    let file = try place.write(
      """
      [account.work]
      address = "me@x.test"
      send-command = ["env", "HERE=\(place.path)", "sh", "\(place["program.sh"])", "-f", "{sender}"]
      \(lines)
      """,
      to: "config.toml",
      mode: 0o600
    )
    return try #require(try Configuration.load(explicit: Path(file)).senders.first)
  }

  private func enqueue(
    from sender: String? = "me@x.test",
    _ message: String = "Subject: a\n\ntext\n",
    hidden: String? = nil,
    wanting notification: Notification? = nil,
    to recipients: String...
  ) throws -> EntryID {
    try spool.prepare(user: getuid())
    let envelope = Envelope(
      from: try sender.map { try EnvelopeAddress(Array($0.utf8)) },
      to: try recipients.map {
        Recipient(try EnvelopeAddress(Array($0.utf8)), notification: notification)
      }
    )
    let sending = Sending(envelope, messageID: nil, blindCopies: hidden.map { Array($0.utf8) })
    return try spool.enqueue(.send(sending), message: Array(message.utf8)).id
  }

  /// Runs the queue once; gives the lines of the delivery log from the relay on, the end of the run and the state of the entry.
  private func flush(
    _ sender: Sender,
    _ id: EntryID,
    isShared: Bool = false
  ) throws -> (lines: [String], block: SendingBlock.Reason?, state: String) {
    let attempts = Monitor<[AttemptReport]>([])
    let report = try outbox.flush(
      "work",
      by: sender,
      isShared: isShared,
      interruption: Interruption()
    ) { event in
      if case .attempted(let attempt) = event { attempts.update { $0.append(attempt) } }
    }
    let lines = attempts.withLock { $0 }.flatMap { DeliveryLine($0).lines }.map { line in
      line.firstRange(of: " relay=").map { String(line[$0.upperBound...]) } ?? line
    }
    return (lines, report.block?.reason, try state(of: id))
  }

  /// Where an entry is; "gone" for nowhere.
  private func state(of id: EntryID) throws -> String {
    try EntryState.allCases.first { try spool.entries($0).contains(id) }.map { "\($0)" } ?? "gone"
  }

  /// What each end of the program means: the words of the delivery log, where the message is then, and what is in the way.
  @Test(
    arguments: [
      ("cat >&2; exit 0", "sent (send-command ended with status 0: text)", "gone", nil),
      ("exit 0", "sent (send-command ended with status 0)", "gone", nil),
      ("exit 65", "refused (send-command ended with status 65)", "failed", nil),
      (
        "echo 'no such user' >&2; exit 67",
        "refused (send-command ended with status 67: no such user)", "failed", nil
      ),
      ("exit 68", "deferred (send-command ended with status 68)", "queue", nil),
      ("exit 69", "deferred (send-command ended with status 69)", "queue", nil),
      ("exit 71", "deferred (send-command ended with status 71)", "queue", nil),
      ("exit 73", "deferred (send-command ended with status 73)", "queue", nil),
      (
        "echo a >&2; echo b >&2; exit 75", "deferred (send-command ended with status 75: b)",
        "queue", nil
      ),
      ("exit 126", "deferred (send-command ended with status 126)", "queue", nil),
      (
        "exec /nonexistent/program 2>&-", "deferred (send-command ended with status 127)", "queue",
        nil
      ),
      ("exit 77", "not sent", "queue", .secret),
      ("exit 78", "not sent", "queue", .unfit),
      ("exit 1", "unknown (send-command ended with status 1)", "hold", nil),
      ("exit 64", "unknown (send-command ended with status 64)", "hold", nil),
      ("exit 66", "unknown (send-command ended with status 66)", "hold", nil),
      ("exit 70", "unknown (send-command ended with status 70)", "hold", nil),
      ("exit 76", "unknown (send-command ended with status 76)", "hold", nil),
      ("kill -9 $$", "unknown (send-command was ended by signal 9)", "hold", nil),
      (
        "printf '\\033[2J\\r\\n\\n' >&2; exit 65",
        "refused (send-command ended with status 65: \\x1B[2J)", "failed", nil
      ),
    ] as [(String, String, String, SendingBlock.Reason?)],
    ["hold", "resend"]
  )
  func endsAreUnderstood(
    _ end: (script: String, words: String, state: String, block: SendingBlock.Reason?),
    _ ifUncertain: String
  ) throws {
    let id = try enqueue(to: "a@y.test", "b@y.test")
    let found = try flush(try sender(end.script, "if-uncertain = \"\(ifUncertain)\""), id)
    #expect(found.lines == ["env status=\(end.words)"])
    let state = end.state == "hold" && ifUncertain == "resend" ? "queue" : end.state
    #expect(found.state == state && found.block == end.block, "\(found)")
  }

  /// Unless a person wants to be asked, what may have been sent is sent again, and what is in the way stops the rest.
  @Test(arguments: [("exit 1", 2), ("exit 77", 1), ("exit 75", 2), ("kill -9 $$", 2)])
  func whatComesNextIsLeftOrTried(_ script: String, _ runs: Int) throws {
    let sender = try sender("echo >> \"$HERE/runs\"; \(script)")
    let first = try enqueue(to: "a@y.test")
    _ = try enqueue(to: "b@y.test")
    #expect(try flush(sender, first).state == "queue")
    #expect(try spool.entries(.queue).count == 2)
    #expect(Files.text(place["runs"])?.count == runs)
  }

  @Test func aProgramThatIsNotThereIsTriedAgain() throws {
    let file = try place.write(
      "[account.work]\nsend-command = [\"/nonexistent/program\"]\n",
      to: "config.toml",
      mode: 0o600
    )
    let sender = try #require(try Configuration.load(explicit: Path(file)).senders.first)
    let id = try enqueue(to: "a@y.test")
    let found = try flush(sender, id)
    let words = "send-command cannot be started: No such file or directory"
    #expect(found.lines == ["/nonexistent/program status=deferred (\(words))"])
    #expect(found.state == "queue")
  }

  /// What the program gets: arguments behind `--`, the message with LF and without Bcc, and its names.
  @Test func theProgramGetsEnvelopeAndMessage() throws {
    let sender = try sender(
      "for word; do echo \"$word\"; done > \"$HERE/words\"; cat > \"$HERE/message\"; "
        + "echo \"$MAGNUM_ACCOUNT $MAGNUM_ENTRY\" > \"$HERE/names\""
    )
    let message = "Subject: a\r\nTo: a@y.test\r\n\r\ntext\r\n"
    let id = try enqueue(
      message,
      hidden: "b@y.test",
      wanting: .success,
      to: "a@y.test",
      "-b@ü.test"
    )
    let found = try flush(sender, id)
    #expect(found.lines == ["env without=DSN status=sent (send-command ended with status 0)"])
    #expect(Files.text(place["words"]) == "-f\nme@x.test\n--\na@y.test\n-b@xn--tda.test\n")
    #expect(Files.text(place["message"]) == "Subject: a\nTo: a@y.test\n\ntext\n")
    #expect(Files.text(place["names"]) == "work \(id)\n")
  }

  @Test func theNullPathIsWrittenInBrackets() throws {
    let id = try enqueue(from: nil, to: "a@y.test")
    #expect(try flush(try sender("echo \"$2\" > \"$HERE/sender\""), id).state == "gone")
    #expect(Files.text(place["sender"]) == "<>\n")
  }

  /// Fields that a program with `-t` reads: the message as it gets it, or why it gets none.
  @Test(
    arguments: [
      ("To: a@y.test\n", nil, ["a@y.test"], "To: a@y.test\n\ntext\n"),
      (
        "To: A <a@y.test>\nCc: b@y.test\n", nil, ["b@Y.test", "a@y.test"],
        "To: A <a@y.test>\nCc: b@y.test\n\ntext\n"
      ),
      (
        "To: a@y.test\n", "b@y.test", ["a@y.test", "b@y.test"],
        "To: a@y.test\nBcc: b@y.test\n\ntext\n"
      ),
      ("To: a@y.test\n", nil, ["b@y.test"], nil),
      ("To: a@y.test, b@y.test\n", nil, ["a@y.test"], nil),
      ("To: a@y.test\n", nil, ["a@y.test", "b@y.test"], nil),
      ("To: a@y.test\n", "b@y.test", ["a@y.test"], nil),
      ("To: root\n", nil, ["a@y.test"], nil),
      ("To: a@y.test\nResent-To: a@y.test\n", nil, ["a@y.test"], nil),
      ("Subject: a\n", nil, ["a@y.test"], nil),
    ] as [(String, String?, [String], String?)]
  )
  func fieldsAreHeldAgainstTheEnvelope(
    _ header: String,
    _ hidden: String?,
    _ recipients: [String],
    _ message: String?
  ) throws {
    let sender = try sender("cat > \"$HERE/message\"", "send-recipients = \"header\"")
    let id: EntryID =
      recipients.count == 1
      ? try enqueue(header + "\ntext\n", hidden: hidden, to: recipients[0])
      : try enqueue(header + "\ntext\n", hidden: hidden, to: recipients[0], recipients[1])
    let found = try flush(sender, id)
    #expect(Files.text(place["message"]) == message)
    #expect(found.state == (message == nil ? "failed" : "gone"), "\(found)")
  }

  /// A sender that begins with a hyphen must not be taken for an option.
  @Test(arguments: [("{sender}", "failed"), ("-f{sender}", "gone")])
  func aSenderIsNoOption(_ word: String, _ state: String) throws {
    let file = try place.write(
      "[account.work]\nsend-command = [\"sh\", \"-c\", \"exit 0\", \"sh\", \"\(word)\"]\n",
      to: "config.toml",
      mode: 0o600
    )
    let sender = try #require(try Configuration.load(explicit: Path(file)).senders.first)
    let id = try enqueue(from: "-oX@x.test", to: "a@y.test")
    #expect(try flush(sender, id).state == state)
  }

  /// Of an account that all users share, nothing runs as root, and all else goes on.
  @Test(.enabled("needs root") { getuid() == 0 })
  func rootsOwnMailIsLeft() throws {
    let id = try enqueue(to: "a@y.test")
    let found = try flush(try sender("echo > \"$HERE/ran\""), id, isShared: true)
    #expect(found.lines == [] && found.state == "queue" && found.block == nil)
    #expect(Files.text(place["ran"]) == nil)
  }
}
