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
