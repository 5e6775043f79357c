import MailModel
import MailStore
import MailboxActions
import MemoryStore
import Platform
import SyncState
import TestSupport
import Testing

/// What the spool asks of mailboxes, on servers that lack nothing and that lack everything.
@Suite struct ActionTests {
  static let servers = [MemoryAbilities(), .bare]

  private static func name(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(arguments: servers)
  func requestsAreCarriedOutOnce(_ abilities: MemoryAbilities) throws {
    let cases: [(MessageRequest.Change, inbox: [String], trash: [String])] = [
      (.flags(adding: [Self.name("\\Seen")], removing: []), ["a", "b \\Seen"], []),
      (.flags(adding: [Self.name("$Later")], removing: []), ["a", "b $Later"], []),
      (.move(to: Self.name("Trash")), ["a"], ["b"]), (.trash, ["a"], ["b"]), (.expunge, ["a"], []),
    ]
    for (change, inbox, trash) in cases {
      let stage = try ActionStage(abilities)
      _ = try stage.message("a")
      let performer = RequestPerformer(stage.connection())
      let request = MessageRequest(change, of: try stage.message("b"))
      var begun: [UInt8]?
      // A server that does not name what arrived is asked again, with the note of the first attempt.
      for _ in 0..<3 { _ = performer.perform(request, begun: begun) { begun = $0 } }
      #expect(stage.lines("INBOX") == inbox, "\(change)")
      #expect(stage.lines("Trash") == trash, "\(change)")
    }
  }

  @Test func aRequestForWhatIsGoneIsImpossible() throws {
    let stage = try ActionStage()
    let message = try stage.message("a")
    _ = try stage.server.change { $0.mailboxes["INBOX"]?.expunge(message.uid) }
    let performer = RequestPerformer(stage.connection())
    let seen = MessageRequest.Change.flags(adding: [Self.name("\\Seen")], removing: [])
    let outcomes = [seen, .move(to: Self.name("Trash")), .expunge, .move(to: Self.name("None"))]
      .map { change in performer.perform(MessageRequest(change, of: message), begun: nil) { _ in } }
    guard case .impossible(.gone) = outcomes[0], case .impossible(.gone) = outcomes[1],
      case .present = outcomes[2], case .impossible(.noMailbox) = outcomes[3]
    else {
      Issue.record("\(outcomes)")
      return
    }
  }

  /// What was put there, and not answered for, is found again.
  @Test(arguments: servers, [true, false])
  func messagesArePutOnce(_ abilities: MemoryAbilities, _ isUnique: Bool) throws {
    let stage = try ActionStage(abilities)
    let addition = try MailboxAddition(
      ActionStage.octets("a"),
      to: .mailbox(Self.name("INBOX")),
      flags: [Self.name("\\Seen")],
      date: 1_000_000_000,
      isUnique: isUnique
    )
    var begun: [UInt8]?
    let first = MailboxWriter(stage.connection(), keepsOwnCopy: true)
      .put(addition, begun: nil) { begun = $0 }
    let second = MailboxWriter(stage.connection(), keepsOwnCopy: true)
      .put(addition, begun: begun) { _ in }
    guard case .appended = first, case .present = second else {
      Issue.record("\(first) \(second)")
      return
    }
    #expect(stage.lines("INBOX") == ["a \\Seen"])
  }

  /// A sync that is under way keeps everybody else from the account.
  @Test func nothingIsDoneBesideASync() throws {
    let stage = try ActionStage()
    let store = AccountPlaces(of: stage.account).store
    try FileSystem.makeDirectories(store.directory)
    guard case .acquired(let lock) = try FileLock.acquire(store.lock) else {
      Issue.record("no lock")
      return
    }
    let request = MessageRequest(.expunge, of: try stage.message("a"))
    let performer = RequestPerformer(stage.connection())
    let held = performer.perform(request, begun: nil) { _ in }
    guard case .failed(.locked) = held else {
      Issue.record("\(held)")
      return
    }
    #expect(stage.lines("INBOX") == ["a"])
    lock.release()
    _ = performer.perform(request, begun: nil) { _ in }
    #expect(stage.lines("INBOX").isEmpty)
  }
}
