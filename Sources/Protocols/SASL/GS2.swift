internal import Octets

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
