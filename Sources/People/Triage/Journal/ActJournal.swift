internal import Glibc
internal import Octets
package import Platform
internal import SpoolPlan

/// The acts of a user: a file of text for each month in `journal` below the state home.
///
/// An act is durable here before any file is changed. So an act that a crash interrupted can be finished, and any act can be
/// undone. All is written under a lock, which is held until the act is done: what stands there without being done was cut
/// short.
package struct ActJournal: Sendable {
  /// Where the files lie.
  package let directory: Path

  /// Far above what a month brings, in octets.
  private static let sizeLimit = 1 << 30

  /// The journal below a state home.
  package init(stateHome: Path) {
    directory = stateHome.appending("magnum/journal")
  }

  private var lockFile: Path { directory.appending("lock") }

  /// Whether there is one.
  package var isThere: Bool { (try? FileSystem.status(directory)).flatMap { $0 } != nil }

  // MARK: Reading

  /// The acts, the newest first, as far back as wanted.
  ///
  /// - Parameters:
  ///   - limit: how many at least, where there are so many; whole months are read.
  ///   - isCounted: whether an act counts for that.
  /// - Returns: the acts that are whole, with what became of them.
  /// - Throws: why a file cannot be read.
  package func acts(
    atLeast limit: Int,
    where isCounted: (Act) -> Bool = { _ in true }
  ) throws(SystemError) -> [RecordedAct] {
    var acts: [RecordedAct] = []
    var count = 0
    for month in try months().reversed() where count < limit {
      let found = try read(month).acts
      count += found.count { isCounted($0.act) }
      acts += found.reversed()
    }
    var undoing: [Int: [RecordedAct]] = [:]
    for index in acts.indices where acts[index].isDone {
      // What took it back comes later, and so has been seen.
      acts[index].take(undoing: undoing[acts[index].act.number] ?? [])
      if let undone = acts[index].act.undoing { undoing[undone, default: []].append(acts[index]) }
    }
    return acts
  }

  /// The acts from a moment on, in seconds since 1970, without what later acts did with them.
  ///
  /// - Throws: why a file cannot be read.
  package func acts(since start: Int64) throws(SystemError) -> [RecordedAct] {
    let first = [UInt8](Timestamp.octets(start).prefix(7))
    var acts: [RecordedAct] = []
    for month in try months() where !month.lexicographicallyPrecedes(first) {
      acts += try read(month).acts.filter { $0.act.time >= start }
    }
    return acts
  }

  /// The names of the files, the oldest first: `2026-11`.
  private func months() throws(SystemError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    do throws(SystemError) {
      try FileSystem.entries(of: directory) { name, _ in
        let name = [UInt8](name)
        let isMonth = name.count == 7 && name[4] == ASCII.minus
        if isMonth, name.filter({ ASCII.isDigit($0) }).count == 6 { names.append(name) }
      }
    } catch {
      guard error.isNotFound else { throw error }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private func read(
    _ month: [UInt8]
  ) throws(SystemError) -> (acts: [RecordedAct], wholeLength: Int) {
    let octets = try FileSystem.readFile(directory.appending(month), limit: Self.sizeLimit)
    var (acts, wholeLength) = JournalText.acts(octets ?? [])
    for index in acts.indices { acts[index].month = month }
    return (acts, wholeLength)
  }

  // MARK: Writing

  /// The right to write, for one process at a time.
  package final class Writer {
    private let journal: ActJournal
    private let lock: FileLock
    private var last: Int
    /// The name of the newest file; empty for none.
    private var newest: [UInt8]

    /// The act that was cut short before its end; it is to be finished before another one is begun.
    package private(set) var unfinished: RecordedAct?

    fileprivate init(_ journal: ActJournal, _ lock: FileLock) throws(SystemError) {
      self.journal = journal
      self.lock = lock
      (last, unfinished) = (0, nil)
      newest = try journal.months().last ?? []
      guard !newest.isEmpty else { return }
      if let number = try journal.quickEnd(newest) {
        last = number
      } else {
        let acts = try journal.mend(newest)
        let latest = acts.isEmpty ? try journal.acts(atLeast: 1).first : acts.last
        last = latest?.act.number ?? 0
        unfinished = acts.last.flatMap { $0.isDone ? nil : $0 }
      }
    }

    deinit { lock.release() }

    /// The number that the next act gets.
    package var nextNumber: Int { last + 1 }

    /// Writes an act down; durable on return.
    ///
    /// - Throws: why it could not be written; then nothing is to be done.
    package func begin(
      _ command: [UInt8],
      _ steps: [ActStep],
      undoing: Int? = nil,
      by origin: ActOrigin = .person,
      now: Int64
    ) throws(SystemError) -> RecordedAct {
      // Numbers count up, whatever the clock does.
      let month = [UInt8](Timestamp.octets(now).prefix(7))
      if newest.lexicographicallyPrecedes(month) { newest = month }
      var act = RecordedAct(
        Act(
          number: last + 1,
          time: now,
          command: command,
          undoing: undoing,
          origin: origin,
          steps: steps
        )
      )
      act.month = newest
      try append(JournalText.octets(act.act), to: newest, isDurable: true)
      last += 1
      return act
    }

    /// Records that the steps of an act were taken, except for some.
    ///
    /// The files tell so, too: where this is lost, the act is gone through once more, and nothing is found to be done.
    ///
    /// - Parameters:
    ///   - act: the act.
    ///   - left: the steps that were not taken, by their numbers from 0.
    ///   - failed: those of them that could not be taken, and why.
    ///   - skipped: those of them that were not tried.
    /// - Throws: why it could not be written.
    package func finishAct(
      _ act: RecordedAct,
      leaving left: [Int],
      failed: [(step: Int, words: [UInt8])] = [],
      skipped: [Int] = []
    ) throws(SystemError) {
      let number = act.act.number
      let reasons =
        failed.map { JournalText.failed(number, step: $0.step, $0.words) }
        + skipped.map { JournalText.skipped(number, step: $0) }
      let text = reasons.joined() + JournalText.done(number, leaving: left)
      try append(text, to: act.month, isDurable: false)
      unfinished = nil
    }

    /// Notes that the server refused a step once more.
    package func noteRefusal(
      of step: Int,
      of act: RecordedAct,
      _ words: [UInt8]
    ) throws(SystemError) {
      let text = JournalText.refused(act.act.number, step: step, words)
      try append(text, to: act.month, isDurable: false)
    }

    /// Notes that a step was taken back here; durable on return.
    package func noteReturn(
      of step: Int,
      of act: RecordedAct,
      _ words: [UInt8]
    ) throws(SystemError) {
      let text = JournalText.returned(act.act.number, step: step, words)
      try append(text, to: act.month, isDurable: true)
    }

    private func append(
      _ octets: [UInt8],
      to month: [UInt8],
      isDurable: Bool
    ) throws(SystemError) {
      let path = journal.directory.appending(month)
      let isNew = try FileSystem.status(path) == nil
      let file = try Descriptor.open(path, .append)
      let size = try file.status().size
      do throws(SystemError) {
        try file.write(all: (isNew ? JournalText.title : []) + octets)
        if isDurable { try file.synchroniseData() }
        if isNew { try FileSystem.synchroniseDirectory(journal.directory) }
      } catch {
        // What is not durable must not be taken for what was asked for.
        try? file.truncate(to: size)
        throw error
      }
    }
  }

  /// Seconds to wait for another command before giving up, and between two looks.
  private static let (lockTimeout, pause) = (10.0, 0.002)

  /// Waits for the right to write.
  ///
  /// - Returns: nil where another process keeps it for too long.
  /// - Throws: why the journal cannot be read or made.
  package func writer() throws(SystemError) -> Writer? {
    try FileSystem.makeDirectories(directory)
    let deadline = Deadline.after(seconds: Self.lockTimeout)
    switch try FileLock.acquire(lockFile, until: deadline, pause: Self.pause) {
    case .acquired(let lock): return try Writer(self, lock)
    case .unsupported: throw SystemError(operation: "flock", path: lockFile, code: ENOTSUP)
    case .heldByOther: return nil
    }
  }

  private static let tailLength = 1 << 16

  /// The number of the last act where the end of the file says that it is done; nil where it takes a closer look.
  private func quickEnd(_ month: [UInt8]) throws(SystemError) -> Int? {
    let file = try Descriptor.open(directory.appending(month), .read)
    let size = Int64(try file.status().size)
    let start = max(0, size - Int64(Self.tailLength))
    let tail = try file.read(atMost: Self.tailLength, at: start)
    guard tail.last == ASCII.lineFeed else { return nil }
    for line in tail.split(separator: ASCII.lineFeed).reversed() {
      let words = line.split(separator: ASCII.space)
      switch String(decoding: words[0], as: UTF8.self) {
      case "refused", "returned": continue
      case "done": return JournalText.number(words.dropFirst().first)
      default: return nil
      }
    }
    return nil
  }

  /// Cuts off what a crash left of an act that was not whole: nothing was done of it.
  private func mend(_ month: [UInt8]) throws(SystemError) -> [RecordedAct] {
    let path = directory.appending(month)
    let (acts, wholeLength) = try read(month)
    let file = try Descriptor.open(path, .readWrite)
    if Int64(wholeLength) < Int64(try file.status().size) {
      try file.truncate(to: Int64(wholeLength))
      try file.synchroniseData()
    }
    return acts
  }
}
