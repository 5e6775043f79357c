package import SyncPlan

extension RemoteMessage {
  /// So many octets may be missing of any message: what servers say of small ones is often not what they give.
  private static let slack: UInt64 = 64 << 10

  /// Whether octets that came of it are so much fewer than its size that they may be a part of it only.
  ///
  /// Some servers estimate sizes, or count line ends otherwise; none of those are a quarter off, and of none is nothing left.
  package func isCut(at octets: UInt64) -> Bool {
    guard let size, octets < size else { return false }
    return octets == 0 || size - octets > max(Self.slack, size / 4)
  }
}
