internal import Octets

/// What results have in common.
enum ResultWords {
  /// The version of the JSON format, in every object.
  static let version = 1

  /// `id:x@y`, quoted where a query would end it too early.
  static func id(_ id: [UInt8]) -> [UInt8] {
    let isPlain = id.allSatisfy { octet in
      octet > ASCII.space && octet != ASCII.delete && octet != ASCII.quote
        && octet != ASCII.openParenthesis && octet != ASCII.closeParenthesis
    }
    let start = [UInt8](ascii: "id:")
    if isPlain { return start + id }
    let quoted = id.flatMap { $0 == ASCII.quote ? [ASCII.quote, ASCII.quote] : [$0] }
    return start + [ASCII.quote] + quoted + [ASCII.quote]
  }
}
