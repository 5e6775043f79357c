package import Configuration
internal import Glibc
package import Platform
package import SyncState

/// The file `arrivals` of an account in the state home, and the lock of who works on it.
///
/// Lines are added under a lock on the file itself, which is held for moments.
package struct ArrivalStore: Sendable {
  /// Whether rules had begun before.
  package enum Start: Hashable, Sendable {
    case known
    /// They begin now, since there was no list.
    case begun
    /// They begin anew now, since the list was damaged: what was on it is not sorted.
    case lost
  }

  private let directory: Path
  private var file: Path { directory.appending("arrivals") }

  /// Far above what a list can have, in octets.
  private static let sizeLimit = 1 << 28
  /// Seconds to wait for another process that adds lines, and between two looks.
  private static let (lockTimeout, pause) = (10.0, 0.002)

  /// The list of an account; nothing is looked at.
  package init(of account: Account, in stateHome: Path) {
    directory = AccountPlaces.memory(of: account, in: stateHome)
  }

  /// The messages that are on the list; nil where there is none, or it is damaged.
  func list() throws(SystemError) -> ArrivalList? {
    try FileSystem.readFile(file, limit: Self.sizeLimit).flatMap { ArrivalList($0) }
  }

  /// Has rules begin where they have not; durable on return.
  ///
  /// - Parameter now: when they begin then, in seconds since 1970.
  /// - Returns: whether they had.
  /// - Throws: that the list cannot be read or written.
  package func begin(now: Int64) throws(SystemError) -> Start {
    if try list() != nil { return .known }
    try FileSystem.makeDirectories(directory)
    let wasThere = try FileSystem.status(file).map { $0.size > 0 } ?? false
    return try locked { () throws(SystemError) in
      if try list() != nil { return .known }
      // In its place: another file would have another lock.
      let file = try Descriptor.open(file, .append)
      try file.truncate(to: 0)
      try file.write(all: ArrivalList.head(since: now))
      try file.synchroniseData()
      try FileSystem.synchroniseDirectory(directory)
      return wasThere ? .lost : .begun
    }
  }

  /// Adds those of new messages that count as arrived; durable on return.
  package func record(_ batch: [ArrivingMessages], now: Int64) throws(SystemError) {
    try locked { () throws(SystemError) in
      guard let list = try list() else { return }
      let arrivals = ArrivalTest(since: list.since, now: now).arrivals(batch)
      guard !arrivals.isEmpty else { return }
      try append(ArrivalList.came(arrivals), to: list, isDurable: true)
    }
  }

  /// Adds files that were delivered; durable on return.
  ///
  /// - Parameters:
  ///   - deliveries: those that are not on the list.
  ///   - present: all that lie in `new`: of the others nothing has to be remembered.
  /// - Throws: that the list cannot be read or written.
  func record(
    _ deliveries: [Arrival],
    among present: Set<Arrival>
  ) throws(SystemError) {
    try locked { () throws(SystemError) in
      guard var list = try list() else { return }
      if list.wholeLength > ArrivalList.usualSize, list.open.isEmpty {
        // Where this is cut short, rules look at what lies in `new` once more.
        let kept = ArrivalList.done(list.seen.intersection(present).sorted())
        if kept.count < list.wholeLength / 2 {
          try Descriptor.open(file, .readWrite).truncate(to: Int64(list.headLength))
          guard let cut = try self.list() else { return }
          try append(kept, to: cut, isDurable: false)
          list = try self.list() ?? list
        }
      }
      let new = deliveries.filter { !list.seen.contains($0) && !list.open.contains($0) }
      if !new.isEmpty { try append(ArrivalList.came(new), to: list, isDurable: true) }
    }
  }

  /// Takes arrivals off the list, and cuts the file where nothing is left on it.
  ///
  /// Where this is lost, they are looked at once more, and nothing is found to be done.
  func finish(_ arrivals: [Arrival]) throws(SystemError) {
    guard !arrivals.isEmpty else { return }
    try locked { () throws(SystemError) in
      guard let list = try list() else { return }
      try append(ArrivalList.done(arrivals), to: list, isDurable: false)
      // Files that lie in `new` are looked at once all the same.
      guard list.wholeLength > ArrivalList.usualSize, let rest = try self.list(),
        rest.open.isEmpty, rest.seen.isEmpty
      else { return }
      try Descriptor.open(file, .readWrite).truncate(to: Int64(list.headLength))
    }
  }

  /// Takes down of which rules it is said now that their programs gave no answer.
  ///
  /// - Returns: those of which it was not said within a day.
  func noteUndecided(_ rules: [String], now: Int64) throws(SystemError) -> [String] {
    guard !rules.isEmpty else { return [] }
    return try locked { () throws(SystemError) in
      guard let list = try list() else { return rules }
      let new = rules.filter { !list.isSilent(about: $0, at: now) }
      let lines = new.flatMap { ArrivalList.undecided($0, at: now) }
      if !lines.isEmpty { try append(lines, to: list, isDurable: false) }
      return new
    }
  }

  /// The right to work on the list, from reading it to its end; nil where another process has it.
  func work() throws(SystemError) -> FileLock? {
    switch try FileLock.acquire(directory.appending("arrivals.lock")) {
    case .acquired(let lock): lock
    case .heldByOther: nil
    case .unsupported: throw SystemError(operation: "flock", path: directory, code: ENOTSUP)
    }
  }

  /// What is not whole at the end of the file goes first: it would become another line with what is added.
  private func append(
    _ octets: [UInt8],
    to list: ArrivalList,
    isDurable: Bool
  ) throws(SystemError) {
    let file = try Descriptor.open(self.file, .append)
    let size = try file.status().size
    if Int64(list.wholeLength) < Int64(size) { try file.truncate(to: Int64(list.wholeLength)) }
    do throws(SystemError) {
      try file.write(all: octets)
      if isDurable { try file.synchroniseData() }
    } catch {
      try? file.truncate(to: Int64(list.wholeLength))
      throw error
    }
  }

  private func locked<Value>(
    _ body: () throws(SystemError) -> Value
  ) throws(SystemError) -> Value {
    let deadline = Deadline.after(seconds: Self.lockTimeout)
    let lock: FileLock?
    switch try FileLock.acquire(file, until: deadline, pause: Self.pause) {
    case .acquired(let acquired): lock = acquired
    case .heldByOther: throw SystemError(operation: "flock", path: file, code: EWOULDBLOCK)
    // One process at a time syncs the account.
    case .unsupported: lock = nil
    }
    defer { lock?.release() }
    return try body()
  }
}
