import Configuration
import Maildir
import Platform
import TestSupport
import Testing

@testable import Triage

/// What is done to messages whose files other programs renamed since they were indexed: their names tell, not the index.
@Suite struct CurrentNameTests {
  private let accounts: TwoAccounts
  private let configuration: Configuration

  init() throws {
    accounts = try TwoAccounts()
    configuration = try Configuration.load(explicit: Path(accounts.home["config.toml"]))
  }

  /// What comes of an act on a message whose file in INBOX an index knows by that name.
  private func act(_ verb: TriageVerb, on name: String) throws -> Triage.Result {
    let account = try #require(configuration.accounts.first { $0.name == "one" })
    let known = ScannedFile(name: FileName(Array(name.utf8)), subdirectory: .cur)
    let file = TargetFile(account: account, folder: Array("INBOX".utf8), file: known)
    let target = Target(id: Array("m@x".utf8), subject: [], files: [file])
    let finder = try TargetFinder(configuration, now: 0)
    let plan = try accounts.triage.plan(verb, [target], finder)
    return try accounts.triage.carryOut(plan, command: Array(verb.word.utf8))
  }

  /// The index has it as read and flagged, which it was.
  @Test func whatTheIndexHasSoIsDoneWhereTheFileShowsOtherwise() throws {
    try accounts.home.write("text", to: "one/INBOX/cur/m:2,R")
    #expect(try act(.read, on: "m:2,FS").messages == 1)
    #expect(accounts.files == ["one/INBOX/m:2,RS"])
    #expect(try act(.flag, on: "m:2,FS").messages == 1)
    #expect(accounts.files == ["one/INBOX/m:2,FRS"])
    #expect(try act(.flag, on: "m:2,R").act == nil)
  }

  @Test(arguments: [TriageVerb.read, .unread])
  func whatIsGoneIsToldWhateverTheIndexHas(_ verb: TriageVerb) throws {
    let result = try act(verb, on: "m:2,S")
    #expect(result.messages == 0 && result.left == [0])
  }

  /// Its tags would be those of no file.
  @Test func whatIsGoneGetsNoTags() throws {
    let result = try act(.tag(TagEdit(["+work"])), on: "m:2,S")
    #expect(result.messages == 0 && result.left == [0])
    let both = try act(.tag(TagEdit(["+work", "+unread"])), on: "m:2,S")
    #expect(both.messages == 0 && both.left == [0])
    #expect(!Files.exists(accounts.home["one/INBOX/.magnum-tags"]))
    try accounts.home.write("text", to: "one/INBOX/cur/m:2,R")
    #expect(try act(.tag(TagEdit(["+work"])), on: "m:2,S").messages == 1)
    #expect(Files.exists(accounts.home["one/INBOX/.magnum-tags"]))
  }
}
