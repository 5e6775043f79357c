internal import Platform

/// Has filters make text of attachments beside the syncs of an account, on a thread that ends when nothing is left to do.
final class TextWorker: Sendable {
  private struct State: Sendable {
    var waiting: (@Sendable () -> Void)?
    var isRunning = false
  }

  private let state = Monitor(State())

  /// Runs the work, now or once that under way has ended; does not wait for it.
  func runWork(_ work: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.waiting = work
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isFirst else { return }
    let thread = try? Thread.spawn(name: "texts", stackSize: 8 << 20, isBackground: true) {
      self.work()
    }
    // Without a thread, the next sync tries again.
    if thread == nil { state.withLock { $0 = State() } }
  }

  private func work() {
    while let next = takeNext() { next() }
  }

  private func takeNext() -> (@Sendable () -> Void)? {
    state.update { state in
      if state.waiting == nil { state.isRunning = false }
      return state.waiting.take()
    }
  }

  /// Waits until nothing is left to do.
  func waitUntilIdle() {
    state.wait(deadline: .never) { !$0.isRunning }
  }
}
