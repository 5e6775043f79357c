import OAuth
import Octets
import Testing
import Web

/// When the token endpoint is asked while a person logs in elsewhere.
@Suite struct DevicePollTests {
  private static func device() throws -> DeviceAuthorization {
    try DeviceAuthorization(
      WebReply(
        status: 200,
        body: Array(
          (#"{"device_code":"D","user_code":"U","verification_uri":"https://a.example","#
            + #""expires_in":100,"interval":5}"#).utf8
        )
      )
    )
  }

  private static func refused(_ code: String) -> ReplyFailure {
    .refused(OAuthError(code: Array(code.utf8), description: nil))
  }

  @Test func asksUntilItIsDone() throws {
    var poll = DevicePoll(try Self.device(), now: 1000)
    #expect(poll.begin(now: 1000) == .ask(after: 5))
    let pending = Self.refused("authorization_pending")
    #expect(poll.step(after: pending, now: 1005) == .ask(after: 5))
    #expect(poll.step(after: Self.refused("slow_down"), now: 1010) == .ask(after: 10))
    #expect(poll.step(after: .notNow(status: 503, retryAfter: 20), now: 1020) == .ask(after: 20))
    #expect(poll.stepAfterSilence(now: 1040) == .ask(after: 20))
    #expect(poll.step(after: pending, now: 1079) == .ask(after: 20))
    #expect(poll.step(after: pending, now: 1080) == .expired)
  }

  @Test func endsWhenRefused() throws {
    var poll = DevicePoll(try Self.device(), now: 0)
    for code in ["access_denied", "expired_token", "invalid_client", "whatever"] {
      #expect(poll.step(after: Self.refused(code), now: 1) == .failed(Self.refused(code)))
    }
    #expect(
      poll.step(after: .unexpected(status: 200), now: 1) == .failed(.unexpected(status: 200))
    )
  }
}
