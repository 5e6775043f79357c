internal import Octets

/// What ties a reply to its command: `M17` (RFC 9051 §2.2.1).
package struct CommandTag: Hashable, Sendable {
  /// Counts the commands of a session, from 1.
  let number: UInt32

  init(number: UInt32) {
    self.number = number
  }

  /// The tag that the octets show; `nil` when they are none of ours.
  init?(wire: ArraySlice<UInt8>) {
    var cursor = Cursor(wire)
    guard cursor.skip(Self.letter), let number = cursor.decimal(), cursor.isAtEnd,
      let number = UInt32(exactly: number)
    else { return nil }
    self.number = number
  }

  /// The octets of the tag.
  var wire: [UInt8] { [Self.letter] + [UInt8](decimal: number) }

  private static let letter = UInt8(ascii: "M")
}

extension CommandTag: CustomStringConvertible {
  package var description: String { "M\(number)" }
}
