internal import Octets

/// Takes packets of OpenPGP apart while their octets come (RFC 9580 §4.2).
struct OpenPGPPackets {
  struct Packet {
    let tag: UInt8
    /// What its body begins with.
    fileprivate(set) var start: [UInt8] = []
  }

  /// Of each body as much is kept.
  private static let startLimit = 16
  /// More packets are not looked at.
  private static let countLimit = 10_000

  private enum Place {
    case tag
    /// In a length: how it is written, and what came of it.
    case length(Format, [UInt8])
    /// In the body, or a piece of it: how many octets are still to come.
    case body(Int, isLast: Bool)
    /// In a body that goes on to the end.
    case rest
    case broken
  }

  private enum Format {
    /// So many octets, the highest first.
    case old(Int)
    case new
  }

  private var place = Place.tag
  private var packets: [Packet] = []

  /// The packets, if the last of them is whole; else nil.
  var whole: [Packet]? {
    switch place {
    case .tag, .rest: packets
    case .length, .body, .broken: nil
    }
  }

  /// Takes the next octets.
  mutating func takeOctets(_ octets: ArraySlice<UInt8>) {
    var rest = octets
    while let first = rest.first {
      switch place {
      case .tag:
        begin(first)
        rest.removeFirst()
      case .length(let format, let known):
        place = Self.place(behind: known + [first], format)
        rest.removeFirst()
      case .body(let count, let isLast):
        let piece = rest.prefix(count)
        keepStart(piece)
        place = Self.body(count - piece.count, isLast: isLast)
        rest = rest.dropFirst(piece.count)
      case .rest:
        keepStart(rest)
        return
      case .broken: return
      }
    }
  }

  private mutating func begin(_ first: UInt8) {
    guard first & 0x80 != 0, packets.count < Self.countLimit else {
      place = .broken
      return
    }
    let isNew = first & 0x40 != 0
    packets.append(Packet(tag: isNew ? first & 0x3F : first >> 2 & 0x0F))
    if isNew {
      place = .length(.new, [])
    } else {
      place = first & 3 == 3 ? .rest : .length(.old(1 << Int(first & 3)), [])
    }
  }

  private mutating func keepStart(_ octets: ArraySlice<UInt8>) {
    let last = packets.count - 1
    packets[last].start += octets.prefix(Self.startLimit - packets[last].start.count)
  }

  /// The place behind what is known of a length.
  private static func place(behind known: [UInt8], _ format: Format) -> Place {
    guard case .new = format else {
      guard case .old(let count) = format, known.count == count else {
        return .length(format, known)
      }
      return body(number(known[...]), isLast: true)
    }
    switch known[0] {
    case 0..<192: return body(Int(known[0]), isLast: true)
    case 192..<224:
      guard known.count == 2 else { return .length(format, known) }
      return body(Int(known[0] - 192) << 8 + Int(known[1]) + 192, isLast: true)
    case 224..<255: return body(1 << Int(known[0] & 0x1F), isLast: false)
    default:
      guard known.count == 5 else { return .length(format, known) }
      return body(number(known.dropFirst()), isLast: true)
    }
  }

  private static func body(_ count: Int, isLast: Bool) -> Place {
    guard count == 0 else { return .body(count, isLast: isLast) }
    return isLast ? .tag : .length(.new, [])
  }

  private static func number(_ octets: ArraySlice<UInt8>) -> Int {
    octets.reduce(0) { $0 << 8 | Int($1) }
  }
}
