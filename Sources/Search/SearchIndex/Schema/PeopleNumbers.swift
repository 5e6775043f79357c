/// The senders and receivers of a message by their numbers, as a value keeps them: a list of people needs no record.
struct PeopleNumbers {
  var from: [UInt32] = []
  var to: [UInt32] = []
  var cc: [UInt32] = []

  /// More than that many are not kept: such messages are read.
  static let limit = 1000

  var octets: [UInt8] {
    var writer = OctetWriter()
    for numbers in [from, to, cc] {
      writer.add(numbers.count)
      for number in numbers { writer.add(UInt64(number)) }
    }
    return writer.octets
  }

  init() {}

  /// The numbers that a value keeps; nil for none.
  init?(_ octets: UnsafeRawBufferPointer) {
    guard !octets.isEmpty else { return nil }
    var rest = octets[...]
    from = Self.list(&rest)
    to = Self.list(&rest)
    cc = Self.list(&rest)
  }

  /// Numbers behind their count.
  private static func list(_ octets: inout Slice<UnsafeRawBufferPointer>) -> [UInt32] {
    var numbers: [UInt32] = []
    var count = number(&octets)
    while count > 0, !octets.isEmpty {
      numbers.append(number(&octets))
      count -= 1
    }
    return numbers
  }

  /// A number as ``OctetWriter`` writes it.
  private static func number(_ octets: inout Slice<UnsafeRawBufferPointer>) -> UInt32 {
    var (result, shift): (UInt32, UInt32) = (0, 0)
    while let octet = octets.popFirst() {
      result |= UInt32(octet & 0x7F) << shift
      if octet < 0x80 { break }
      shift += 7
    }
    return result
  }
}
