import IMAP
import MailStore
import SyncState
import Testing

@testable import IMAPStore

@Suite("Limits of servers")
struct ServerLimitTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let kind: StatusResponse.Kind
    let code: ResponseCode?
    let text: String
    let purpose: ServerLimit.Purpose
    let limit: ServerLimit?

    init(
      _ kind: StatusResponse.Kind,
      _ code: ResponseCode?,
      _ text: String,
      _ purpose: ServerLimit.Purpose,
      _ limit: ServerLimit?
    ) {
      self.kind = kind
      self.code = code
      self.text = text
      self.purpose = purpose
      self.limit = limit
    }

    var testDescription: String { "\(kind) \(code.map { "\($0)" } ?? "") \(text), \(purpose)" }
  }

  private static let throttled = ResponseCode.other(name: Array("THROTTLED".utf8), arguments: [])
  private static let pause = ServerLimit.pause(seconds: nil)
  private static let gmail = "Too many simultaneous connections. (Failure)"
  private static let microsoft = "Request is throttled. Suggested Backoff Time: 299822 milliseconds"

  static let cases = [
    Case(.no, .overQuota, "Account exceeded command or bandwidth limits", .login, pause),
    Case(.no, .overQuota, "", .opening, pause),
    Case(.no, .overQuota, "", .reading, pause),
    Case(.no, .overQuota, "Mailbox is full", .adding, nil),
    Case(.no, .overQuota, "Mailbox is full", .changing, nil),
    Case(.bye, .overQuota, "Account exceeded command or bandwidth limits", .reading, pause),
    Case(.no, .limit, "", .login, pause),
    Case(.no, .limit, "", .opening, pause),
    Case(.no, .limit, "", .reading, pause),
    Case(.no, .limit, "too many keywords", .changing, nil),
    Case(.no, .limit, "", .adding, nil),
    Case(.no, .unavailable, "", .login, pause),
    Case(.no, .unavailable, "", .reading, pause),
    Case(.no, .unavailable, "", .opening, nil),
    Case(.no, .inUse, "", .login, pause),
    Case(.no, .inUse, "", .opening, nil),
    Case(.no, throttled, "", .login, pause),
    Case(.no, throttled, "", .adding, pause),
    Case(.ok, throttled, "Success", .reading, nil),
    Case(.ok, .overQuota, "", .reading, nil),
    Case(.no, .alert, gmail, .login, .connections),
    Case(.bye, nil, "Maximum number of connections from user+IP exceeded", .login, .connections),
    Case(.no, nil, "TOO MANY CONNECTIONS for user", .login, .connections),
    Case(.no, .alert, "Account exceeded command or bandwidth limits. (Failure)", .reading, pause),
    Case(.no, .authenticationFailed, "Rate limit hit, try later", .login, pause),
    Case(.bad, nil, "User is authenticated but not connected.", .opening, pause),
    Case(.bad, nil, microsoft, .reading, .pause(seconds: 300)),
    Case(.bad, nil, microsoft, .adding, .pause(seconds: 300)),
    Case(.no, nil, "Suggested Backoff Time: 1 milliseconds", .login, .pause(seconds: 1)),
    Case(.no, nil, "Suggested Backoff Time: 99999999999999999999", .login, .pause(seconds: 1)),
    Case(.no, nil, "suggested backoff time:", .login, .pause(seconds: 1)),
    Case(
      .no,
      nil,
      "Suggested Backoff Time: 999999999999 milliseconds",
      .login,
      .pause(seconds: 86_400)
    ),
    Case(.no, .authenticationFailed, "Invalid credentials (Failure)", .login, nil),
    Case(.no, nil, "LOGIN failed", .login, nil),
    Case(.bad, .limit, "", .reading, nil),
    Case(.no, nil, "", .reading, nil),
  ]

  @Test("are told from refusals", arguments: cases)
  func classify(_ test: Case) {
    let response = StatusResponse(kind: test.kind, code: test.code, text: Array(test.text.utf8))
    #expect(ServerLimit(response, to: test.purpose) == test.limit)
  }

  @Test("a pause without a length grows up to an hour, and a run that is served ends it")
  func pauses() {
    var traits = ServerTraits()
    let lengths = (0..<9).map { _ in traits.postpone(now: 1000, seconds: nil, reason: []) - 1000 }
    #expect(lengths == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
    #expect(traits.postpone(now: 1000, seconds: 7, reason: []) == 1007)
    #expect(traits.pause(now: 1006) != nil)
    #expect(traits.pause(now: 1007) == nil)
    #expect(
      traits.pause(now: -90_000) == nil,
      "the clock was set back: it is not waited for for long"
    )
  }

  @Test("a limit of connections counts for a day, and is never below one")
  func connections() {
    var traits = ServerTraits()
    traits.limitConnections(to: 3, now: 1000)
    #expect(traits.connectionLimit(now: 1000) == 3)
    #expect(traits.connectionLimit(now: 1000 + 86_399) == 3)
    #expect(traits.connectionLimit(now: 1000 + 86_400) == nil)
    #expect(
      traits.connectionLimit(now: -90_000) == nil,
      "the clock was set back: it does not count for longer"
    )
    traits.limitConnections(to: 0, now: 1000)
    #expect(traits.connectionLimit(now: 1000) == 1)
  }

  @Test(
    "questions before the list are tried again in a day",
    arguments: [
      (1000, false), (87_399, false), (87_400, true), (-90_000, true),
    ]
  )
  func earlyQuestions(_ now: Int64, _ mayAsk: Bool) {
    var traits = ServerTraits()
    #expect(traits.mayAskEarly(now: now))
    traits.refusesEarlyQuestionsUntil = 1000 + ServerTraits.limitLifetime
    #expect(traits.mayAskEarly(now: now) == mayAsk)
    traits.loggedIn(7)
    #expect(traits.mayAskEarly(now: now), "another server may")
  }
}
