internal import Glibc

// Programs that report in a way for programs besides what they write.
extension ChildProcess {
  /// A program that writes its result to standard output, and lines for programs to descriptor 3.
  package struct ReportingCommand: Sendable {
    package var command: Command
    /// What it reads, as a file.
    package var standardInput: [UInt8]
    /// What it reads from descriptor 4, as a file; nil where it gets none.
    package var otherInput: [UInt8]?
    package var variables = Variables.inherited(with: [])
    /// In seconds; then it gets SIGTERM, and SIGKILL a second later.
    package var timeout: Double
    /// The greatest numbers of octets that are acceptable.
    package var limits: Limits

    /// A command that gets nothing but its standard input.
    package init(_ command: Command, standardInput: [UInt8], timeout: Double, limits: Limits) {
      self.command = command
      self.standardInput = standardInput
      self.timeout = timeout
      self.limits = limits
    }

    /// How much it may write.
    package struct Limits: Hashable, Sendable {
      package var output: Int
      package var report: Int
      /// Of standard error as much is kept; sixty-four times as much is too much.
      package var errors: Int

      package init(output: Int, report: Int, errors: Int) {
        (self.output, self.report, self.errors) = (output, report, errors)
      }
    }
  }

  /// What such a program wrote.
  package struct ReportedOutput: Hashable, Sendable {
    package var status: Status
    package var output: [UInt8] = []
    package var report: [UInt8] = []
    package var errors: [UInt8] = []
  }

  /// Runs a program to its end, and reads its three outputs side by side.
  ///
  /// It has no other descriptors than its inputs and outputs. What interrupts this process at a terminal interrupts it too.
  ///
  /// - Returns: how it ended, and what it wrote up to then.
  /// - Throws: the error of posix_spawn(3): ENOENT where there is no such program.
  package static func collectOutput(
    of command: ReportingCommand,
    interruption: Interruption? = nil
  ) throws(SystemError) -> ReportedOutput {
    let input = try file(of: command.standardInput)
    let other = Descriptor(adopting: try command.otherInput.map(fileNumber) ?? -1)
    let outputPipe = try PipeEnds()
    let output = outputPipe.reading
    let outputEnd = outputPipe.writing
    let reportPipe = try PipeEnds()
    let report = reportPipe.reading
    let reportEnd = reportPipe.writing
    let errorPipe = try PipeEnds()
    let errors = errorPipe.reading
    let errorEnd = errorPipe.writing
    let process = try spawn(
      command.command,
      command.variables,
      input: input.raw,
      output: outputEnd.raw,
      errors: errorEnd.raw,
      report: reportEnd.raw,
      other: other.raw
    )
    // So that the ends of the outputs are seen.
    _ = consume outputEnd
    _ = consume reportEnd
    _ = consume errorEnd
    var collector = ReportCollector(process, [output.raw, report.raw, errors.raw], command.limits)
    let status = collector.collect(Deadline.after(seconds: command.timeout), interruption)
    return ReportedOutput(
      status: status,
      output: collector.octets[0],
      report: collector.octets[1],
      errors: [UInt8](collector.octets[2].prefix(command.limits.errors))
    )
  }

  private static func fileNumber(_ octets: [UInt8]) throws(SystemError) -> Int32 {
    try file(of: octets).release()
  }
}

/// Reads what a child writes to three pipes until it ends, or has to be ended.
private struct ReportCollector {
  private let process: Int32
  private let sources: [Int32]
  private let limits: [Int]
  private var isOpen = [true, true, true]
  private(set) var octets: [[UInt8]] = [[], [], []]

  init(
    _ process: Int32,
    _ sources: [Int32],
    _ limits: ChildProcess.ReportingCommand.Limits
  ) {
    self.process = process
    self.sources = sources
    self.limits = [limits.output, limits.report, limits.errors << 6]
  }

  mutating func collect(
    _ deadline: Deadline,
    _ interruption: Interruption?
  ) -> ChildProcess.Status {
    while true {
      if interruption?.isRequested == true { return stop(.interrupted) }
      guard !deadline.isPast else { return stop(.timedOut) }
      let hasRead = readSome(waiting: min(deadline.remaining * 1000, 100), interruption)
      if isTooLong { return stop(.outputTooLong) }
      guard !hasRead else { continue }
      // Not by the end of the pipes alone: a program that the child has started may hold them open.
      if let status = ChildProcess.look(at: process) {
        while readSome(waiting: 0, nil) { if isTooLong { return .outputTooLong } }
        return status
      }
      if !isOpen.contains(true) { usleep(1000) }
    }
  }

  private var isTooLong: Bool { zip(octets, limits).contains { $0.count > $1 } }

  /// Reads what is there; false where nothing came.
  private mutating func readSome(
    waiting milliseconds: Double,
    _ interruption: Interruption?
  ) -> Bool {
    var polled = zip(sources, isOpen).map { source, isOpen in
      pollfd(fd: isOpen ? source : -1, events: Int16(POLLIN), revents: 0)
    }
    polled.append(pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0))
    let isWaiting = isOpen.contains(true) && milliseconds > 0
    let wait = isWaiting ? Int32(milliseconds) + 1 : 0
    guard poll(&polled, nfds_t(polled.count), wait) > 0 else { return false }
    var hasRead = false
    for place in sources.indices where polled[place].revents != 0 {
      if readOctets(place) { hasRead = true } else { isOpen[place] = false }
    }
    return hasRead
  }

  private mutating func readOctets(_ place: Int) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let room = min(buffer.count, limits[place] - octets[place].count + 1)
    let path: Path? = nil
    let count = try? SystemCall.read("read", path) { read(sources[place], &buffer, room) }
    guard let count, count > 0 else { return false }
    octets[place] += buffer[..<count]
    return true
  }

  private func stop(_ reason: ChildProcess.Status) -> ChildProcess.Status {
    ChildProcess.end(process, grace: 0)
    return reason
  }
}
