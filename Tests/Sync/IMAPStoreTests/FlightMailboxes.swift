import IMAP
import MailStore
import Platform
import Synchronization
import TestSupport
import Transport

@testable import IMAPStore

extension MailboxSession {
  /// A session with a scripted server that greets with PREAUTH.
  convenience init(to port: UInt16) throws {
    let stream = try ByteStream.connect(
      host: "127.0.0.1",
      port: port,
      deadline: .after(seconds: 10),
      interruption: nil
    )
    let connection = Connection(stream, trace: nil)
    // Behind the greeting.
    try connection.perform(.noop)
    self.init(connection, isQuickResync: true, isWriting: true)
  }
}

/// The mailboxes a, b and c of a server that says what a test wants of b; each has the messages 1 to 9.
///
/// Answers are by the first word of commands while b is open or about to be opened; of several, one after the other, and the last one
/// again and again. An empty one is none.
final class FlightMailboxes: Sendable {
  private struct State {
    var answers: [String: [String]]
    var open: String?
    /// Whether the mailbox that is open is the one that is meant, and the message was found there.
    var isMeant = false
    var isFound = false
    var stored: [String] = []
    var moved: [String] = []
    var openings = 0
  }

  private let state: Mutex<State>

  init(_ answers: [String: [String]]) { state = Mutex(State(answers: answers)) }

  var stored: [String] { state.withLock { $0.stored } }
  var moved: [String] { state.withLock { $0.moved } }
  var openings: Int { state.withLock { $0.openings } }

  func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Action] {
    let text = state.withLock { Self.answer(request, &$0) }
    if text.isEmpty { return [] }
    return text.hasPrefix("* BYE") ? [.lines(text), .close] : [.lines(text)]
  }

  private static func answer(_ request: ScriptedServer.Request, _ state: inout State) -> String {
    if request.name == "NOOP" || request.name == "LOGOUT" { return "{tag} OK done" }
    let isOpening = request.name == "SELECT"
    if isOpening {
      state.openings += 1
      // Where it is refused, none is open.
      (state.open, state.isFound) = (nil, false)
    }
    let name = isOpening ? request.text.split(separator: "\"").last.map { "\($0)" } : state.open
    guard let name else { return "{tag} BAD no mailbox is open" }
    let special = name == "b" ? Self.next(request.name, &state) : nil
    switch request.name {
    case "SELECT":
      let answer = special ?? "* OK [UIDVALIDITY 7] as before\r\n{tag} OK [READ-WRITE] open"
      if answer.contains("{tag} OK") { state.open = name }
      state.isMeant = answer.contains("[UIDVALIDITY 7]")
      return answer
    case "UID SEARCH":
      state.isFound = special == nil && state.isMeant && searches.contains(request.text)
      return special ?? "{tag} OK searched"
    case "UID STORE":
      if request.text.contains("$"), !state.isFound { return "{tag} OK nothing to store" }
      let answer = special ?? Self.stored(request)
      if answer.contains("{tag} OK") { state.stored.append("\(name)5") }
      return answer
    case "UID MOVE":
      if special == nil, !state.isFound { return "{tag} OK nothing to move" }
      let answer = special ?? "* OK [COPYUID 3 5 9] moved\r\n* 5 EXPUNGE\r\n{tag} OK moved"
      if !answer.contains("{tag} NO"), !answer.contains("BYE") { state.moved.append("\(name)5") }
      return answer
    default: return special ?? "{tag} OK done"
    }
  }

  private static let searches = ["", " UNFLAGGED"].map {
    "UID SEARCH RETURN (SAVE) UID 5 (UID 5 LARGER 49 SMALLER 51\($0))"
  }

  private static func stored(_ request: ScriptedServer.Request) -> String {
    let flags = request.text.split(separator: "(").last ?? ")"
    return "* 5 FETCH (UID 5 FLAGS (\(flags))\r\n{tag} OK stored"
  }

  private static func next(_ command: String, _ state: inout State) -> String? {
    guard let answers = state.answers[command], let first = answers.first else { return nil }
    if answers.count > 1 { state.answers[command] = Array(answers.dropFirst()) }
    return first
  }
}
