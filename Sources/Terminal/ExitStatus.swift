/// How a program ends; the numbers are a promise to scripts (and those of sysexits(3) from 64 on).
package enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
  /// All done.
  case success = 0

  /// Some mailbox, message or entry failed or was held back; all is tried again next time.
  case partial = 1

  /// The command line is wrong (EX_USAGE).
  case usage = 64

  /// A server refuses to serve (EX_UNAVAILABLE).
  case unavailable = 69

  /// Standard output could not be written (EX_IOERR).
  case output = 74

  /// No network, or another run holds the lock: later (EX_TEMPFAIL).
  case tryAgain = 75

  /// A password or token is wrong: a person is needed (EX_NOPERM).
  case refused = 77

  /// The configuration is wrong (EX_CONFIG).
  case configuration = 78

  /// The one that a program ends with when its parts ended with these; `.success` for none.
  package static func gravest(of all: some Sequence<ExitStatus>) -> ExitStatus {
    all.max { $0.gravity < $1.gravity } ?? .success
  }

  /// What needs a person first outweighs what time mends.
  private var gravity: Int {
    switch self {
    case .success: 0
    case .tryAgain: 1
    case .partial: 2
    case .output: 3
    case .unavailable: 4
    case .refused: 5
    case .configuration: 6
    case .usage: 7
    }
  }
}
