internal import Octets

/// The `a=value` list that SCRAM messages are made of (RFC 5802 §5).
struct ScramAttributes {
  private let attributes: [ArraySlice<UInt8>]

  init(_ message: [UInt8]) {
    attributes = message.split(separator: ASCII.comma, omittingEmptySubsequences: false)
  }

  /// The value of the attribute with this one-letter name; `nil` when it is not there.
  func value(_ name: StaticString) -> ArraySlice<UInt8>? {
    let start = [UInt8](ascii: name) + [ASCII.equals]
    return attributes.first { $0.starts(with: start) }?.dropFirst(start.count)
  }
}
