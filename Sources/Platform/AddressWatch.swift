internal import CPlatform
internal import Glibc

/// Tells when the machine gets another network address, by rtnetlink(7).
///
/// Used by one thread at a time.
package final class AddressWatch {
  /// A descriptor that is readable when there is something to tell; to be polled, not read; -1 where nothing is told.
  package let descriptor: Int32

  /// A watch of all addresses; where the system does not allow it, nothing is told.
  package init() {
    descriptor = magnum_address_events()
  }

  deinit {
    if descriptor >= 0 { _ = close(descriptor) }
  }

  /// Whether there was a new address since the last call; does not wait.
  package func hasChanged() -> Bool {
    descriptor >= 0 && magnum_take_address_events(descriptor) != 0
  }
}
