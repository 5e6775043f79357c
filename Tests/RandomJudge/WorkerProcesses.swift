import Glibc
import Platform

/// What came of playing seeds.
struct SeedCounts: BitwiseCopyable {
  var seeds = 0
  var failures = 0
  /// Partial files that were there after runs.
  var partialFiles = 0

  mutating func add(_ other: SeedCounts) {
    seeds += other.seeds
    failures += other.failures
    partialFiles += other.partialFiles
  }
}

/// Processes that fork(2) makes, each of which does its share of the work: what a run sets, as fault points and limits of the
/// system, is set for its whole process.
enum WorkerProcesses {
  /// Has the work done by `count` processes, numbered from 0; by this one where one is enough.
  static func run(_ count: Int, _ work: (Int) -> SeedCounts) -> SeedCounts {
    guard count > 1 else { return work(0) }
    let counts = SharedCounts(count)
    let processes = (0..<count).map { begin($0, counts, work) }
    var sum = SeedCounts()
    for (number, process) in processes.enumerated() {
      // One that crashed has told what it was playing.
      if !isWell(process) { sum.failures += 1 }
      sum.add(counts[number])
    }
    return sum
  }

  private static func begin(
    _ number: Int,
    _ counts: SharedCounts,
    _ work: (Int) -> SeedCounts
  ) -> Int32 {
    let process = makeProcess()
    guard process >= 0 else {
      say("magnum-judge: fork: error \(errno)")
      exit(70)
    }
    guard process == 0 else { return process }
    withoutActuallyEscaping(work) { work in
      let share = UncheckedBox(value: { counts[number] = work(number) })
      // Swift's locks know the first thread by the number that it had in the process that was copied.
      let thread = try? Thread.spawn(name: "judge", stackSize: 8 << 20) {
        share.value()
        _exit(0)
      }
      thread?.join()
    }
    _exit(70)
  }

  private static func isWell(_ process: Int32) -> Bool {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status == 0
  }
}

/// Counts of each worker, in memory that all of them share.
private struct SharedCounts {
  private let base: UnsafeMutablePointer<SeedCounts>

  init(_ count: Int) {
    let size = count * MemoryLayout<SeedCounts>.stride
    let pointer = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    guard let pointer, pointer != MAP_FAILED else { exit(70) }
    base = pointer.bindMemory(to: SeedCounts.self, capacity: count)
    base.initialize(repeating: SeedCounts(), count: count)
  }

  subscript(number: Int) -> SeedCounts {
    get { base[number] }
    nonmutating set { base[number] = newValue }
  }
}
