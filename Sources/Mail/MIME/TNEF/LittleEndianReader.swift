/// Reads numbers of which the lowest octet comes first, and never more than there is.
struct LittleEndianReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ octets: ArraySlice<UInt8>) {
    rest = octets
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// The next number of that many octets, at most 4; nil where there are fewer.
  mutating func number(_ count: Int) -> Int? {
    takeOctets(count)?.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// The next octets; nil where there are fewer.
  mutating func takeOctets(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, rest.count >= count else { return nil }
    let taken = rest.prefix(count)
    rest = rest.dropFirst(count)
    return taken
  }

  /// The next octets, and those that fill them up to a multiple of four, which may be missing at the end.
  mutating func takePadded(_ count: Int) -> ArraySlice<UInt8>? {
    guard let taken = takeOctets(count) else { return nil }
    _ = takeOctets(min(-count & 3, rest.count))
    return taken
  }
}
