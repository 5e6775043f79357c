internal import Configuration
package import MailModel
package import Maildir
package import Platform
internal import Threads

/// Keeps an index up to date with a Maildir that is being changed, on a thread of its own.
///
/// The thread yields the processor to all others, so that mail is fetched as fast as without it. Who changes the
/// Maildir says what was changed, and that alone is looked at; a look takes in all changes that the folders show, by any
/// program. What is asked for while something is under way is done together after that.
package final class IndexFollower: Sendable {
  fileprivate struct State: Sendable {
    var isWanted = false
    /// Changes to be taken in; a look finds them too.
    var changes: [MaildirChange] = []
    /// Whether something is missing from the index since it could not be taken in: only a look finds it.
    var mustLook = false
    var isEnding = false
    var report = IndexReport()
    var failure: IndexError?
  }

  /// How many changes are kept; beyond that a look costs less.
  private static let changeLimit = 5000

  private let root: Path
  private let subjects: SubjectThreading?
  private let wait: Double
  private let progress: @Sendable (_ done: Int, _ total: Int) -> Void
  private let state = Monitor(State())
  private let thread = Monitor(Thread?.none)

  /// Follows the Maildir below a root, which need not be there yet.
  ///
  /// - Parameters:
  ///   - root: the root of the Maildir folders.
  ///   - subjects: what subjects link, as in ``SearchIndex``; an index that is there is threaded anew where it was made
  ///     otherwise.
  ///   - wait: how many seconds to wait for another writer.
  ///   - progress: told how far a build is: messages done, of how many; called from several threads.
  package init(
    _ root: Path,
    _ subjects: SubjectThreading?,
    wait: Double = 10,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void
  ) {
    self.root = root
    self.subjects = subjects
    self.wait = wait
    self.progress = progress
  }

  /// Adds changes that were made to the Maildir; returns at once.
  package func addChanges(_ changes: [MaildirChange]) {
    guard !changes.isEmpty else { return }
    state.update { $0.addChanges(changes, limit: Self.changeLimit) }
    start()
  }

  /// Has the folders looked at; returns at once.
  package func look() {
    state.update { $0.look() }
    start()
  }

  private func start() {
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
    var held: HeldChanges?
    while let wish = nextWish() { carryOut(wish, &held) }
    if held != nil { carryOut(.take([]), &held) }
  }

  private func carryOut(_ wish: Wish, _ held: inout HeldChanges?) {
    do throws(IndexError) {
      let report = try outcome(of: wish, &held)
      state.withLock {
        $0.report.add(next: report)
        $0.failure = nil
      }
    } catch {
      held = nil
      state.withLock {
        $0.failure = error
        $0.mustLook = true
      }
    }
  }

  fileprivate enum Wish: Sendable {
    case look
    case take([MaildirChange])
  }

  /// Waits for a wish; nil when there is none and no more will come.
  private func nextWish() -> Wish? {
    state.take { $0.takeWish() } ?? nil
  }

  private func outcome(
    of wish: Wish,
    _ held: inout HeldChanges?
  ) throws(IndexError) -> IndexReport {
    let place: IndexPlace
    do throws(SystemError) {
      guard try FileSystem.status(root) != nil else { return IndexReport() }
      place = try IndexPlace.of(root)
    } catch {
      throw .system(error)
    }
    var index = SearchIndex(place)
    index.progress = progress
    index.wait = wait
    index.subjects = subjects
    do throws(IndexError) {
      switch wish {
      case .look: return try index.scan(holding: &held)
      case .take(let changes):
        let report = try index.apply(changes, with: held)
        held = nil
        return report
      }
    } catch {
      // Damaged: all that is in it can be had again from the mail.
      switch error {
      case .damaged, .notThere:
        held = nil
        return try index.build()
      case .system, .locked, .newer, .older, .modified, .full, .tooManyWords, .pattern,
        .interrupted, .failed:
        throw error
      }
    }
  }
}

extension IndexFollower.State {
  fileprivate mutating func addChanges(_ more: [MaildirChange], limit: Int) {
    if changes.count + more.count > limit { look() }
    if !isWanted { changes += more }
  }

  /// What is to be done next: nothing more, nil, at the end; no answer while there is nothing yet.
  fileprivate mutating func takeWish() -> IndexFollower.Wish?? {
    if isWanted || mustLook && !changes.isEmpty {
      (isWanted, mustLook, changes) = (false, false, [])
      return .look
    }
    if changes.isEmpty { return isEnding ? .some(nil) : nil }
    guard isEnding || changes.count >= HeldChanges.limit else { return nil }
    defer { changes = [] }
    return .take(changes)
  }

  /// A look finds what was told before it.
  fileprivate mutating func look() {
    isWanted = true
    changes = []
  }
}
