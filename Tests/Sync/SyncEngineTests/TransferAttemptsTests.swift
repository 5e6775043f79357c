import Testing

@testable import MailStore

/// Over which uploads connections broke.
@Suite struct TransferAttemptsTests {
  @Test func onlyWhatIsSentAloneIsGivenUp() {
    var attempts = TransferAttempts<String>()
    let (one, other) = ("one", "other")
    for _ in 0..<5 { attempts.noteBreak(over: [one, other]) }
    #expect(attempts.isSuspect(one) && !attempts.isGivenUp(one))
    attempts.noteBreak(over: [one])
    #expect(attempts.isGivenUp(one) && !attempts.isGivenUp(other))
    attempts.noteAnswers(to: [other])
    #expect(!attempts.isSuspect(other))
  }

  /// What the server does not answer as it should is not sent a second time; others were only sent with it.
  @Test func whatBreaksTheProtocolAloneIsGivenUpAtOnce() {
    var attempts = TransferAttempts<String>()
    let (one, other) = ("one", "other")
    for _ in 0..<5 { attempts.noteBreak(over: [one, other], isFinal: true) }
    #expect(attempts.isSuspect(one) && !attempts.isGivenUp(one))
    attempts.noteBreak(over: [one], isFinal: true)
    #expect(attempts.isGivenUp(one) && !attempts.isGivenUp(other))
    #expect(attempts.nextAttempt == 6)
    for number in 0..<3 { attempts.noteBreak(over: ["\(number)"], isFinal: true) }
    #expect(attempts.nextAttempt == nil, "such a server takes nothing")
  }

  /// A file that is refused at each attempt is no sign that the server goes on; nor are many over which it hangs up.
  @Test func answersCountOnce() {
    var attempts = TransferAttempts<String>()
    for _ in 0..<4 { attempts.noteAnswers(to: ["refused"]) }
    #expect(attempts.answers == 1)
    for number in 0..<9 {
      for _ in 0..<3 { attempts.noteBreak(over: ["\(number)"]) }
    }
    #expect(attempts.answers == 4)
  }

  /// What was given up before breaks one connection more, for which nothing is waited.
  @Test func whatWasGivenUpBeforeIsTriedOnce() {
    var attempts = TransferAttempts(givenUpBefore: Set((0..<5).map { "\($0)" }))
    var delays = ReconnectDelays([5, 15])
    for number in 0..<5 {
      let file = "\(number)"
      #expect(attempts.isSuspect(file) && !attempts.isGivenUp(file))
      attempts.noteBreak(over: [file])
      #expect(attempts.isGivenUp(file))
      delays.noteLoss(after: attempts)
      #expect(delays.next() == 0)
    }
    attempts.noteBreak(over: ["other"])
    delays.noteLoss(after: attempts)
    #expect([delays.next(), delays.next(), delays.next()] == [5, 15, nil])
    attempts.noteAnswers(to: ["other"])
    delays.noteLoss(after: attempts)
    #expect(delays.next() == 5)
  }
}
