/// A reply that is to come, and what it will mean.
enum Expectation: Hashable, Sendable {
  case greeting
  /// EHLO, and the name for HELO; nil where that is not wanted.
  case hello(ClientName?)
  case oldHello
  case startTLS
  case authentication
  case noop
  case quit
  /// RSET; whether the driver wants to know.
  case reset(isReported: Bool)
  case sender
  case recipient(Int)
  case data
  case endOfData

  var step: Step {
    switch self {
    case .greeting: .greeting
    case .hello, .oldHello: .hello
    case .startTLS: .startTLS
    case .authentication: .authentication
    case .noop: .noop
    case .quit: .quit
    case .reset: .reset
    case .sender: .sender
    case .recipient: .recipient
    case .data: .data
    case .endOfData: .endOfData
    }
  }
}
