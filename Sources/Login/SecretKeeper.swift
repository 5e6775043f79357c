package import Configuration
package import Platform

/// Gives every connection of a run the account's secret, asking its source once and once more when a token has expired.
package final class SecretKeeper: Sendable {
  /// Seconds before a token that was renewed can have expired.
  private static let pause = 120.0

  private enum Fetch: Sendable {
    case idle
    case running
    case ready([UInt8], generation: Int)
    case failed(SecretError)
  }

  private struct State: Sendable {
    var fetch = Fetch.idle
    /// When a new token was last asked for; nil before the first time.
    var renewed: Deadline?
  }

  private let source: SecretSource
  private let interruption: Interruption
  private let state = Monitor(State())

  /// A keeper of the secret from this source.
  package init(_ source: SecretSource, interruption: Interruption) {
    self.source = source
    self.interruption = interruption
  }

  /// Whether the secret is a token, which may expire and be renewed.
  package var isToken: Bool { source.isToken }

  /// Starts to ask the source on a thread of its own, so that it runs while the connection is made.
  package func prefetch() {
    let starts = state.withLock { state in
      guard case .idle = state.fetch else { return false }
      state.fetch = .running
      return true
    }
    guard starts else { return }
    let thread = try? Thread.spawn(name: "secret") { self.fetch(generation: 1) }
    if thread == nil { fetch(generation: 1) }
  }

  /// The secret and which one it is, counted from 1.
  package func secret() throws(SecretFailure) -> (octets: [UInt8], generation: Int) {
    prefetch()
    return try wait()
  }

  /// A new token in place of one the server refused; nil when there is no better one.
  ///
  /// Another connection's new token is taken instead of asking again, and a new token that is refused at once
  /// is not asked for again.
  package func renewed(after refused: Int) throws(SecretFailure) -> (
    octets: [UInt8], generation: Int
  )? {
    guard isToken else { return nil }
    switch state.withLock({ Self.claimRenewal(&$0, after: refused) }) {
    case .none: return nil
    case .mine: fetch(generation: refused + 1)
    case .others: break
    }
    return try wait()
  }

  private enum Renewal {
    case none, mine, others
  }

  private static func claimRenewal(_ state: inout State, after refused: Int) -> Renewal {
    if case .ready(_, let generation) = state.fetch, generation > refused { return .others }
    if case .running = state.fetch { return .others }
    guard state.renewed?.isPast ?? true else { return .none }
    state.renewed = .after(seconds: pause)
    state.fetch = .running
    return .mine
  }

  private func wait() throws(SecretFailure) -> (octets: [UInt8], generation: Int) {
    let fetch = state.take { state -> Fetch? in
      if case .running = state.fetch { nil } else { state.fetch }
    }
    switch fetch {
    case .ready(let octets, let generation): return (octets, generation)
    case .failed(let error): throw .source(error)
    case .idle, .running, nil: throw .interrupted
    }
  }

  private func fetch(generation: Int) {
    let result: Fetch
    do throws(SecretError) {
      result = .ready(try source.fetch(interruption: interruption), generation: generation)
    } catch {
      result = .failed(error)
    }
    state.update { $0.fetch = result }
  }
}

/// Why there is no secret to log in with.
package enum SecretFailure: Error, Hashable, Sendable {
  /// Its source does not give one.
  case source(SecretError)

  /// The program is to end.
  case interrupted
}
