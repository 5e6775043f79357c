internal import Platform

/// Lets go of objects in a thread of its own, in their order.
///
/// A file without a name is freed when it is closed: some file systems wait for the disk then, each time.
final class BackgroundRelease: Sendable {
  private struct State: Sendable {
    var objects: [any AnyObject & Sendable] = []
    var isOver = false
  }

  private let state = Monitor(State())
  private let thread: Thread?

  /// Starts the thread; where there can be none, objects go at once.
  init() {
    let state = state
    thread = try? Thread.spawn(name: "release") { Self.work(state) }
  }

  deinit { finish() }

  /// Takes an object, to let go of it; nothing else may refer to it from then on.
  func add(_ object: consuming some AnyObject & Sendable) {
    guard thread != nil else { return }
    state.update { $0.objects.append(object) }
  }

  /// Waits until all objects are gone; what is added from then on goes with this one.
  func finish() {
    state.update { $0.isOver = true }
    thread?.join()
  }

  private static func work(_ state: Monitor<State>) {
    while true {
      // Taken out of the state: they must not go under its lock.
      let objects = state.take { state -> [any AnyObject & Sendable]? in
        guard !state.objects.isEmpty else { return state.isOver ? [] : nil }
        defer { state.objects = [] }
        return state.objects
      }
      guard let objects, !objects.isEmpty else { return }
    }
  }
}
