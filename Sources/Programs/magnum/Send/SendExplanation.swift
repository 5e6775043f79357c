internal import Configuration
internal import Glibc
internal import MailModel
internal import Octets
internal import Outgoing
internal import Platform
internal import Sendmail
internal import Spool
internal import SpoolPlan

/// Errors as magnum-send explains them.
///
/// Every status but 0 means: the message is not in the queue, and may be given again.
enum SendExplanation {
  static func of(_ error: UsageError) -> Explanation {
    let hint =
      if case .optionBehindRecipient = error {
        "options stand before the recipients; give -- before recipients that begin with a dash"
      } else {
        "magnum-send --help lists the options that are understood"
      }
    return Explanation(.usage, SendWords.text(error), hint: hint)
  }

  static func of(_ error: MessageInput.Failure, _ configuration: Configuration) -> Explanation {
    switch error {
    case .unreadable(let error):
      Explanation(
        .noInput,
        "cannot read the message: \(error.path == nil ? error.reason : "\(error)")"
      )
    case .notStored(let error): notQueued(.system(error))
    case .tooLong: Explanation(tooLongFor: configuration.messageSizeLimit, configuration.path)
    }
  }

  /// Why a message could not be put into the queue.
  static func notQueued(_ error: SpoolError) -> Explanation {
    var explanation = of(error)
    explanation.what = "not queued: \(explanation.what)"
    return explanation
  }

  /// What is wrong with a queue, with the statuses of sysexits(3) that callers of sendmail know.
  static func of(_ error: SpoolError) -> Explanation {
    var explanation = error.explanation
    explanation.status =
      switch error {
      case .system(let error) where error.isOutOfSpace || error.code == EIO: .output
      case .system, .foreignOwner, .openToOthers, .notADirectory, .notAFile, .tooLong: .cannotCreate
      case .lockUnsupported, .entry, .log: .system
      case .busy, .entryBusy: .tryAgain
      case .noEntry, .message: .noInput
      }
    return explanation
  }
}

/// What the program says.
enum SendWords {
  static func text(_ error: UsageError) -> String {
    switch error {
    case .unknownOption(let option): "unknown option \(shown(option))"
    case .missingValue(let option): "\(shown(option)) needs a value"
    case .badValue(let option, let value): "\(shown(option)) does not take \"\(shown(value))\""
    case .unexpectedValue(let option): "\(shown(option)) takes no value"
    case .unsupported(let option): "\(shown(option)) is not supported"
    case .optionBehindRecipient(let option): "\(shown(option)) stands behind a recipient"
    }
  }

  private static func shown(_ octets: [UInt8]) -> String { Printable.text(octets, limit: 100) }
}
