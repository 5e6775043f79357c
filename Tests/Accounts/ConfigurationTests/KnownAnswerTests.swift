import Configuration
import TestSupport
import Testing

/// Answers that are known have a cause and a remedy; others have none, and are not guessed at.
@Suite struct KnownAnswerTests {
  @Test(arguments: try Fixtures.load("Fixtures/answers.txt"))
  func answers(_ fixture: Fixture) throws {
    let lines = fixture.lines()
    let found = KnownAnswer.find(
      lines[1],
      host: lines[0],
      isPasswordRefused: lines.dropFirst(2).first == "refused"
    )
    #expect(found?.cause == fixture["cause"])
    if let found { #expect(!found.meaning.isEmpty && found.hint.hasSuffix(found.remedy)) }
  }

  @Test func aTunnelHasNoHost() {
    #expect(KnownAnswer.find("NO", host: nil, isPasswordRefused: true) == nil)
  }
}
