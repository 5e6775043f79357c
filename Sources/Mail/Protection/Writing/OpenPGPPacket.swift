/// A packet of OpenPGP (RFC 9580 §4.2).
struct OpenPGPPacket {
  let tag: UInt8
  /// Its octets; of one in pieces the first piece.
  let body: ArraySlice<UInt8>

  /// Takes the next packet; nil where there is none that is whole.
  init?(_ rest: inout ArraySlice<UInt8>) {
    guard let first = rest.popFirst(), first & 0x80 != 0 else { return nil }
    let isNew = first & 0x40 != 0
    tag = isNew ? first & 0x3F : first >> 2 & 0x0F
    let body = isNew ? Self.takeBody(&rest) : Self.takeOldBody(&rest, first & 3)
    guard let body else { return nil }
    self.body = body
  }

  private static func takeOldBody(
    _ rest: inout ArraySlice<UInt8>,
    _ kind: UInt8
  ) -> ArraySlice<UInt8>? {
    guard kind < 3 else { return takeOctets(&rest, rest.count) }
    return takeNumber(&rest, 1 << Int(kind)).flatMap { takeOctets(&rest, $0) }
  }

  private static func takeBody(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let length = takeLength(&rest) else { return nil }
    guard length.isPart else { return takeOctets(&rest, length.octets) }
    let first = takeOctets(&rest, length.octets)
    while let next = takeLength(&rest) {
      guard takeOctets(&rest, next.octets) != nil else { return nil }
      if !next.isPart { return first }
    }
    return nil
  }

  private static func takeLength(
    _ rest: inout ArraySlice<UInt8>
  ) -> (octets: Int, isPart: Bool)? {
    guard let first = rest.popFirst() else { return nil }
    switch first {
    case 0..<192: return (Int(first), false)
    case 192..<224: return rest.popFirst().map { (Int(first - 192) << 8 + Int($0) + 192, false) }
    case 224..<255: return (1 << Int(first & 0x1F), true)
    default: return takeNumber(&rest, 4).map { ($0, false) }
    }
  }

  private static func takeNumber(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int? {
    takeOctets(&rest, count)?.reduce(0) { $0 << 8 | Int($1) }
  }

  private static func takeOctets(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> ArraySlice<
    UInt8
  >? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
