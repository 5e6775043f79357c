internal import Configuration
internal import Glibc
internal import Octets
internal import Platform
internal import SyncState

/// The program of a rule (`when-command`), which decides about one message at a time.
///
/// It gets the octets of the file on its standard input, and nothing of them in an argument or a variable.
package struct RuleCommand: Hashable, Sendable {
  /// What it says of a message.
  enum Answer: Hashable, Sendable {
    case yes, no
    /// Neither, and why.
    case undecided(String)
    /// It was not run to its end, since there was no time left for it, or this program is to end.
    case unasked
  }

  /// Seconds that it has for a message.
  private static let timeLimit = 30.0
  /// Octets of memory that it has.
  private static let memoryLimit = 1 << 30
  /// Seconds within which this program is asked to end, too, where a service manager ended the other.
  private static let endLimit = 0.3

  private let words: [String]
  private let rule: String

  init(_ words: [String], of rule: String) {
    (self.words, self.rule) = (words, rule)
  }

  /// The name of the program, for people.
  package var program: String { Printable.text((words.first ?? "").utf8, limit: 100) }

  /// Runs it for the message of a file.
  func answer(
    about file: TargetFile,
    _ partial: PartialFiles,
    until deadline: Deadline,
    _ interruption: Interruption
  ) -> Answer {
    var limits = LimitedProcess.Limits()
    limits.seconds = min(TestTime.replyTime(Self.timeLimit), deadline.remaining)
    (limits.memory, limits.output) = (Self.memoryLimit, nil)
    guard limits.seconds > 0, !interruption.isRequested else { return .unasked }
    do throws(SystemError) {
      let isPartial = try partial.finding(file: file.path) == .partial
      let octets = try FileOctets(Descriptor.open(file.path, .read))
      let process = LimitedProcess(words, isConfined: false, limits: limits)
      let variables = ["MAGNUM_ACCOUNT=\(file.account.name)", "MAGNUM_RULE=\(rule)"]
      return answer(
        of: process,
        octets,
        variables + (isPartial ? ["MAGNUM_PARTIAL=1"] : []),
        until: deadline,
        interruption
      )
    } catch {
      return .undecided("the message cannot be read: \(error.reason)")
    }
  }

  private func answer(
    of process: LimitedProcess,
    _ octets: any OctetSource,
    _ variables: [String],
    until deadline: Deadline,
    _ interruption: Interruption
  ) -> Answer {
    let end: LimitedProcess.End
    do throws(LimitedProcess.Failure) {
      end = try process.run(on: octets, variables: variables, interruption: interruption).end
    } catch {
      switch error {
      case .refused(let cause), .notStarted(let cause):
        return .undecided("\(program) cannot be started: \(cause.reason)")
      }
    }
    switch end {
    case .exited(0): return .yes
    case .exited(1): return .no
    case .interrupted: return .unasked
    case .timedOut where deadline.isPast: return .unasked
    case .signalled(let number) where [SIGTERM, SIGINT, SIGHUP].contains(number):
      let isStopped = !interruption.sleep(seconds: Self.endLimit)
      return isStopped ? .unasked : .undecided("\(program) \(Self.words(end))")
    default: return .undecided("\(program) \(Self.words(end))")
    }
  }

  private static func words(_ end: LimitedProcess.End) -> String {
    switch end {
    case .exited(let status): "exited with status \(status)"
    case .signalled(let number): "was ended by signal \(number)"
    case .timedOut: "did not end within \(Int(timeLimit)) seconds"
    case .tooMuchMemory: "took too much memory"
    case .tooManyProcesses: "started too many processes"
    case .outputTooLong: "wrote too much"
    case .interrupted: "was interrupted"
    }
  }
}
