#if FAULT_POINTS
internal import CPlatform
internal import Glibc
internal import Synchronization
#endif

/// The places where a test may kill the process, one before and one after every change on disk.
///
/// Only where the package is built with FAULT_POINTS (debug builds); otherwise no code is left of it. Three
/// variables of the environment steer it:
/// - `MAGNUM_FAULT=n`: at the n-th point (from 1) the process sends itself SIGKILL.
/// - `MAGNUM_FAULT_COUNT=path`: ``writeCount()`` leaves the number of points passed there, and below it a line for each
///   system call on files with the number of times it was made, and one for the names read in directories.
/// - `MAGNUM_FAULT_ERROR=n:ENOSPC` (a name or a number): the n-th change on disk (from 1) fails with that error
///   instead of being done; of a write, the first half is done. `n+:ENOSPC`: so does each one after it.
package enum FaultPoint {
  /// Passes a point; changes outside this module, such as a send to a server, may have points of their own.
  @inline(__always)
  package static func pass(_ name: StaticString) {
    #if FAULT_POINTS
    count(name)
    #endif
  }

  /// Counts a system call on files, or what costs as much.
  @inline(__always)
  static func call(_ name: StaticString) {
    #if FAULT_POINTS
    countCall(name)
    #endif
  }

  /// Says that names of a directory are about to be read.
  @inline(__always)
  static func read() {
    #if FAULT_POINTS
    step()
    #endif
  }

  /// From now on points and changes are counted anew, and what is given takes the place of the variables: for a process that
  /// was made of another one by fork(2).
  ///
  /// `error` is as in `MAGNUM_FAULT_ERROR`.
  package static func arm(killingAt point: Int?, error: String?) {
    #if FAULT_POINTS
    passed.store(0, ordering: .relaxed)
    changes.store(0, ordering: .relaxed)
    armed.withLock { $0 = Arms(point: point, injection: error.flatMap { Injection($0) }) }
    #endif
  }

  /// From now on `step` is done before each read of a directory, with its number from 1; nil for nothing.
  ///
  /// What it reads itself has numbers, too.
  package static func beforeReads(_ step: (@Sendable (Int) -> Void)?) {
    #if FAULT_POINTS
    reads.withLock { $0 = (0, step) }
    #endif
  }

  /// The rules of the sync core that `MAGNUM_RULES_OFF` turns off, by their names; nil where none is.
  @inline(__always)
  package static var rulesOff: String? {
    #if FAULT_POINTS
    variable("MAGNUM_RULES_OFF")
    #else
    nil
    #endif
  }

  /// Writes how many points the process has passed, if it was asked to; programs call this at their end.
  @inline(__always)
  package static func writeCount() {
    #if FAULT_POINTS
    leaveCount()
    #endif
  }
}

#if FAULT_POINTS
extension FaultPoint {
  private static let passed = Atomic<Int>(0)
  private static let changes = Atomic<Int>(0)
  private static let calls = Mutex<[String: Int]>([:])
  private static let armed = Mutex(
    Arms(
      point: variable("MAGNUM_FAULT").flatMap { Int($0) },
      injection: variable("MAGNUM_FAULT_ERROR").flatMap { Injection($0) }
    )
  )
  private static let reads = Mutex<(number: Int, step: (@Sendable (Int) -> Void)?)>((0, nil))
  private static let countFile = variable("MAGNUM_FAULT_COUNT")

  /// The error that the change about to be made shall fail with; nil, as a rule, lets it be made.
  static func injectedError() -> Int32? {
    guard let injection = armed.withLock({ $0.injection }) else { return nil }
    let number = changes.add(1, ordering: .relaxed).newValue
    return injection.applies(to: number) ? injection.code : nil
  }

  private static func count(_ name: StaticString) {
    let number = passed.add(1, ordering: .relaxed).newValue
    guard number == armed.withLock({ $0.point }) else { return }
    say("fault point \(number): \(name)\n")
    magnum_kill_self()
  }

  private static func countCall(_ name: StaticString) {
    guard countFile != nil else { return }
    calls.withLock { $0[name.description, default: 0] += 1 }
  }

  private static func step() {
    let now = reads.withLock { reads in
      reads.number += 1
      return reads
    }
    now.step?(now.number)
  }

  /// Past this module's own calls, which would count themselves.
  private static func leaveCount() {
    guard let path = countFile else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let lines = calls.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
    let text = Array(("\(passed.load(ordering: .relaxed))\n" + lines.joined()).utf8)
    _ = write(descriptor, text, text.count)
    _ = close(descriptor)
  }

  private static func say(_ text: String) {
    let octets = Array(text.utf8)
    _ = write(2, octets, octets.count)
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// What happens at which point.
  private struct Arms: Sendable {
    let point: Int?
    let injection: Injection?
  }

  /// An error to be put in the place of a change: "12:ENOSPC", "12+:28".
  private struct Injection: Sendable {
    let first: Int
    let isLasting: Bool
    let code: Int32

    init?(_ text: String) {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let code = Self.code(String(parts[1])) else { return nil }
      let isLasting = parts[0].hasSuffix("+")
      guard let first = Int(isLasting ? parts[0].dropLast() : parts[0]) else { return nil }
      self.first = first
      self.isLasting = isLasting
      self.code = code
    }

    func applies(to number: Int) -> Bool {
      isLasting ? number >= first : number == first
    }

    private static func code(_ text: String) -> Int32? {
      let names = [
        "EACCES": EACCES, "EDQUOT": EDQUOT, "EEXIST": EEXIST, "EIO": EIO, "ENOENT": ENOENT,
        "ENOSPC": ENOSPC, "EROFS": EROFS,
      ]
      return names[text] ?? Int32(text)
    }
  }
}
#endif
