internal import CommandLine
package import Configuration
package import Platform
internal import SyncState

/// The lock that says that an account is watched; a watch holds it for as long as it runs.
package struct WatchLock {
  private let account: String
  private let file: Path

  /// The lock of an account.
  package init(_ account: Account, _ stateHome: Path) {
    self.account = account.name
    file = AccountPlaces.memory(of: account, in: stateHome).appending("watched")
  }

  /// Whether a program watches the account.
  package var isHeld: Bool {
    guard let status = try? FileSystem.status(file), status.kind == .regular else { return false }
    guard case .heldByOther? = try? FileLock.acquire(file) else { return false }
    return true
  }

  /// Takes it; nil where another program has it, which is reported.
  func acquire(_ report: @Sendable (WatchEvent) -> Void) -> FileLock? {
    do throws(SystemError) {
      try FileSystem.makeDirectories(file.parent)
      switch try FileLock.acquire(file) {
      case .acquired(let lock): return lock
      case .heldByOther, .unsupported:
        report(.problem(explanation("another magnum watch runs for this account already")))
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
