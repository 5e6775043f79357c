internal import Octets

/// Where in the tree a part stands, which decides about its number and what it is for.
struct PartPlace {
  /// The numbers before its own; of the message around it for the root of one.
  let above: [Int]

  /// Its number among its siblings; `nil` for the root of a message.
  let number: Int?

  /// How many multiparts and messages it lies in.
  let depth: Int

  /// The type of the multipart it lies in; `nil` for the root of a message.
  let container: ContentType?

  /// Whether it is a part of a partial file itself, not of a message inside.
  var isOfPartialFile = false

  /// The root of the outermost message.
  static let root = PartPlace(above: [], number: nil, depth: 0, container: nil)

  /// The numbers before those of the parts of a multipart at this place.
  var prefix: [Int] {
    number.map { above + [$0] } ?? above
  }

  /// The number of what stands here; a root without parts is part 1 of its message.
  func section(isMultipart: Bool) -> Section? {
    guard number == nil else { return Section(numbers: prefix) }
    return isMultipart ? nil : Section(numbers: above + [1])
  }

  /// Whether a message without a Content-Type is to be supposed here.
  var isInDigest: Bool {
    container?.isType("multipart", "digest") ?? false
  }

  /// Whether it shares its container with others and comes after the first of them.
  var isLaterPart: Bool {
    number.map { $0 > 1 } ?? false
  }
}

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
