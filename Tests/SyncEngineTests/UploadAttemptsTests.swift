import Testing

@testable import SyncEngine

/// Over which uploads connections broke.
@Suite struct UploadAttemptsTests {
  private let attempts = UploadAttempts()

  private func file(_ name: String) -> UploadAttempts.File {
    UploadAttempts.File(mailbox: 1, name: Array(name.utf8))
  }

  @Test func onlyWhatIsSentAloneIsGivenUp() {
    let (one, other) = (file("one"), file("other"))
    for _ in 0..<5 { attempts.noteBreak(over: [one, other]) }
    #expect(attempts.isSuspect(one) && !attempts.isGivenUp(one))
    attempts.noteBreak(over: [one])
    #expect(attempts.isGivenUp(one) && !attempts.isGivenUp(other))
    attempts.noteAnswers(to: [other])
    #expect(!attempts.isSuspect(other))
  }

  /// A file that is refused at each attempt is no sign that the server goes on; nor are many over which it hangs up.
  @Test func answersCountOnce() {
    for _ in 0..<4 { attempts.noteAnswers(to: [file("refused")]) }
    #expect(attempts.answers == 1)
    for number in 0..<9 {
      for _ in 0..<3 { attempts.noteBreak(over: [file("\(number)")]) }
    }
    #expect(attempts.answers == 4)
  }
}
