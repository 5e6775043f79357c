/// How a program ends; the numbers are a promise to scripts (and those of sysexits(3) from 64 on).
package enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
  /// All done.
  case success = 0

  /// Some mailbox, message or entry failed or was blocked, an index could not be read, or a person said no.
  case partial = 1

  /// Nothing was found, and the caller wanted to know.
  case empty = 2

  /// The command line is wrong (EX_USAGE).
  case usage = 64

  /// A query, a message or an address is wrong (EX_DATAERR).
  case data = 65

  /// A message cannot be read (EX_NOINPUT).
  case noInput = 66

  /// There is no alias for a name, or no account for a sender (EX_NOUSER).
  case noUser = 67

  /// A server refuses to serve (EX_UNAVAILABLE).
  case unavailable = 69

  /// The system does not do what is needed (EX_OSERR).
  case system = 71

  /// The queue cannot be written (EX_CANTCREAT).
  case cannotCreate = 73

  /// Standard output could not be written, or reading or writing failed (EX_IOERR).
  case output = 74

  /// No network, or another run holds the lock: later (EX_TEMPFAIL).
  case tryAgain = 75

  /// A password or token is wrong: a person is needed (EX_NOPERM).
  case refused = 77

  /// The configuration is wrong (EX_CONFIG).
  case configuration = 78

  /// The word that JSON has for it.
  package var code: String {
    switch self {
    case .success: "note"
    case .partial: "failed"
    case .empty: "nothing-found"
    case .usage: "usage"
    case .data: "data"
    case .noInput: "no-input"
    case .noUser: "no-user"
    case .unavailable: "unavailable"
    case .system: "system"
    case .cannotCreate: "cannot-create"
    case .output: "output"
    case .tryAgain: "try-again"
    case .refused: "refused"
    case .configuration: "configuration"
    }
  }

  /// The one that a program ends with when its parts ended with these; `.success` for none.
  package static func mostSevere(of all: some Sequence<ExitStatus>) -> ExitStatus {
    all.max { $0.severity < $1.severity } ?? .success
  }

  /// What needs a person first outweighs what time mends.
  private var severity: Int {
    switch self {
    case .success: 0
    case .empty: 1
    case .tryAgain: 2
    case .partial: 3
    case .output: 4
    case .data, .noInput, .noUser: 5
    case .system, .cannotCreate: 6
    case .unavailable: 7
    case .refused: 8
    case .configuration: 9
    case .usage: 10
    }
  }
}
