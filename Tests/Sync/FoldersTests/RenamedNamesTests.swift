import MailModel
import TestSupport
import Testing

@testable import Folders

@Suite struct RenamedNamesTests {
  private static func name(_ text: some StringProtocol) -> MailboxName {
    MailboxName(wire: Array(text.utf8))
  }

  @Test(arguments: try Fixtures.load("Fixtures/renamed-names.txt"))
  func names(_ fixture: Fixture) throws {
    var names = RenamedNames(delimiter: fixture["levels"]?.utf8.first)
    try #require(fixture.lines().contains { $0.contains(" => ") })
    for line in fixture.lines() {
      let words = line.split(separator: " ")
      if words[0] == "rename" {
        names.rename(Self.name(words[1]), to: Self.name(words[2]))
      } else {
        #expect(names.name(of: Self.name(words[0])) == Self.name(words[2]), "\(line)")
      }
    }
  }
}
