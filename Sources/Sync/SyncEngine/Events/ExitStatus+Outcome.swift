package import MailModel
internal import MailStore

extension ExitStatus {
  /// The status of one account's run.
  package init(_ outcome: AccountReport.Outcome) {
    switch outcome {
    case .complete: self = .success
    case .postponed: self = .tryAgain
    case .partial: self = .partial
    case .failed(let failure): self = ExitStatus(failure)
    }
  }
}
