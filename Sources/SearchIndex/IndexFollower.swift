internal import Configuration
package import MailModel
package import Platform
internal import Threads

/// Keeps an index up to date with a Maildir that is being changed, on a thread of its own.
///
/// The thread yields the processor to all others, so that mail is fetched as fast as without it. Each look takes in
/// all changes that the folders show, by any program: looks that are asked for while one is under way become
/// one.
package final class IndexFollower: Sendable {
  private struct State: Sendable {
    var isWanted = false
    var isEnding = false
    var report = IndexReport()
    var failure: IndexError?
  }

  private let root: Path
  private let subjects: SubjectThreading
  private let progress: @Sendable (_ done: Int, _ total: Int) -> Void
  private let state = Monitor(State())
  private let thread = Monitor(Thread?.none)

  /// Follows the Maildir below a root, which need not be there yet.
  ///
  /// - Parameters:
  ///   - root: the root of the Maildir folders.
  ///   - subjects: what subjects link; an index that is there is threaded anew where it was made otherwise.
  ///   - progress: told how far a build is: messages done, of how many; called from several threads.
  package init(
    _ root: Path,
    _ subjects: SubjectThreading,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void
  ) {
    self.root = root
    self.subjects = subjects
    self.progress = progress
  }

  /// Has the folders looked at; returns at once.
  package func look() {
    state.update { $0.isWanted = true }
    thread.withLock { thread in
      // Without a thread all is done at the end.
      if thread == nil { thread = try? spawn() }
    }
  }

  /// Waits until what was asked for is in the index.
  ///
  /// - Returns: all that was changed since the beginning; durable.
  /// - Throws: why the last look failed; what it did not take in is found by the next run's.
  package func finish() throws(IndexError) -> IndexReport {
    state.update { $0.isEnding = true }
    if let thread = thread.withLock({ $0 }) { thread.join() } else { work() }
    let result = state.withLock { $0 }
    if let failure = result.failure { throw failure }
    return result.report
  }

  private func spawn() throws(SystemError) -> Thread {
    try Thread.spawn(name: "index", stackSize: 8 << 20, isBackground: true) { self.work() }
  }

  private func work() {
    while isAskedAgain() {
      do throws(IndexError) {
        let report = try takeIn()
        state.withLock {
          $0.report.add(report)
          $0.failure = nil
        }
      } catch {
        state.withLock { $0.failure = error }
      }
    }
  }

  /// Waits for a wish; false when there is none and no more will come.
  private func isAskedAgain() -> Bool {
    let isAsked = state.take { state -> Bool? in
      if state.isWanted {
        state.isWanted = false
        return true
      }
      return state.isEnding ? false : nil
    }
    return isAsked ?? false
  }

  private func takeIn() throws(IndexError) -> IndexReport {
    let place: IndexPlace
    do throws(SystemError) {
      guard try FileSystem.status(root) != nil else { return IndexReport() }
      place = try IndexPlace.of(root)
    } catch {
      throw .system(error)
    }
    var index = SearchIndex(place)
    index.progress = progress
    index.subjects = subjects
    do throws(IndexError) {
      return try index.scan()
    } catch {
      // Damaged: all that is in it can be had again from the mail.
      switch error {
      case .damaged, .notThere: return try index.build()
      default: throw error
      }
    }
  }
}
