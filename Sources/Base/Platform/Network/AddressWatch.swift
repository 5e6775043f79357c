internal import CPlatform
internal import Glibc

/// Tells when the machine gets another network address, by rtnetlink(7).
///
/// Used by one thread at a time.
package final class AddressWatch {
  /// A descriptor that is readable when there is something to tell; to be polled, not read; -1 where nothing is told.
  package let descriptor: Int32

  private var addresses = AddressSet()
  private var buffer = [UInt8](repeating: 0, count: 1 << 14)

  /// A watch of all addresses; where the system does not allow it, nothing is told.
  package init() {
    descriptor = magnum_address_events()
    ask()
  }

  deinit {
    if descriptor >= 0 { _ = close(descriptor) }
  }

  /// Whether there was a new address since the last call; does not wait.
  ///
  /// The system also reports an address whose lifetime it extends, as when a router announces it again. An address that was
  /// there before is not new.
  package func hasChanged() -> Bool {
    var isNew = false
    while descriptor >= 0 {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count >= 0 {
        isNew = addresses.applyMessages(buffer[..<count]) || isNew
      } else if errno == ENOBUFS {
        // What did not fit into the socket may have been an address.
        isNew = true
        addresses = AddressSet()
        ask()
      } else if errno != EINTR {
        return isNew
      }
    }
    return isNew
  }

  /// Has the system list the addresses that there are.
  private func ask() {
    guard descriptor >= 0 else { return }
    let request = AddressSet.request
    _ = send(descriptor, request, request.count, 0)
  }
}

/// The network addresses of the machine, from the messages of rtnetlink(7).
struct AddressSet: Sendable {
  /// Each address with the number of its interface and its family.
  private var known: Set<[UInt8]> = []

  /// Applies received messages; gives whether an address came that was not there before.
  ///
  /// Those of a list that was asked for are not new.
  mutating func applyMessages(_ octets: ArraySlice<UInt8>) -> Bool {
    var isNew = false
    var rest = octets
    while let length = Self.number(rest, 0, UInt32.self).map(Int.init), length >= Self.head,
      rest.count >= length
    {
      isNew = takeOne(rest.prefix(length)) || isNew
      rest = rest.dropFirst(Self.padded(length))
    }
    return isNew
  }

  private mutating func takeOne(_ message: ArraySlice<UInt8>) -> Bool {
    guard let type = Self.number(message, 4, UInt16.self),
      let flags = Self.number(message, 6, UInt16.self),
      let address = Self.address(message.dropFirst(Self.head))
    else { return false }
    switch type {
    case Self.newAddress: return known.insert(address).inserted && flags & Self.isListed == 0
    case Self.goneAddress:
      known.remove(address)
      return false
    default: return false
    }
  }

  /// The interface and the address of a message: on a point-to-point link, the local address.
  private static func address(_ body: ArraySlice<UInt8>) -> [UInt8]? {
    guard body.count >= 8, let family = body.first else { return nil }
    let interface = body.dropFirst(4).prefix(4)
    var found: (own: ArraySlice<UInt8>?, other: ArraySlice<UInt8>?)
    var rest = body.dropFirst(8)
    while let length = number(rest, 0, UInt16.self).map(Int.init), length >= 4,
      rest.count >= length, let type = number(rest, 2, UInt16.self)
    {
      if type == ownAddress { found.own = rest.prefix(length).dropFirst(4) }
      if type == anyAddress { found.other = rest.prefix(length).dropFirst(4) }
      rest = rest.dropFirst(padded(length))
    }
    return (found.own ?? found.other).map { [family] + interface + $0 }
  }

  /// A number of the machine's own byte order; nil where the octets end before.
  private static func number<Number: FixedWidthInteger>(
    _ octets: ArraySlice<UInt8>,
    _ offset: Int,
    _: Number.Type
  ) -> Number? {
    guard octets.count >= offset + MemoryLayout<Number>.size else { return nil }
    return octets.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
  }

  private static func padded(_ length: Int) -> Int { (length + 3) & ~3 }

  /// The octets of a message's head.
  private static let head = 16
  /// Types of messages, a flag, and types of attributes: RTM_NEWADDR, RTM_DELADDR, NLM_F_MULTI, IFA_ADDRESS, IFA_LOCAL.
  private static let (newAddress, goneAddress) = (UInt16(20), UInt16(21))
  private static let isListed = UInt16(2)
  private static let (anyAddress, ownAddress) = (UInt16(1), UInt16(2))

  /// The message that asks for a list of all addresses: RTM_GETADDR, with NLM_F_REQUEST and NLM_F_DUMP.
  static var request: [UInt8] {
    withUnsafeBytes(of: UInt32(24)) { Array($0) } + withUnsafeBytes(of: UInt16(22)) { Array($0) }
      + withUnsafeBytes(of: UInt16(0x301)) { Array($0) } + [UInt8](repeating: 0, count: 16)
  }
}
