import Synchronization

/// Something that is not so until it is.
package final class StopSign: Sendable {
  private let isRaised = Atomic<Bool>(false)

  /// A sign that is down.
  package init() {}

  /// Whether it was raised.
  package var value: Bool { isRaised.load(ordering: .acquiring) }

  /// Raises it for good.
  package func raise() {
    isRaised.store(true, ordering: .releasing)
  }
}
