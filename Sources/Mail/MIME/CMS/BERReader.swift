internal import Octets

/// Reads elements of ASN.1 as BER writes them, DER among it (X.690 §8), from left to right.
///
/// No octet is looked at twice, and nothing is copied: time grows with the size alone. Lengths hold only as far as there are octets.
struct BERReader {
  /// How many elements may be open in one another.
  static let depthLimit = 16

  /// An element that is being read.
  private struct Open {
    /// Where its contents end; for one that two zero octets end, at the latest.
    let end: Int
    /// Whether two zero octets end it.
    let hasEndMark: Bool
  }

  private let octets: ArraySlice<UInt8>
  private var index: Int
  private var open: [Open] = []

  init(_ octets: ArraySlice<UInt8>) {
    self.octets = octets
    index = octets.startIndex
  }

  /// Whether the innermost open element has nothing more in it.
  var isAtEnd: Bool {
    guard let last = open.last else { return index == octets.endIndex }
    guard last.hasEndMark else { return index == last.end }
    return index + 1 < last.end && octets[index] == 0 && octets[index + 1] == 0
  }

  /// Enters an element with that identifier octet, which holds others.
  mutating func enter(_ identifier: UInt8) -> Bool {
    guard let header = header(), header.identifier == identifier, header.isConstructed else {
      return false
    }
    return enter(header)
  }

  /// Leaves the innermost open element, whatever is left in it.
  mutating func leave() -> Bool {
    while !isAtEnd { guard skip() else { return false } }
    guard let last = open.popLast() else { return false }
    if last.hasEndMark { index += 2 }
    return true
  }

  /// The contents of an element with that identifier octet, which holds no others; nil where another one comes.
  mutating func value(_ identifier: UInt8) -> ArraySlice<UInt8>? {
    guard let header = header(), header.identifier == identifier, !header.isConstructed,
      let end = header.end
    else { return nil }
    index = end
    return octets[header.start..<end]
  }

  /// Passes an element with that identifier octet.
  mutating func skip(_ identifier: UInt8) -> Bool {
    header()?.identifier == identifier && skip()
  }

  /// The octet string that comes next, in one piece or in many (X.690 §8.7); nil where it is none.
  mutating func octetString() -> [UInt8]? {
    if let whole = value(Self.octetString) { return [UInt8](whole) }
    let depth = open.count
    guard enter(Self.octetStringInPieces) else { return nil }
    var result: [UInt8] = []
    while open.count > depth {
      if isAtEnd {
        guard leave() else { return nil }
      } else if let piece = value(Self.octetString) {
        result += piece
      } else if !enter(Self.octetStringInPieces) {
        return nil
      }
    }
    return result
  }

  private static let octetString: UInt8 = 0x04
  private static let octetStringInPieces: UInt8 = 0x24

  /// Passes an element, with all that it holds.
  private mutating func skip() -> Bool {
    let depth = open.count
    repeat {
      guard let header = header() else { return false }
      if let end = header.end {
        index = end
      } else if !enter(header) {
        return false
      }
      // All above that depth have a mark.
      while open.count > depth, isAtEnd {
        open.removeLast()
        index += 2
      }
    } while open.count > depth
    return true
  }

  private mutating func enter(_ header: ElementHeader) -> Bool {
    guard open.count < Self.depthLimit else { return false }
    open.append(Open(end: header.end ?? limit, hasEndMark: header.end == nil))
    index = header.start
    return true
  }

  private var limit: Int { open.last?.end ?? octets.endIndex }

  // MARK: Identifier and length

  private struct ElementHeader {
    let identifier: UInt8
    /// Where the contents begin.
    let start: Int
    /// Where they end; nil where a mark ends them.
    let end: Int?

    var isConstructed: Bool { identifier & 0x20 != 0 }
  }

  /// The identifier and the length of the element that comes next; nil where there is none that fits.
  private func header() -> ElementHeader? {
    var place = index
    guard let identifier = octet(&place), passNumber(identifier, &place),
      let first = octet(&place)
    else { return nil }
    if first == 0x80 {
      guard identifier & 0x20 != 0 else { return nil }
      return ElementHeader(identifier: identifier, start: place, end: nil)
    }
    guard let length = length(first, &place), length <= limit - place else { return nil }
    return ElementHeader(identifier: identifier, start: place, end: place + length)
  }

  private func octet(_ place: inout Int) -> UInt8? {
    guard place < limit else { return nil }
    defer { place += 1 }
    return octets[place]
  }

  /// Passes the rest of a tag number above 30 (X.690 §8.1.2.4).
  private func passNumber(_ identifier: UInt8, _ place: inout Int) -> Bool {
    guard identifier & 0x1F == 0x1F else { return true }
    for _ in 0..<5 {
      guard let next = octet(&place) else { return false }
      if next & 0x80 == 0 { return true }
    }
    return false
  }

  /// The number of octets that a length says, which begins with that octet.
  private func length(_ first: UInt8, _ place: inout Int) -> Int? {
    guard first > 0x80 else { return Int(first) }
    let count = Int(first & 0x7F)
    var length = 0
    for _ in 0..<count {
      guard let next = octet(&place), length < 1 << 48 else { return nil }
      length = length << 8 | Int(next)
    }
    return length
  }
}
