import Configuration
import MailModel
import MailStore
import Outgoing
import Platform
import SASL
import SyncPlan
import TestSupport
import Testing
import Transport

@testable import SyncEngine

/// Every message of a sync that people can see, as one file: a change of a word shows in the difference of that file.
@Suite struct SyncMessagesTests {
  @Test(arguments: try Fixtures.load("Fixtures/sync-messages.txt"))
  func message(_ fixture: Fixture) {
    let failure = Self.failures.first { $0.0 == fixture.name }?.1
    #expect(failure.map(Self.text) == fixture.body)
  }

  @Test func theFileHasEachOnce() throws {
    let written = try Fixtures.load("Fixtures/sync-messages.txt").map(\.name)
    #expect(Self.failures.map(\.0) == written)
  }

  private static func offered(_ secret: SecretSource) -> OfferedSecret {
    OfferedSecret(secret, of: "work", user: "me@example.org", host: "imap.example.org")
  }

  private static func violation(
    _ rule: String,
    _ line: String,
    isOther: Bool = false
  ) -> ProtocolViolation {
    ProtocolViolation(rule: rule, isOtherProtocol: isOther, line: Array(line.utf8))
  }

  private static func text(_ failure: SyncFailure) -> String {
    let explanation = failure.explanation(account: "work", mailbox: "Lists/swift")
    let lines = ["\(explanation.status.rawValue) \(explanation.place ?? ""): \(explanation.what)"]
    return (lines + [explanation.hint].compactMap { $0.map { "hint: \($0)" } })
      .joined(separator: "\n")
  }

  private static let no = ServerReply(.unspecified, text: Array("Try later".utf8))
  private static let password = offered(.inline([]))
  private static let token = offered(.accessToken([]))
  private static let commandToken = offered(
    .tokenCommand(.arguments(["t"]))
  )
  private static let path = Path("/home/me/Mail/Lists")
  private static let full = SystemError(operation: "write", path: Path("/home/me/Mail/x"), code: 28)
  private static let denied = SystemError(operation: "open", path: Path("/home/me/x"), code: 13)

  private static var failures: [(String, SyncFailure)] {
    connection + accounts
      + [("a message", messages), ("a file", files)].flatMap { kind, list in
        list.map { ("\(kind): \($0.0)", $0.1) }
      } + mailboxes.map { ("a mailbox: \($0.0)", .mailbox($0.1)) }
  }

  private static var connection: [(String, SyncFailure)] {
    let refused = SystemError(operation: "connect", path: nil, code: 111)
    return [
      ("no such host", .transport(.nameNotFound(host: "h", detail: "no", isTemporary: false))),
      (
        "no answer of a resolver",
        .transport(.nameNotFound(host: "h", detail: "no", isTemporary: true))
      ),
      ("nothing listens", .transport(.connect(host: "h", port: 993, attempts: [refused]))),
      ("a silent port", .transport(.noAnswer(.greeting, host: "h", port: 993, seconds: 30))),
      ("a cut", .transport(.closed)),
      ("no IMAP server", .protocolViolation(violation("noGreeting", "220 h", isOther: true))),
      ("a bad line", .protocolViolation(violation("malformed", "* ?"))),
      ("BYE", .hungUp(no)),
      ("BYE at once", .greetingRefused(no)),
      ("no STARTTLS", .startTLSUnavailable(nil)),
      ("STARTTLS refused", .startTLSUnavailable(no)),
      (
        "no mechanism",
        .authenticationExchange(
          .noMechanism(
            offered: [Array("GSSAPI".utf8)],
            usable: [Array("PLAIN".utf8)],
            isEncrypted: true
          )
        )
      ),
      ("a wrong password", .secretRefused(no, password)),
      ("a refused token", .secretRefused(no, token)),
      ("a token of a command", .secretRefused(no, commandToken)),
      ("a limit", .notNow(no, .connections, until: nil)),
      ("a pause", .notNow(no, .pause(seconds: nil), until: nil)),
      ("ID wanted", .identityWanted(no)),
      ("a refused command", .commandRefused(.select, no)),
    ]
  }

