internal import JSON
internal import Octets
package import Web

/// A login on another device, as the server has begun it (RFC 8628 §3.2).
package struct DeviceAuthorization: Hashable, Sendable {
  /// What the token endpoint is asked with; a secret.
  package let deviceCode: [UInt8]
  /// What the person types.
  package let userCode: [UInt8]
  package let verification: WebAddress
  /// The same with the code in it; nil where the server has none.
  package let completeVerification: WebAddress?
  /// Seconds until it is over.
  package let lifetime: Int64
  /// Seconds between two questions.
  package let interval: Int64

  /// Reads the answer of a device authorization endpoint.
  ///
  /// What may be missing from it (RFC 8628 §3.2) counts as missing where it is not what it has to be.
  ///
  /// - Throws: why no login was begun.
  package init(_ reply: WebReply) throws(ReplyFailure) {
    let json = try ReplyFailure.checked(reply)
    guard let code = try TokenResponse.text("device_code", json, TokenResponse.isToken) else {
      throw .malformed(member: "device_code")
    }
    guard let userCode = try TokenResponse.text("user_code", json, Self.isShort) else {
      throw .malformed(member: "user_code")
    }
    var verification = try Self.address("verification_uri", json)
    // Google's name for it, from before the RFC.
    if verification == nil { verification = try Self.address("verification_url", json) }
    guard let verification else { throw .malformed(member: "verification_uri") }
    deviceCode = code
    self.userCode = userCode
    self.verification = verification
    completeVerification = try? Self.address("verification_uri_complete", json)
    guard let lifetime = try TokenResponse.seconds("expires_in", json) else {
      throw .malformed(member: "expires_in")
    }
    self.lifetime = min(lifetime, 3600)
    interval = min((try? TokenResponse.seconds("interval", json)) ?? 5, 300)
  }

  /// What a person can type.
  private static func isShort(_ octets: [UInt8]) -> Bool {
    octets.count <= 100 && octets.allSatisfy { $0 >= ASCII.space && $0 < ASCII.delete }
  }

  private static func address(
    _ name: String,
    _ json: JSONValue
  ) throws(ReplyFailure) -> WebAddress? {
    guard let text = try TokenResponse.text(name, json, { _ in true }) else { return nil }
    guard let address = try? WebAddress(text) else { throw .malformed(member: name) }
    return address
  }
}

/// When the token endpoint is asked about a login on another device (RFC 8628 §3.5); times are in seconds by any one clock.
package struct DevicePoll: Hashable, Sendable {
  /// What to do next.
  package enum Step: Hashable, Sendable {
    /// Wait so many seconds, then ask.
    case ask(after: Int64)
    /// The time is over.
    case expired
    /// The login is over: the server refused it, or cannot be understood.
    case failed(ReplyFailure)
  }

  private let end: Int64
  private var interval: Int64

  /// The questions about a login that began now.
  package init(_ device: DeviceAuthorization, now: Int64) {
    end = now + device.lifetime
    interval = device.interval
  }

  /// The first step.
  package func begin(now: Int64) -> Step { next(now) }

  /// What follows an answer that holds no token.
  package mutating func step(after failure: ReplyFailure, now: Int64) -> Step {
    switch failure {
    case .refused(let error):
      switch error.meaning {
      case .pending: return next(now)
      case .slowDown:
        interval += 5
        return next(now)
      case .loginEnded, .configuration, .notNow: return .failed(failure)
      }
    case .notNow(_, let retryAfter):
      return next(now, atLeast: retryAfter ?? 0)
    case .unexpected, .malformed: return .failed(failure)
    }
  }

  /// What follows a question that got no answer: the interval is doubled (§3.5).
  package mutating func stepAfterSilence(now: Int64) -> Step {
    interval = min(interval * 2, 300)
    return next(now)
  }

  private func next(_ now: Int64, atLeast pause: Int64 = 0) -> Step {
    let pause = max(interval, min(pause, 3600))
    return now + pause >= end ? .expired : .ask(after: pause)
  }
}
