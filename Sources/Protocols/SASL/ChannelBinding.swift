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

/// The value that ties an exchange to its encrypted connection (RFC 5056).
///
/// Both ends know it. A third party between them, with a connection to each, would have another one.
package struct ChannelBinding: Hashable, Sendable {
  /// The registered name in small letters, such as `tls-exporter` (RFC 9266) and `tls-server-end-point` (RFC 5929).
  package let type: [UInt8]
  /// What both ends know.
  package let data: [UInt8]

  package init(type: [UInt8], data: [UInt8]) {
    self.type = type
    self.data = data
  }
}

/// The parts of the GS2 framing that SCRAM and OAUTHBEARER share (RFC 5801 §4, RFC 5802 §5.1).
enum GS2 {
  /// A user name with `=` and `,` written as `=3D` and `=2C`.
  static func escape(_ name: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(name.count)
    for octet in name {
      switch octet {
      case ASCII.equals: result += [UInt8](ascii: "=3D")
      case ASCII.comma: result += [UInt8](ascii: "=2C")
      default: result.append(octet)
      }
    }
    return result
  }
}
