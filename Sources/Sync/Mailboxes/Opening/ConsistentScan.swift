internal import Platform
internal import SyncPlan

/// Sees to it that what was read of several Maildirs was true of all of them at one moment.
///
/// They are read one after the other, and some before the server is asked. A file that is moved from one to another meanwhile
/// would be in neither of them, and look removed; or in both, and look copied.
package struct ConsistentScan {
  private static let attempts = 3

  private let group: [OpenMailbox]

  package init(_ group: [OpenMailbox]) {
    self.group = group
  }

  /// Reads the Maildirs again that changed since they were read.
  ///
  /// Where they do not stand still or cannot be read, no absence is proven afterwards.
  package func rereadMaildirs() {
    guard SyncRule.absence.isOn, group.count > 1, !isReached else { return }
    for mailbox in group { mailbox.doubt() }
  }

  private var isReached: Bool {
    for _ in 0..<Self.attempts {
      let changed = group.filter(\.hasChangedHere)
      if changed.isEmpty { return true }
      for mailbox in changed {
        guard (try? mailbox.readAgain()) != nil else { return false }
      }
    }
    return !group.contains(where: \.hasChangedHere)
  }
}
