internal import Glibc
internal import Synchronization

/// The signs of life of a piece of work, on its thread and all that this starts.
///
/// They distinguish work that takes hours from work that hangs.
package final class Heartbeat: Sendable {
  private let time = Atomic<Int64>(Clock.bootNanoseconds())

  /// Signs of work that begins now.
  package init() {}

  /// When the last sign was given, by `Clock.bootNanoseconds`.
  package var last: Int64 { time.load(ordering: .relaxed) }

  /// Does the work whose signs these are.
  package func watching<Result>(_ work: () -> Result) -> Result {
    let before = Self.current
    Self.current = self
    defer { Self.current = before }
    return work()
  }

  /// Does the work of a thread that was started by one whose signs these are.
  func watch() { Self.current = self }

  /// The work of this thread goes on; to be called at every step that may be the only one for long.
  package static func give() {
    current?.time.store(Clock.bootNanoseconds(), ordering: .relaxed)
  }

  /// The signs of this thread's work; nil where nothing looks for them.
  private(set) static var current: Heartbeat? {
    get {
      guard let key, let value = pthread_getspecific(key) else { return nil }
      return Unmanaged<Heartbeat>.fromOpaque(value).takeUnretainedValue()
    }
    set {
      guard let key else { return }
      let before = pthread_getspecific(key)
      let value = newValue.map { Unmanaged.passRetained($0) }
      if pthread_setspecific(key, value?.toOpaque()) != 0 { return value?.release() ?? () }
      if let before { Unmanaged<Heartbeat>.fromOpaque(before).release() }
    }
  }

  /// Nil where the system has no more keys: then no signs are given.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { value in
      if let value { Unmanaged<Heartbeat>.fromOpaque(value).release() }
    }
    return code == 0 ? key : nil
  }()
}
