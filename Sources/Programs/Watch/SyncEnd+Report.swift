internal import MailModel
internal import Configuration
internal import MailStore
internal import Outgoing
internal import Platform
internal import SyncEngine
internal import SyncPlan
internal import WatchPlan

extension SyncEnd {
  /// Seconds before the command for the secret is run again after it failed.
  private static let secretDelay = 1800.0

  /// Seconds before it is looked again whether a person has logged in.
  private static let loginDelay = 300.0

  /// What a sync came to.
  init(_ report: AccountReport) {
    switch report.outcome {
    case .complete, .postponed, .partial:
      let blocked = report.total.blocked
      self = .done(postponed: blocked[.postponed, default: 0] + blocked[.copied, default: 0])
    case .failed(let failure): self.init(failure)
    }
  }

  private init(_ failure: SyncFailure) {
    switch failure {
    case .secretRefused, .secretRefusedBefore: self = .refused
    case .secret(let error):
      switch error.need {
      // Nothing is asked for that but a file, until a person has logged in.
      case .login: self = .loggedOut(seconds: Self.loginDelay)
      // Of a login that is for another server, or was not tested with this one.
      case .configuration where error.isOfGrant: self = .loggedOut(seconds: Self.secretDelay)
      // The network may be back any moment.
      case .time where error.isOfGrant: self = .offline
      case .time, .configuration: self = .pausing(seconds: Self.secretDelay)
      }
    case .notNow(_, _, let until?), .pausing(let until, _), .loginsUsedUp(let until):
      self = .pausing(seconds: Double(until - Clock.now()))
    case .locked: self = .busy
    case .rootMissing: self = .away
    case _ where failure.endsConnection: self = .offline
    default: self = ExitStatus(failure) == .tryAgain ? .offline : .failed
    }
  }
}
