internal import MailModel
package import Configuration
package import Platform
internal import SyncState

/// The lock that says that an account is watched; a watch holds it for as long as it runs.
package struct WatchLock {
  private let account: String
  private let file: Path

  package init(_ account: Account, _ stateHome: Path) {
    self.account = account.name
    file = AccountPlaces.memory(of: account, in: stateHome).appending("watched")
  }

  /// Whether a program watches the account; to find out, the lock is held for a moment.
  package var isHeld: Bool {
    guard let status = try? FileSystem.status(file), status.kind == .regular else { return false }
    guard case .heldByOther? = try? FileLock.acquire(file) else { return false }
    return true
  }

  /// Takes it; nil where another program has it, which is reported.
  ///
  /// One that is held is tried again for so many seconds: a program that only looks lets go of it at once.
  func acquire(
    within seconds: Double = 0.1,
    _ report: @Sendable (WatchEvent) -> Void
  ) -> FileLock? {
    do throws(SystemError) {
      try FileSystem.makeDirectories(file.parent)
      switch try FileLock.acquire(file, until: .after(seconds: seconds), pause: 0.01) {
      case .acquired(let lock): return lock
      case .heldByOther:
        report(.problem(explanation("another magnum watch runs for this account already")))
      case .unsupported:
        report(.problem(explanation("the file system cannot lock \(file.display)")))
      }
    } catch {
      report(.problem(explanation(error.description)))
    }
    return nil
  }

  private func explanation(_ what: String) -> Explanation {
    Explanation(.tryAgain, place: account, what)
  }
}
