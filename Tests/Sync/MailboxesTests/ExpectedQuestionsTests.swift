import Configuration
import MailModel
import MailStore
import Maildir
import Platform
import SyncPlan
import SyncState
import Testing

@testable import Mailboxes

/// What is asked behind a log-in, before it is known what is on the server.
@Suite struct ExpectedQuestionsTests {
  /// The mailboxes on record and those whose files changed, and what is asked, in that order.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var known = ["INBOX", "Lists", "Work"]
    var messages = 100
    var incomplete = ""
    var excluded = ""
    var window = SyncWindow.all
    var isScanning = false
    /// Names of mailboxes; those in `fileless` have messages without files.
    var changed: [String] = []
    var fileless: Set<String> = []
    let asked: [String]
  }

  static let cases = [
    Case(testDescription: "nothing changed", asked: ["INBOX"]),
    Case(testDescription: "another mailbox changed", changed: ["Work"], asked: ["INBOX", "Work"]),
    Case(testDescription: "INBOX changed", changed: ["INBOX"], asked: ["INBOX"]),
    Case(
      testDescription: "the one that files went from is last",
      changed: ["INBOX", "Lists", "Work"],
      fileless: ["INBOX"],
      asked: ["Lists", "Work", "INBOX"]
    ),
    Case(
      testDescription: "not all of very many",
      known: ["INBOX", "a", "b", "c", "d", "e", "f"],
      changed: ["a", "b", "c", "d", "e", "f"],
      asked: ["INBOX", "a", "b", "c", "d"]
    ),
    Case(testDescription: "as large as may be", messages: 20_000, asked: ["INBOX"]),
    Case(testDescription: "very large ones", messages: 20_001, asked: []),
    Case(
      testDescription: "a very large one is opened anyway",
      messages: 20_001,
      changed: ["INBOX"],
      asked: ["INBOX"]
    ),
    Case(testDescription: "not all was seen", incomplete: "INBOX", asked: []),
    Case(testDescription: "left out of the run", excluded: "INBOX", asked: []),
    Case(
      testDescription: "a changed one that is left out",
      excluded: "Work",
      changed: ["Work"],
      asked: ["INBOX"]
    ),
    Case(testDescription: "another window than before", window: .days(30), asked: []),
    Case(testDescription: "everything is looked at", isScanning: true, asked: []),
    Case(testDescription: "no INBOX", known: ["Work"], changed: ["Work"], asked: ["Work"]),
  ]

  @Test(arguments: cases)
  func isAsked(_ item: Case) {
    for takesNew in [true, false] {
      let questions = Self.questions(item)
        .questions(about: MailboxName(wire: Array("INBOX".utf8)), takesNew: takesNew)
      #expect(questions.map { String(decoding: $0.name.wire, as: UTF8.self) } == item.asked)
      for question in questions {
        let isInbox = question.name.wire == Array("INBOX".utf8)
        #expect(question.newMessages == (takesNew && isInbox ? 16 : 0))
        #expect(question.token?.uidNext == 7)
      }
    }
  }

  private static func questions(_ item: Case) -> ExpectedQuestions {
    var entries: [[UInt8]: Summary.Entry] = [:]
    var found: [UInt64: BaseCache.Content] = [:]
    for (number, text) in item.known.enumerated() {
      let (name, id) = (Array(text.utf8), UInt64(number + 1))
      entries[name] = Summary.Entry(
        header: MailboxHeader(mailbox: name, directory: name, id: id, validity: 1, uidNext: 7),
        messages: item.messages,
        isComplete: item.incomplete != text,
        fingerprints: nil
      )
      guard item.changed.contains(text) else { continue }
      found[id] = BaseCache.Content(hasFileless: item.fileless.contains(text))
    }
    return ExpectedQuestions(context(item), Summary(root: 1, entries: entries)) { [found] in found }
  }

  private static func context(_ item: Case) -> MailboxContext {
    let tree = FolderTree(root: Path("/mail"), layout: .verbatim)
    let excluded = Array(item.excluded.utf8)
    return MailboxContext(
      MailboxContext.Rules(
        window: item.window,
        policy: Policy(direction: .both),
        isDryRun: false,
        isScanning: item.isScanning,
        roles: [:],
        includesViews: false,
        sizeLimit: nil,
        completions: [:]
      ),
      store: StateStore(root: tree.root, layout: .verbatim),
      tree: tree,
      trees: [tree],
      meter: nil,
      isMirrored: { _ in true },
      isWanted: { $0 != excluded },
      allowsMassDeletion: { _ in false },
      report: { _ in }
    )
  }
}
