package import MailModel
internal import SpoolPlan
package import Submission

extension ExitStatus {
  /// The status that a queue stands for which was worked on.
  package init(_ report: QueueReport) {
    switch report.block?.reason {
    case .unreachable: self = .tryAgain
    case .secret: self = .refused
    case .unfit: self = .unavailable
    case nil: self = report.failed.isEmpty ? .success : .partial
    }
  }
}
