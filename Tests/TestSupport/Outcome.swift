/// How a process ended and what it said.
package struct Outcome: Sendable, CustomStringConvertible {
  /// The way a process ends.
  package enum End: Sendable, Hashable {
    /// It ended itself with this status.
    case exited(Int32)
    /// A signal ended it.
    case signalled(Int32)
    /// The time limit ran out and it was killed.
    case timedOut
  }

  /// How it ended.
  package let end: End

  /// The octets it wrote to standard output, or to its terminal.
  package let outputOctets: [UInt8]

  /// The octets it wrote to standard error.
  package let errorOctets: [UInt8]

  /// Seconds from start to end.
  package let seconds: Double

  /// The largest resident size in KiB, as seen every few milliseconds.
  package let peakMemory: Int

  /// The exit status; 128 + n for signal n, -1 for the time limit.
  package var code: Int32 {
    switch end {
    case .exited(let status): status
    case .signalled(let signal): 128 + signal
    case .timedOut: -1
    }
  }

  /// Standard output as text.
  package var output: String { String(decoding: outputOctets, as: UTF8.self) }

  /// Standard error as text.
  package var errors: String { String(decoding: errorOctets, as: UTF8.self) }

  /// The lines of standard output.
  package var lines: [String] { output.split(separator: "\n").map { "\($0)" } }

  /// The lines of standard error.
  package var errorLines: [String] { errors.split(separator: "\n").map { "\($0)" } }

  /// Everything, for the message of a failed test.
  package var description: String {
    "\(end) after \(Int(seconds * 1000)) ms\nstdout: \(output)\nstderr: \(errors)"
  }
}
