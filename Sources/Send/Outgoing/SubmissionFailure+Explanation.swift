internal import Configuration
package import MailModel
internal import MailStore
internal import SpoolPlan
package import Submission

extension SubmissionFailure: Explainable {
  /// Why nothing can be sent, and what to do about it.
  package var explanation: Explanation {
    let words = FailureText.words(self)
    return Explanation(status, words.what, hint: words.hint)
  }

  private var status: ExitStatus {
    if case .secret(let error) = self, error.isOfGrant {
      return ExitStatus(error.need)
    }
    switch reason {
    case .secret: return .refused
    case .unfit: return .unavailable
    case .unreachable:
      if case .transport(let error) = self { return ExitStatus(error) }
      // It may pass, and yet who asks now is told what the server is like.
      if case .authentication = self { return .unavailable }
      return .tryAgain
    case nil:
      if case .interrupted = self { return .tryAgain }
      return .configuration
    }
  }
}
