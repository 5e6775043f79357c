internal import Octets

/// What a SCRAM exchange says about channel binding: the flag of its GS2 header (RFC 5802 §6).
package enum ScramBinding: Hashable, Sendable {
  /// There is nothing to bind to: `n`.
  case none
  /// There would be, but the server offers no mechanism for it: `y`. A server that did offer one sees that the list was
  /// changed on the way.
  case notOffered
  /// The exchange is bound: `p=` and the type.
  case bound(ChannelBinding)

  /// The header: the flag, and no other authorization identity.
  var header: [UInt8] {
    switch self {
    case .none: [UInt8](ascii: "n,,")
    case .notOffered: [UInt8](ascii: "y,,")
    case .bound(let binding): [UInt8](ascii: "p=") + binding.type + [UInt8](ascii: ",,")
    }
  }

  /// The header with what the exchange is bound to.
  var input: [UInt8] {
    if case .bound(let binding) = self { header + binding.data } else { header }
  }

  /// Whether it is the mechanism whose name ends in `-PLUS`.
  var isPlus: Bool {
    if case .bound = self { true } else { false }
  }
}