  private static var accounts: [(String, SyncFailure)] {
    [
      ("a full disk", .system(full)),
      ("a file that may not be opened", .system(denied)),
      ("a lock", .locked(Path("/home/me/Mail/.magnum/lock"))),
      ("no locks", .lockUnsupported(Path("/home/me/Mail/.magnum/lock"))),
      (
        "another root",
        .rootMissing(root: Path("/home/me/Mail"), remembered: Path("/home/me/state"))
      ),
      (
        "another server",
        .otherOrigin(
          Path("/home/me/Mail/.magnum/origin"),
          mirrored: Array("me@a".utf8),
          configured: Array("me@b".utf8)
        )
      ),
      ("a server without labels", .labels(.notOffered)),
      ("hidden mailboxes", .labels(.hidden([.all, .junk]))),
      ("other labels", .labels(.otherStyle(Path("/home/me/Mail"), .folders))),
      (
        "an empty record of the server",
        .otherOrigin(
          Path("/home/me/Mail/.magnum/origin"),
          mirrored: [],
          configured: Array("me@b".utf8)
        )
      ),
      ("another layout", .layoutChanged(Path("/home/me/Mail"))),
      ("newer state", .newerState(Path("/home/me/Mail/.magnum/summary"))),
      (
        "an unknown pattern",
        .unknownName(
          UnknownName(
            source: .commandLine,
            name: Array("INOBX".utf8),
            remedy: .near(Array("INBOX".utf8))
          )
        )
      ),
      (
        "an excluded mailbox",
        .unknownName(
          UnknownName(source: .commandLine, name: Array("Junk".utf8), remedy: .notMirrored)
        )
      ),
      ("nothing listed", .nothingToMirror(.noMailbox)),
      ("all excluded", .nothingToMirror(.excluded)),
      ("no folder", .nothingToMirror(.noFolder)),
      ("post-sync", .hook(.exited(3))),
      ("an interruption", .interrupted),
    ]
  }

  private static var messages: [(String, SyncFailure)] {
    let problems: [(String, MessageProblem)] = [
      ("not given", .notGiven(nil)), ("refused to be given", .notGiven(no)), ("NUL", .containsNUL),
      ("its name is taken", .nameTaken(path)), ("refused", .refused(.move, no)),
      ("cut short", .cutShort(told: 3_000_000, came: 200)),
      ("breaks connections", .breaksConnection),
      ("its copy is not found", .copyNotFound(MailboxName(wire: Array("Lists/old".utf8)))),
    ]
    return problems.map { ($0.0, .message(uid: 17, $0.1)) }
  }

  private static var files: [(String, SyncFailure)] {
    let problems: [(String, FileProblem)] = [
      ("NUL", .containsNUL), ("empty", .empty), ("unreadable", .unreadable(denied)),
      ("too big", .tooBig(limit: 1_000)), ("refused", .refused(no)), ("partial", .partial),
      ("held once", .heldOnce), ("a link", .notAFile(count: 1)), ("links", .notAFile(count: 12)),
      ("not kept", .notKept),
    ]
    return problems.map { ($0.0, .file(Array("1.a,S=3".utf8), $0.1)) }
  }

  private static var mailboxes: [(String, MailboxProblem)] {
    let before = MailboxIdentity(validity: 5, serverID: [1])
    let renumbered = MailboxIdentity(validity: 6, serverID: [1])
    let other = MailboxIdentity(validity: 5, serverID: [2])
    let wrong = UnknownName(
      source: .role(.trash),
      name: Array("Bin".utf8),
      remedy: .marked(Array("Trash".utf8))
    )
    let obstacles: [FolderObstacle] = [.noName, .hidden, .inboxSpelling, .nameExists, .otherName]
    return [
      ("renumbered", .identityChanged(from: before, to: renumbered)),
      ("replaced", .identityChanged(from: before, to: other)),
      ("a short list", .listIncomplete(missing: 3, of: 9)),
      ("no UIDVALIDITY", .noValidity(told: [])),
      ("odd UIDVALIDITY", .noValidity(told: Array("1528896777421".utf8))),
      ("its folder is gone", .directoryMissing(path)),
      ("its folder is taken", .directoryTaken(path)),
      ("no name here", .unusableName),
      ("no name there", .unusableNameThere),
      ("a refused rename", .renameRefused(from: "Old")),
      ("an unknown folder", .unknownFolder(path)),
      ("gone from the server", .goneFromServer(path)),
      ("a folder elsewhere", .folderElsewhere(path)),
      ("renamed on the server alone", .renamedThere("New", folder: path)),
      ("mass deletion here", .massDeletion(count: 8, of: 9, isHere: true)),
      ("mass deletion there", .massDeletion(count: 8, of: 9, isHere: false)),
      ("one blocked change", .blocked(count: 1, .readOnly)),
      ("blocked changes", .blocked(count: 2, .elsewhere)),
      ("a blocked change, and where its file is", .blocked(count: 1, .elsewhere, folder: path)),
      ("no room", .noRoom(messages: 1_812, octets: 9_300_000_000, free: 1_200_000_000)),
      ("no room for one", .noRoom(messages: 1, octets: 18_000_000, free: 64_000_000)),
      ("a limited folder", .folderLimit(messages: 1_000)),
      ("no Trash", .noTrash),
      ("another Trash", .otherTrash(wrong)),
    ] + obstacles.map { ("a refused folder, \($0)", .folderRefused(path, $0)) }
  }
}
