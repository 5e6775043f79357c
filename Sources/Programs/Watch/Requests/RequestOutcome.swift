internal import MailModel
internal import MailStore
internal import Outgoing
internal import SyncEngine

/// What a sync means to the programs that waited for it.
enum RequestOutcome: Hashable, Sendable {
  /// It is theirs, and ended so; `isWhole` is whether it looked at everything.
  case made(ExitStatus, isWhole: Bool)
  /// The watch cut it short, which says nothing about the account.
  case givenBack
  /// All that it found out is that the connection of the syncs before was gone, which no program's own sync would have used.
  case declined

  /// Of a sync with that report, beside which work ended with `others`.
  init(_ report: AccountReport, others: [ExitStatus], hadConnection: Bool, isEnding: Bool) {
    let status = ExitStatus.mostSevere(of: [ExitStatus(report.outcome)] + others)
    if isEnding, status != .success {
      self = .givenBack
    } else if hadConnection, Self.isLost(report) {
      self = .declined
    } else {
      self = .made(status, isWhole: !report.hasFailed)
    }
  }

  /// Whether the connection was lost before anything was done.
  private static func isLost(_ report: AccountReport) -> Bool {
    guard case .failed(let failure) = report.outcome, report.total.changes == 0 else {
      return false
    }
    switch failure {
    case .transport, .hungUp: return true
    default: return false
    }
  }

  /// Tells the program that waits.
  func tell(_ request: SyncRequest) {
    switch self {
    case .made(let status, let isWhole): request.finish(status, isWhole: isWhole)
    case .givenBack: request.giveBack()
    case .declined: request.decline()
    }
  }
}
