internal import Glibc
internal import Octets

/// Reads what a child writes, to one pipe or to several side by side, until it ends, or has to be ended.
struct OutputCollector: ~Copyable {
  /// The end of a pipe to read from, and how many octets are acceptable.
  typealias Source = (descriptor: Int32, limit: Int)

  let process: Int32
  let sources: [Source]
  /// How a child is ended that has to be.
  let end: End

  enum End {
    /// It is asked to, and killed after a second.
    case process
    /// So is its process group.
    case group
    /// It is killed at once with its session.
    case session
  }

  /// What the child has written so far to each pipe and what is not put aside; at most one octet more than the limit.
  private(set) var outputs: [[UInt8]]
  private var counts: [Int]
  private var isOpen: [Bool]

  /// What came from the first source, where that is put aside.
  private var aside = OctetBuffer()
  private let putsFirstAside: Bool
  private var failure: SystemError?

  /// `expected` is about how many octets come from the first source; much of that is put into a file if `putsFirstAside`.
  init(
    process: Int32,
    sources: [Source],
    end: End = .process,
    expected: Int = 0,
    putsFirstAside: Bool = false
  ) {
    self.process = process
    self.sources = sources
    self.end = end
    self.putsFirstAside = putsFirstAside
    counts = sources.map { _ in 0 }
    outputs = sources.map { _ in [] }
    if !outputs.isEmpty { outputs[0].reserveCapacity(expected) }
    isOpen = sources.map { _ in true }
  }

  mutating func collect(
    deadline: Deadline,
    interruption: Interruption?
  ) -> ChildProcess.Status {
    while isOpen.contains(true) {
      if interruption?.isRequested == true { return stop(.interrupted) }
      guard !deadline.isPast else { return stop(.timedOut) }
      if readSome(deadline, interruption) {
        guard !isTooLong else { return stop(.outputTooLong) }
      } else if let status = ChildProcess.look(at: process) {
        return drain(status)
      }
    }
    return finish(deadline, interruption)
  }

  /// What came from the first source, or why it could not be put aside.
  mutating func takeFirst() -> (octets: any OctetSource, failure: SystemError?) {
    guard putsFirstAside else { return (outputs[0], nil) }
    var buffer = OctetBuffer()
    swap(&buffer, &aside)
    do throws(SystemError) {
      return (try buffer.finish(), failure)
    } catch {
      return ([], error)
    }
  }

  /// Whether nothing more of what it writes is wanted.
  private var isTooLong: Bool {
    failure != nil || zip(counts, sources).contains { $0 > $1.limit }
  }

  /// Reads what is there, or notices that a pipe is closed; false where neither came.
  ///
  /// Not for long: a grandchild may hold the pipe open after the child's end (an agent that the child has started).
  private mutating func readSome(_ deadline: Deadline, _ interruption: Interruption?) -> Bool {
    let milliseconds = min(deadline.remaining * 1000, 100)
    var polled = zip(sources, isOpen).map { source, isOpen in
      pollfd(fd: isOpen ? source.descriptor : -1, events: Int16(POLLIN), revents: 0)
    }
    polled.append(pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0))
    guard poll(&polled, nfds_t(polled.count), Int32(milliseconds) + 1) > 0 else { return false }
    let ready = sources.indices.filter { polled[$0].revents != 0 }
    for place in ready { isOpen[place] = readSource(place) }
    return !ready.isEmpty
  }

  /// Appends what is there; false at the end, and after an error.
  private mutating func readSource(_ place: Int) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    let room = min(buffer.count, sources[place].limit - counts[place] + 1)
    let path: Path? = nil
    let count = try? SystemCall.read("read", path) {
      read(sources[place].descriptor, &buffer, room)
    }
    keep(buffer.prefix(count ?? 0), of: place)
    return (count ?? 0) > 0
  }

  private mutating func keep(_ piece: ArraySlice<UInt8>, of place: Int) {
    counts[place] += piece.count
    guard place == 0, putsFirstAside else { return outputs[place] += piece }
    do throws(SystemError) {
      try aside.append(piece)
    } catch {
      failure = error
    }
  }

  /// The child has closed its outputs: it is about to end, or goes on without.
  private func finish(
    _ deadline: Deadline,
    _ interruption: Interruption?
  ) -> ChildProcess.Status {
    repeat {
      let look = min(deadline, .after(seconds: 0.1))
      if let status = ChildProcess.wait(for: process, deadline: look) { return status }
    } while interruption?.isRequested != true && !deadline.isPast
    return stop(interruption?.isRequested == true ? .interrupted : .timedOut)
  }

  /// The child has ended: what it wrote last is still in the pipes.
  private mutating func drain(_ status: ChildProcess.Status) -> ChildProcess.Status {
    while isOpen.contains(true), readSome(.after(seconds: 0), nil) {
      guard !isTooLong else {
        if end == .group { ChildProcess.endGroup(process) }
        return .outputTooLong
      }
    }
    return status
  }

  private func stop(_ reason: ChildProcess.Status) -> ChildProcess.Status {
    switch end {
    case .process: ChildProcess.end(process, grace: 0)
    case .group: ChildProcess.endGroup(process)
    case .session:
      kill(-process, SIGKILL)
      kill(process, SIGKILL)
      ChildProcess.end(process, grace: 0)
    }
    return reason
  }
}
