internal import Configuration
import Octets
internal import Platform
package import SearchIndex
internal import SyncEngine

/// Leaves the mail of a run indexed: what the run itself changes it says; what other programs did is looked for.
///
/// An index lies beside the mail and can be made anew from it at any time, so that it never stops a sync: what goes
/// wrong is reported.
package final class Indexing: Sendable {
  /// What became of an account's index.
  package enum Outcome: Sendable {
    /// It is up to date: what has changed, and how far it has come where anything has.
    case done(IndexReport, IndexRevision?)
    /// It is not, and why.
    case failed(IndexError)

    /// What has changed; nil where it failed.
    var report: IndexReport? { if case .done(let report, _) = self { report } else { nil } }
  }

  private let accounts: [String: Account]
  private let progress: @Sendable (_ account: String, _ done: Int, _ total: Int) -> Void
  private let followers = Monitor([String: IndexFollower]())
  private let failures = Monitor(0)

  /// Whether an index could not be brought up to date, and trying again will not help.
  var hasFailed: Bool { failures.withLock { $0 > 0 } }

  /// The indexing of those accounts that want it.
  init(
    _ accounts: [Account],
    progress: @escaping @Sendable (_ account: String, _ done: Int, _ total: Int) -> Void
  ) {
    let wanted = accounts.filter(\.isIndexed).map { ($0.name, $0) }
    self.accounts = Dictionary(first: wanted)
    self.progress = progress
  }

  /// Handles an event of the run; waits for the index where all mail is in place.
  ///
  /// - Returns: what became of the index where it was waited for; otherwise nil.
  func handleEvent(_ event: SyncEvent) -> Outcome? {
    guard let account = accounts[event.account] else { return nil }
    switch event.kind {
    // The lock is held from here on. What other programs did is taken in while the server is waited for.
    case .state(.connecting) where !isFollowed(event.account),
      .state(.folders) where !isFollowed(event.account):
      follower(of: account).look()
    case .changed(let changes): follower(of: account).addChanges(changes)
    case .folder: follower(of: account).look()
    // It may have come since the first look.
    case .mailbox(let report) where report.hasPushed: follower(of: account).look()
    case .mirrored, .finished: return finish(event.account)
    default: break
    }
    return nil
  }

  private func isFollowed(_ account: String) -> Bool {
    followers.withLock { $0[account] != nil }
  }

  private func follower(of account: Account) -> IndexFollower {
    followers.withLock { followers in
      if let follower = followers[account.name] { return follower }
      let follower = IndexFollower(account.maildir, account.subjectThreading) { [progress] in
        progress(account.name, $0, $1)
      }
      followers[account.name] = follower
      return follower
    }
  }

  /// Nil where it cannot be read just now.
  private func revision(_ account: String) -> IndexRevision? {
    guard let account = accounts[account],
      let set = try? SearchSet([account], stemming: nil)
    else { return nil }
    return (try? set.revision()).flatMap { $0 }
  }

  private func finish(_ account: String) -> Outcome? {
    guard let follower = followers.withLock({ $0.removeValue(forKey: account) }) else { return nil }
    do throws(IndexError) {
      let report = try follower.finish()
      return .done(report, report.isQuiet ? nil : revision(account))
    } catch {
      // The holder of the lock, and the next run, see what this one did not take in.
      if error.isTemporary { return nil }
      failures.withLock { $0 += 1 }
      return .failed(error)
    }
  }
}
