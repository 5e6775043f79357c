package import Configuration
internal import OAuth
package import Platform

/// Gives every connection of a run the account's secret, asking its source once and once more when a token has expired.
package final class SecretKeeper: Sendable {
  /// Seconds before a token that was renewed can have expired.
  private static let pause = 120.0

  /// Seconds for which a source that failed is not asked again: commands may ask a person each time, a server does not.
  private static let failurePause = (command: 50.0, server: 5.0)

  /// Seconds that a file may take which holds the secret: one on a file system that does not answer.
  private static let fileLimit = TestTime.replyTime(60)

  private enum Fetch: Sendable {
    case idle
    case running
    /// `staleAt` is when it is to be fetched again, in seconds since 1970; nil for never.
    case ready([UInt8], generation: Int, staleAt: Int64?)
    /// A program that stays asks again from `until` on.
    case failed(SecretError, generation: Int, until: Deadline)
  }

  private struct State: Sendable {
    var fetch = Fetch.idle
    /// When a new token was last asked for; nil before the first time.
    var renewed: Deadline?
  }

  private let source: SecretSource
  private let interruption: Interruption
  private let state = Monitor(State())

  package init(_ source: SecretSource, interruption: Interruption) {
    self.source = source
    self.interruption = interruption
  }

  /// Whether the secret is a token, which may expire and be renewed.
  package var isToken: Bool { source.isToken }

  /// Starts to ask the source on a thread of its own, so that it runs while the connection is made.
  package func prefetch() {
    let next = state.withLock { state -> Int? in
      guard let next = Self.nextGeneration(state.fetch, now: Clock.now()) else { return nil }
      state.fetch = .running
      return next
    }
    guard let next else { return }
    let thread = try? Thread.spawn(name: "secret") { self.fetch(generation: next) }
    if thread == nil { fetch(generation: next) }
  }

  /// The number of the secret that is to be fetched now; nil where there is one, or one on its way, or none to be had.
  private static func nextGeneration(_ fetch: Fetch, now: Int64) -> Int? {
    switch fetch {
    case .idle: return 1
    case .ready(_, let generation, let staleAt?) where now >= staleAt: return generation + 1
    case .failed(_, let generation, let until) where until.isPast: return generation
    case .running, .ready, .failed: return nil
    }
  }

  /// Has the source asked again for the next log-in, where it gives passwords.
  ///
  /// A password is fetched once a run, since it may be another one by the next, and one that was refused is not offered twice. A
  /// token has a time until which it is valid, or is renewed when it is refused.
  package func forgetPassword() {
    guard !source.isToken else { return }
    state.withLock { state in
      switch state.fetch {
      case .ready: state.fetch = .idle
      // A file asks no person, and may have been put right.
      case .failed where source.isFile: state.fetch = .idle
      case .idle, .running, .failed: break
      }
    }
  }

  /// The secret and which one it is, counted from 1.
  package func secret() throws(SecretFailure) -> (octets: [UInt8], generation: Int) {
    while true {
      prefetch()
      if let secret = try wait() { return secret }
    }
  }

  /// A new token in place of one the server refused; nil when there is no better one.
  ///
  /// Another connection's new token is taken instead of asking again, and a new token that is refused at once
  /// is not asked for again.
  package func renewed(after refused: Int) throws(SecretFailure) -> (
    octets: [UInt8], generation: Int
  )? {
    guard source.canBeRenewed else { return nil }
    switch state.withLock({ Self.claimRenewal(&$0, after: refused) }) {
    case .none: return nil
    case .mine(let token): fetch(generation: refused + 1, after: token)
    case .others: break
    }
    guard let next = try wait() else { return nil }
    return next.generation > refused ? next : nil
  }

  private enum Renewal {
    case none, others
    /// In place of this one.
    case mine([UInt8])
  }

  private static func claimRenewal(_ state: inout State, after refused: Int) -> Renewal {
    switch state.fetch {
    case .running, .failed: return .others
    case .ready(_, let generation, _) where generation > refused: return .others
    case .ready(let token, _, _):
      guard state.renewed?.isPast ?? true else { return .none }
      state.renewed = .after(seconds: pause)
      state.fetch = .running
      return .mine(token)
    case .idle: return .none
    }
  }

  /// What the source gave; nil where it was forgotten since.
  private func wait() throws(SecretFailure) -> (octets: [UInt8], generation: Int)? {
    let end = source.isFile ? Deadline.after(seconds: Self.fileLimit) : .never
    while true {
      let look = source.isFile ? min(end, .after(seconds: 0.2)) : .never
      let fetch = state.take(deadline: look) { state -> Fetch? in
        if case .running = state.fetch { nil } else { state.fetch }
      }
      switch fetch {
      case .ready(let octets, let generation, _): return (octets, generation)
      case .failed(let error, _, _): throw .source(error)
      case .idle: return nil
      case .running, nil: break
      }
      // Opening a file cannot be ended, but the wait for it; what runs for other sources ends by itself, and is waited for.
      guard source.isFile else { continue }
      if interruption.isRequested { throw .interrupted }
      if end.isPast { throw .source(source.slow(after: Self.fileLimit)) }
    }
  }

  /// Fetches a secret, in place of one that the server refused where that is given; then the old one may come again.
  private func fetch(generation: Int, after refused: [UInt8]? = nil) {
    let result: Fetch
    do throws(SecretError) {
      if case .oauth(let settings) = source {
        result = try fetchToken(settings, generation, after: refused)
      } else {
        let octets = try source.fetch(interruption: interruption)
        result = .ready(octets, generation: generation, staleAt: nil)
      }
    } catch {
      result = .failed(
        error,
        generation: generation,
        until: .after(seconds: Self.pause(after: error))
      )
    }
    state.update { $0.fetch = result }
  }

  /// Seconds for which the source is not asked again; where a person has to log in that is seen in a file, at once.
  private static func pause(after error: SecretError) -> Double {
    guard error.isOfGrant else { return failurePause.command }
    return error.need == .login ? 0 : failurePause.server
  }

  private func fetchToken(
    _ settings: OAuthSettings,
    _ generation: Int,
    after refused: [UInt8]?
  ) throws(SecretError) -> Fetch {
    let tokens = AccessTokens(settings, interruption: interruption)
    guard let refused else {
      return Self.ready(try tokens.current(), generation)
    }
    guard let next = try tokens.replacement(for: refused) else {
      return .ready(refused, generation: generation - 1, staleAt: 0)
    }
    return Self.ready(next, generation)
  }

  private static func ready(_ access: Grant.Access, _ generation: Int) -> Fetch {
    .ready(access.token, generation: generation, staleAt: access.staleAt)
  }
}

/// Why there is no secret to log in with.
package enum SecretFailure: Error, Hashable, Sendable {
  /// Its source does not give one.
  case source(SecretError)

  /// The program is to end.
  case interrupted
}
