package import MailStore
package import Platform
package import SyncEngine

/// Runs the user's command after a sync that brought something.
package struct PostSync {
  /// Seconds after which the command is ended.
  private static let timeLimit = 600.0
  /// Octets that it may print; they are not read.
  private static let outputLimit = 64 << 20

  private let command: ChildProcess.Command
  private let interruption: Interruption

  /// A command that is ended where the interruption is requested.
  package init(_ command: ChildProcess.Command, _ interruption: Interruption) {
    self.command = command
    self.interruption = interruption
  }

  /// Runs it, and tells it what happened: counts by variables of its environment, and `news`, which it need not read, on
  /// its standard input.
  ///
  /// - Throws: `SyncFailure.hook` when it fails.
  package func runCommand(_ report: AccountReport, _ news: [UInt8]) throws(SyncFailure) {
    let variables = [
      "MAGNUM_ACCOUNT=\(report.account)", "MAGNUM_NEW=\(report.total.new)",
      "MAGNUM_FETCHED=\(report.total.fetched)", "MAGNUM_FLAGS=\(report.total.flags)",
      "MAGNUM_REMOVED=\(report.total.removed)",
    ]
    let status: ChildProcess.Status
    do {
      status = try ChildProcess.run(
        command,
        timeout: Self.timeLimit,
        outputLimit: Self.outputLimit,
        standardInput: .octets(news),
        variables: .inherited(with: variables),
        interruption: interruption,
        group: .ownInBackground
      ).status
    } catch {
      throw .system(error)
    }
    guard status == .exited(0) else { throw .hook(status) }
  }
}
