internal import Octets

/// The number of a part as IMAP counts them, such as `1.2` (RFC 9051 §6.4.5.1).
package struct Section: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The numbers from the outermost to the innermost, each from 1; never empty.
  package let numbers: [Int]

  init(numbers: [Int]) {
    self.numbers = numbers
  }

  /// The section that a text such as `1.2` names; `nil` when it names none.
  package init?(_ text: some Collection<UInt8>) {
    var numbers: [Int] = []
    for word in text.split(separator: ASCII.dot, omittingEmptySubsequences: false) {
      var cursor = Cursor([UInt8](word))
      guard let number = cursor.decimal(), cursor.isAtEnd, let number = Int(exactly: number),
        number > 0
      else { return nil }
      numbers.append(number)
    }
    self.numbers = numbers
  }

  /// The numbers with dots between them.
  package var description: String {
    numbers.map(String.init).joined(separator: ".")
  }

  /// Whether the part comes before the other in the message.
  package static func < (left: Section, right: Section) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
}
