internal import Platform
internal import SyncEngine
internal import Terminal

/// How far one account's run has come, put together from its events.
struct AccountProgress: Sendable {
  private(set) var state: ProgressState
  private let start = Clock.monotonicNanoseconds()

  init(_ account: String) {
    state = ProgressState(account: account)
  }

  /// Applies an event; false when nothing of it shows.
  mutating func applyEvent(_ event: SyncEvent.Kind) -> Bool {
    switch event {
    case .state(let phase): return enter(phase)
    case .expected(let messages, let octets): expect(messages, octets)
    case .fetched(let mailbox, let messages, _, let octets): fetch(mailbox, messages, octets)
    default: return false
    }
    return true
  }

  private var octetsTotal: UInt64 = 0
  /// How far the phases have come.
  private var rank = 0

  /// Further connections begin while messages arrive over others: what is shown does not fall back.
  private mutating func enter(_ phase: SyncEvent.State) -> Bool {
    let next: (phase: ProgressState.Phase, rank: Int)
    switch phase {
    case .connecting: next = (.connecting, 0)
    case .authenticating, .tokenRefresh: next = (.authenticating, 1)
    case .folders: next = (.folders, 2)
    case .headers: next = (.headers, 3)
    case .bodies: next = (.bodies, 4)
    case .idle: return false
    }
    guard next.rank >= rank else { return false }
    (state.phase, rank) = next
    return true
  }

  private mutating func expect(_ messages: Int, _ octets: UInt64) {
    state.messagesTotal = (state.messagesTotal ?? 0) + messages
    octetsTotal += octets
  }

  private mutating func fetch(_ mailbox: String, _ messages: Int, _ octets: UInt64) {
    state.mailbox = Array(mailbox.utf8)
    state.messagesDone += messages
    state.bytesDone += octets
    let seconds = Double(Clock.monotonicNanoseconds() - start) / 1e9
    guard seconds > 0.5 else { return }
    let rate = Double(state.bytesDone) / seconds
    state.bytesPerSecond = rate
    if octetsTotal > state.bytesDone, rate > 0 {
      state.secondsLeft = Double(octetsTotal - state.bytesDone) / rate
    }
  }
}
