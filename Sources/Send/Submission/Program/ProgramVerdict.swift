internal import Octets
internal import Platform
package import SpoolPlan

/// What the end of a program that takes messages over says of one; of all its recipients alike.
///
/// The statuses are those of sysexits.h, which sendmail has too.
enum ProgramVerdict: Hashable, Sendable {
  /// The message is sent.
  case accepted
  /// It is refused for good.
  case refused
  /// It is not sent, and may be later.
  case deferred
  /// It is not sent, nor is any other with the account until a person has done something.
  case stopped(SendingBlock.Reason)
  /// It may have been sent.
  case unknown

  /// The verdict of a program that ended so; nil where that is not known.
  init(_ status: ChildProcess.Status?) {
    guard case .exited(let code)? = status else {
      self = .unknown
      return
    }
    self =
      switch code {
      case 0: .accepted
      case 65, 67: .refused
      case 68, 69, 71, 73, 75, 126, 127: .deferred
      case 77: .stopped(.secret)
      case 78: .stopped(.unfit)
      default: .unknown
      }
  }
}

/// Why a program takes no message of an account.
package enum ProgramRefusal: Error, Hashable, Sendable {
  /// It said so by its status; in its words.
  case stopped(SendingBlock.Reason, String)
  /// The account is the system's, and the mail is root's own.
  case isRoots

  /// What is in the way of the account; nil where nothing is, except for this user.
  var reason: SendingBlock.Reason? {
    switch self {
    case .stopped(let reason, _): reason
    case .isRoots: nil
    }
  }
}
