import Testing
import TestSupport

@testable import Terminal

/// One account's progress as one line.
@Suite struct ProgressTests {
  @Test(arguments: try Fixtures.load("Fixtures/progress.txt"))
  func lines(_ fixture: Fixture) throws {
    let values = Self.values(fixture)
    let state = try Self.state(values)
    let nameWidth = Int(values["name width"] ?? "0") ?? 0
    for line in fixture.lines("lines") {
      let parts = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
      let width = try #require(Int(parts[0].dropLast()))
      #expect(ProgressLine.text(state, width: width, nameWidth: nameWidth) == parts[1])
    }
  }

  @Test("no line is wider than the terminal", arguments: try Fixtures.load("Fixtures/progress.txt"))
  func everyWidth(_ fixture: Fixture) throws {
    let state = try Self.state(Self.values(fixture))
    for width in 0...120 {
      let line = ProgressLine.text(state, width: width)
      #expect(DisplayWidth.columns(of: line) <= width)
    }
  }

  @Test func severalAccountsStandInColumns() {
    let states = [ProgressState(account: "a"), ProgressState(account: "home", phase: .folders)]
    #expect(
      ProgressBoard.lines(states, width: 80) == ["a     connecting", "home  looking at mailboxes"]
    )
  }

  @Test("the last column stays free")
  func lastColumn() {
    let lines = ProgressBoard.lines([ProgressState(account: "a")], width: 8)
    #expect(lines == ["a  con…"])
  }

  private static func values(_ fixture: Fixture) -> [String: String] {
    let pairs = fixture.lines().map { $0.split(separator: " = ", maxSplits: 1).map { "\($0)" } }
    return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
  }

  private static func state(_ values: [String: String]) throws -> ProgressState {
    ProgressState(
      account: try #require(values["account"]),
      phase: phase(try #require(values["phase"])),
      mailbox: try values["mailbox"].map { try Fixtures.unescape($0) },
      messagesDone: values["done"].flatMap { Int($0) } ?? 0,
      messagesTotal: values["total"].flatMap { Int($0) },
      bytesDone: values["bytes"].flatMap { UInt64($0) } ?? 0,
      bytesPerSecond: values["rate"].flatMap { Double($0) },
      secondsLeft: values["left"].flatMap { Double($0) }
    )
  }

  private static func phase(_ name: String) -> ProgressState.Phase {
    switch name {
    case "connecting": .connecting
    case "authenticating": .authenticating
    case "folders": .folders
    case "headers": .headers
    case "bodies": .bodies
    default: .other(name)
    }
  }
}
