internal import CPlatform
internal import Glibc
internal import Synchronization

/// A system thread, for work that blocks and would starve Swift's own pool.
package final class Thread: Sendable {
  private let handle: pthread_t
  private let isJoined = Atomic<Bool>(false)

  private init(_ handle: pthread_t) {
    self.handle = handle
  }

  deinit {
    guard !isJoined.load(ordering: .relaxed) else { return }
    pthread_detach(handle)
  }

  /// Starts a thread, which gives its signs of life where this one does.
  ///
  /// - Parameters:
  ///   - name: for debuggers; cut to 15 octets.
  ///   - stackSize: in octets.
  ///   - isBackground: whether it, and the threads it starts, yield the processor to all others.
  ///   - body: what the thread does.
  /// - Returns: the thread, which runs to its end even if nothing refers to it.
  /// - Throws: the error of pthread_create(3).
  package static func spawn(
    name: String,
    stackSize: Int = 1 << 20,
    isBackground: Bool = false,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) -> Thread {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackSize)
    let work = Unmanaged.passRetained(Work(name: name, isBackground: isBackground, body: body))
    var handle = pthread_t()
    let code = pthread_create(&handle, &attributes, run, work.toOpaque())
    guard code == 0 else {
      work.release()
      throw SystemError(operation: "pthread_create", path: nil, code: code)
    }
    return Thread(handle)
  }

  /// Waits for the end of the thread; a second call returns at once.
  package func join() {
    guard !isJoined.exchange(true, ordering: .relaxed) else { return }
    pthread_join(handle, nil)
  }

  private final class Work: Sendable {
    let name: String
    let isBackground: Bool
    let body: @Sendable () -> Void
    let heartbeat = Heartbeat.current

    init(name: String, isBackground: Bool, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.isBackground = isBackground
      self.body = body
    }

    func run() {
      magnum_name_thread(String(decoding: name.utf8.prefix(15), as: UTF8.self))
      // On Linux a priority is a thread's own, whatever POSIX says.
      if isBackground { _ = nice(10) }
      heartbeat?.watch()
      body()
    }
  }

  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let pointer = $0 else { return nil }
    Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run()
    return nil
  }
}
