internal import Glibc
internal import Platform

/// Work cut into pieces, done by as many threads as there are processors.
enum Workers {
  /// How many threads work side by side: more than four would only need more memory.
  static let count = max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  private struct State: Sendable {
    var next = 0
    var failure: IndexError?
  }

  /// Does all pieces.
  ///
  /// - Parameters:
  ///   - pieces: what is to be done, first things first.
  ///   - interruption: ends the work between two pieces.
  ///   - worker: makes what does a piece; called once in each thread.
  /// - Throws: the first failure; `interrupted`. Pieces under way are finished all the same.
  static func run<Piece: Sendable>(
    pieces: [Piece],
    _ interruption: Interruption,
    _ worker: @escaping @Sendable () throws(IndexError) -> (Piece) throws(IndexError) -> Void
  ) throws(IndexError) {
    let state = Monitor(State())
    let loop: @Sendable () -> Void = {
      do throws(IndexError) {
        let work = try worker()
        while let piece = next(pieces, state) {
          if interruption.isRequested { throw IndexError.interrupted }
          try work(piece)
        }
      } catch {
        state.withLock { $0.failure = $0.failure ?? error }
      }
    }
    try spawn(min(count, pieces.count), loop)
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private static func next<Piece: Sendable>(_ pieces: [Piece], _ state: Monitor<State>) -> Piece? {
    state.withLock { state in
      guard state.failure == nil, state.next < pieces.count else { return nil }
      state.next += 1
      return pieces[state.next - 1]
    }
  }

  /// Runs a body in so many threads at once, one of them this one.
  private static func spawn(
    _ count: Int,
    _ body: @escaping @Sendable () -> Void
  ) throws(IndexError) {
    var threads: [Thread] = []
    for _ in 0..<max(0, count - 1) {
      do throws(SystemError) {
        threads.append(try Thread.spawn(name: "index", stackSize: 8 << 20, body))
      } catch {
        // Then with fewer.
        break
      }
    }
    if count > 0 { body() }
    for thread in threads { thread.join() }
  }
}
