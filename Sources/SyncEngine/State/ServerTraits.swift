/// What an account's server was seen to do, apart from what it says it can.
///
/// A cache: where it is lost, the next runs need a round trip more until it is learned again.
struct ServerTraits: Hashable, Sendable {
  /// Whether the server answers commands that are sent behind the log-in before its outcome is known.
  enum Pipelining: Hashable, Sendable {
    /// It was not tried yet.
    case untried
    /// It does.
    case works
    /// It drops or misreads them.
    case fails
  }

  /// Which server it was: a hash of what it offers before the log-in; nil before the first log-in.
  var identity: UInt64?
  /// Whether it answers commands behind the log-in.
  var pipelining = Pipelining.untried
  /// Whether it misreads AUTHENTICATE with an initial response, though it offers SASL-IR.
  var refusesInitialResponse = false

  /// Nothing was seen yet.
  init() {}

  /// Notes a log-in to the server of that identity; what was seen of another one says nothing about it.
  mutating func loggedIn(_ identity: UInt64) {
    guard self.identity != identity else { return }
    self.identity = identity
    pipelining = .untried
    refusesInitialResponse = false
  }
}
