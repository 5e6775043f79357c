internal import Glibc

/// A value that threads share, and can wait on until it changes.
///
/// `@unchecked`: the value is touched only while the mutex is held, and the pointers never change.
package final class Monitor<State: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  /// Shares a value.
  package init(_ state: State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Reads or changes the value; no waiting thread is woken.
  ///
  /// - Throws: what the body throws.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Changes the value and wakes all waiting threads.
  ///
  /// - Throws: what the body throws; the waiting are woken all the same.
  package func update<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { broadcast() }
    return try withLock(body)
  }

  /// Wakes all waiting threads, so that they look at the value again.
  package func broadcast() {
    pthread_cond_broadcast(condition)
  }

  /// Waits until the value is as wanted.
  ///
  /// - Returns: whether it is; false if the deadline came first.
  @discardableResult
  package func wait(
    deadline: Deadline = .never,
    until predicate: (State) -> Bool
  ) -> Bool {
    waitForResult(deadline) { predicate($0) ? true : nil } ?? false
  }

  /// Waits until the body can make something of the value, such as take the first element of a queue.
  ///
  /// All other waiting threads are woken then, since the value may have changed.
  ///
  /// - Parameters:
  ///   - deadline: when to give up.
  ///   - body: gives nil as long as there is nothing; called under the lock, again after each wake-up.
  /// - Returns: what the body gave; nil if the deadline came first.
  package func take<Result>(
    deadline: Deadline = .never,
    _ body: (inout State) -> Result?
  ) -> Result? {
    let result = waitForResult(deadline, body)
    if result != nil { broadcast() }
    return result
  }

  private func waitForResult<Result>(
    _ deadline: Deadline,
    _ body: (inout State) -> Result?
  ) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      guard sleep(until: deadline) else { return body(&state) }
    }
  }

  /// Waits for one wake-up; false if the deadline came first.
  private func sleep(until deadline: Deadline) -> Bool {
    guard let instant = deadline.instant else {
      return pthread_cond_wait(condition, mutex) == 0
    }
    var time = timespec(
      tv_sec: Int(instant / 1_000_000_000),
      tv_nsec: Int(instant % 1_000_000_000)
    )
    return pthread_cond_timedwait(condition, mutex, &time) == 0
  }
}
