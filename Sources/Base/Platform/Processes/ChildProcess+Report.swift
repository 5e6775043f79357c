package import Octets

// Programs that report in a way for programs besides what they write.
extension ChildProcess {
  /// A program that writes its result to standard output, and lines for programs to descriptor 3.
  package struct ReportingCommand: Sendable {
    package var command: Command
    /// What it reads, as a file.
    package var standardInput: HeldOctets
    /// What it reads from descriptor 4, as a file; nil where it gets none.
    package var otherInput: [UInt8]?
    package var variables = Variables.inherited(with: [])
    /// In seconds; then it gets SIGTERM, and SIGKILL a second later.
    package var timeout: Double
    /// The greatest numbers of octets that are acceptable.
    package var limits: Limits
    /// Whether much of what it writes is put into a file without a name on the disk; else it is all in memory.
    package var putsOutputAside = false

    /// A command that gets nothing but its standard input.
    package init(
      _ command: Command,
      standardInput: HeldOctets,
      timeout: Double,
      limits: Limits
    ) {
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
  package struct ReportedOutput: Sendable {
    package var status: Status
    package var output: any OctetSource = []
    /// Why what it wrote could not be put aside: then the program was ended.
    package var failure: SystemError?
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
    let input = command.standardInput
    try rewind(input.descriptor)
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
      input: input.descriptor,
      output: outputEnd.raw,
      errors: errorEnd.raw,
      report: reportEnd.raw,
      other: other.raw
    )
    // So that the ends of the outputs are seen.
    _ = consume outputEnd
    _ = consume reportEnd
    _ = consume errorEnd
    let limits = command.limits
    var collector = OutputCollector(
      process: process,
      sources: [
        (output.raw, limits.output), (report.raw, limits.report), (errors.raw, limits.errors << 6),
      ],
      // An array that grows as it is filled takes twice the room.
      expected: command.putsOutputAside ? 0 : min(limits.output, input.count),
      putsFirstAside: command.putsOutputAside
    )
    let status = collector.collect(
      deadline: .after(seconds: command.timeout),
      interruption: interruption
    )
    let first = collector.takeFirst()
    return ReportedOutput(
      status: status,
      output: first.octets,
      failure: first.failure,
      report: collector.outputs[1],
      errors: [UInt8](collector.outputs[2].prefix(limits.errors))
    )
  }

  private static func fileNumber(_ octets: [UInt8]) throws(SystemError) -> Int32 {
    try file(of: octets).release()
  }
}
