import Configuration
import MailModel
import Octets
import Outgoing
import Platform
import SASL
import Sendmail
import Spool
import SpoolPlan
import Submission
import TestSupport
import Testing
import Transport

@testable import SMTP

/// Every message about sending and the queue that people can see, as one file: a change of a word shows in the
/// difference of that file.
@Suite struct SendingMessagesTests {
  @Test(arguments: try Fixtures.load("Fixtures/sending-messages.txt"))
  func message(_ fixture: Fixture) {
    let found = Self.messages.first { $0.0 == fixture.name }?.1
    #expect(found == fixture.body)
  }

  @Test func theFileHasEachOnce() throws {
    let written = try Fixtures.load("Fixtures/sending-messages.txt").map(\.name)
    #expect(Self.messages.map(\.0) == written)
  }

  static var messages: [(String, String)] {
    let explained: [(String, any Explainable)] =
      spool.map { ("queue: \($0.0)", $0.1) } + letters.map { ("message: \($0.0)", $0.1) }
      + failures.map { ("sending: \($0.0)", $0.1) }
    return explained.map { ($0.0, text($0.1.explanation)) }
      + actions.map { ("change: \($0.0)", RequestWords.text($0.1) ?? "nothing") }
  }

  private static func text(_ explanation: Explanation) -> String {
    let place = explanation.place.map { " \($0):" } ?? ""
    let lines = ["\(explanation.status.rawValue)\(place) \(explanation.what)"]
    return (lines + [explanation.hint].compactMap { $0.map { "hint: \($0)" } })
      .joined(separator: "\n")
  }

  private static let path = Path("/home/me/.local/state/magnum/spool/work")
  private static let id = EntryID(microseconds: 1_795_228_333_000_000, random: 0x9f3a_1c2e)
  private static let full = SystemError(operation: "write", path: path, code: 28)

  // MARK: The queue

  private static var spool: [(String, SpoolError)] {
    [
      ("a full disk", .system(full)), ("another user's", .foreignOwner(path, user: 7)),
      ("open to others", .openToOthers(path, mode: 0o777)),
      ("no directory", .notADirectory(path)), ("no file", .notAFile(path)),
      ("too long", .tooLong(path, limit: 64 << 20)), ("no locks", .lockUnsupported(path)),
      ("busy", .busy(path)), ("an entry that is busy", .entryBusy(id)),
      ("no such entry", .noEntry(id)),
      ("a log", .log(id, LogError(line: 3))),
    ] + entries.map { ("an entry, \($0.0)", .entry(id, $0.1)) }
  }

  private static var entries: [(String, EntryError)] {
    [
      ("something else", .notAnEntry), ("a later version", .unknownVersion(Array("2".utf8))),
      ("a former kind", .formerKind("move")), ("a bad line", .malformed(line: 4)),
      ("a missing field", .missing("Kind")), ("of another account", .otherAccount("home")),
      ("another message", .messageDiffers),
    ]
  }

  private static var actions: [(String, Action)] {
    func request(_ change: MessageRequest.Change, _ uid: UInt32, id: String?) -> MessageRequest {
      let message = MessageReference(
        mailbox: Array("INBOX".utf8),
        validity: 17,
        uid: uid,
        baseName: Array("1700000000.a".utf8),
        messageID: id.map { Array($0.utf8) }
      )
      return MessageRequest(change, of: message)
    }
    let seen = MessageRequest.Change.flags(
      adding: [Array("\\Seen".utf8)],
      removing: [Array("Work".utf8)]
    )
    let archive = MessageRequest.Change.move(to: Array("Archive/2026".utf8))
    return [
      ("flags", .change([request(seen, 7, id: "<a@x.test>")])),
      ("a move", .change([request(archive, 7, id: nil)])),
      ("to Trash", .change([request(.trash, 0, id: nil)])),
      ("for good", .change([request(.expunge, 7, id: "<a@x.test>")])),
      ("many", .change((1...12).map { request(seen, $0, id: nil) })),
      (
        "many of each kind",
        .change(
          [seen, archive, .trash, .expunge].flatMap { change in
            (1...3).map { request(change, $0, id: nil) }
          }
        )
      ),
    ]
  }

  // MARK: Messages

  private static var letters: [(String, LetterError)] {
    let place = AliasPlace(file: Array("/etc/aliases".utf8), line: 3)
    let name = Array("pool".utf8)
    let problems: [(String, AliasFileProblem)] = [
      ("relative", .relative), ("missing", .missing),
      ("unreadable", .unreadable("Permission denied")),
      ("no file", .notAFile), ("too long", .tooLong(limit: 1 << 20)),
      ("open to others", .untrusted("others can change this file", remedy: "chmod go-w /srv/list")),
      ("empty", .empty), ("a loop", .loop),
    ]
    return [
      ("NUL", .forbiddenOctet(0, line: 2)), ("CR", .forbiddenOctet(13, line: 2)),
      ("an unfit body", .unfitBody(line: 9)), ("a bad address", .badAddress(Array("a b@x".utf8))),
      ("unknown names", .unknownNames([name, Array("root".utf8)])),
      ("an alias loop", .aliasLoop(name)), ("several messages", .severalMessages(line: 6)),
      ("a bad alias", .badAlias(place, Array("a b".utf8))), ("no recipients", .noRecipients),
      ("discarded", .discarded),
    ] + problems.map { ("a list, \($0.0)", .badList(place, Array("/srv/list".utf8), $0.1)) }
  }

  // MARK: Sending

  private static var failures: [(String, SubmissionFailure)] {
    [
      ("nothing listens", .transport(.connect(host: "h", port: 465, attempts: [refused]))),
      ("a cut", .transport(.closed)),
      (
        "no SMTP server",
        .protocolViolation(SMTPProtocolError(.noGreeting, line: Array("* OK".utf8)))
      ),
      (
        "a bad line", .protocolViolation(SMTPProtocolError(.malformedReply, line: Array("hm".utf8)))
      ),
      ("data before TLS", .protocolViolation(SMTPProtocolError(.dataBeforeTLS, line: []))),
      ("closing", .closing(Reply(code: 421, lines: [Array("4.3.2 closing".utf8)]))),
      ("no STARTTLS", .startTLSUnavailable),
      (
        "no mechanism",
        .authentication(
          .noMechanism(
            offered: [Array("GSSAPI".utf8)],
            usable: [Array("PLAIN".utf8)],
            isEncrypted: true
          )
        )
      ),
      ("the queue", .spool(.system(full))), ("the queue, busy", .spool(.busy(path))),
      ("the message", .message(.null(line: 4))), ("interrupted", .interrupted),
    ] + refusals + secrets.map { ("a secret, \($0.0)", .secret(secret($0.1))) }
  }

  private static let refused = SystemError(operation: "connect", path: nil, code: 111)

  private static var refusals: [(String, SubmissionFailure)] {
    let refusals: [(String, UInt16, Step)] = [
      ("a greeting", 554, .greeting), ("not now", 454, .authentication),
      ("no log-in", 530, .sender), ("an address of another", 553, .sender),
    ]
    let secrets: [(String, SecretSource)] = [
      ("a wrong password", .inline([])), ("a token", .accessToken([])),
    ]
    return refusals.map { name, code, step in ("refused, \(name)", .refused(refusal(code, step))) }
      + secrets.map { name, source in
        let secret = OfferedSecret(source, of: "work", user: "me@example.org", host: "h")
        return ("refused, \(name)", .secretRefused(refusal(535, .authentication), secret))
      }
  }

  private static func refusal(_ code: UInt16, _ step: Step) -> Refusal {
    Refusal(Reply(code: code, lines: [Array("no".utf8)]), at: step)
  }

  private static func secret(_ problem: SecretError.Problem) -> SecretError {
    SecretError(key: "password-command", problem: problem)
  }

  private static var secrets: [(String, SecretError.Problem)] {
    let file = Path("/home/me/secret")
    return [
      ("none", .noSource), ("not started", .notStarted(program: "pass", reason: "no")),
      ("not found", .notFound(program: "pass", path: "/bin")), ("a status", .exited(1)),
      ("a signal", .signalled(9)), ("too slow", .timedOut(60)),
      ("too long", .outputTooLong(limit: 10)),
      ("interrupted", .interrupted), ("no credentials", .noCredentials),
      ("unreadable", .unreadable(file, SystemError(operation: "open", path: file, code: 13))),
      ("open to others", .untrusted(FileTrust.Failure(file, .secrecy(0o644)))),
      ("left for later", .notFetched), ("empty", .empty), ("NUL", .containsNUL),
    ]
  }
}
