package import Configuration
package import MailModel
internal import MailStore
internal import Octets
package import Platform
package import Sendmail
package import Spool
internal import SpoolPlan
package import Submission

extension SpoolError: Explainable {
  /// Where a spool is wrong, what is wrong with it, and what to do about it.
  package var explanation: Explanation {
    switch self {
    case .system(let error): Explanation(.partial, error.description)
    case .foreignOwner(let path, let user):
      Explanation(.partial, place: path.display, "belongs to user \(user)")
    case .openToOthers(let path, let mode):
      Explanation(
        .partial,
        place: path.display,
        "others can write into it (mode \(String(mode, radix: 8)))",
        hint: "chmod 700 \(path.display)"
      )
    case .notADirectory(let path):
      Explanation(.partial, place: path.display, "is no directory")
    case .notAFile(let path):
      Explanation(.partial, place: path.display, "is no ordinary file; not opened")
    case .tooLong(let path, let limit):
      Explanation(.partial, place: path.display, "is longer than \(limit >> 20) MiB; not read")
    case .lockUnsupported(let path):
      Explanation(.partial, place: path.display, "the file system cannot lock it")
    case .busy(let path):
      Explanation(.tryAgain, place: path.display, "another process works on it")
    case .entryBusy(let id):
      Explanation(.tryAgain, place: "\(id)", "another process works on it")
    case .noEntry(let id):
      Explanation(
        .partial,
        place: "\(id)",
        "not in a state in which that can be done",
        hint: "magnum queue list shows the states"
      )
    case .entry(let id, let error):
      Explanation(.partial, place: "\(id)", EntryWords.text(error), hint: Self.hint(error, id))
    case .message(let error): Explanation(.partial, error.description)
    case .log(let id, let error):
      Explanation(.partial, place: "\(id)", "line \(error.line) of its log cannot be understood")
    }
  }

  private static func hint(_ error: EntryError, _ id: EntryID) -> String? {
    if case .formerKind = error { "magnum queue discard \(id)" } else { nil }
  }
}

extension Explanation {
  /// Why there are no lines about deliveries in their log.
  package init(unlogged error: SystemError) {
    self.init(
      .configuration,
      "the delivery log cannot be written: \(error.description)",
      hint: "delivery-log in the configuration names it; mail is sent all the same"
    )
  }

  /// Why a message is not taken that is longer than a configuration lets it be, by its file.
  package init(tooLongFor limit: SizeLimit, _ file: Path, place: String? = nil) {
    self.init(
      .data,
      place: place,
      "the message is longer than \(limit.text)",
      hint: "message-size-limit in \(file.display) sets the limit"
    )
  }
}

extension LetterError: Explainable {
  /// Why a message cannot be sent, and what to do about it.
  package var explanation: Explanation {
    switch self {
    case .noRecipients:
      Explanation(
        .usage,
        "no recipients",
        hint: "name recipients, or give -t and a message with a field To, Cc or Bcc"
      )
    case .unknownNames(let names):
      Explanation(
        .noUser,
        "no alias for \(names.map(Self.shown).joined(separator: ", "))",
        hint: "put a line \"NAME: ADDRESS\" or \"default: ADDRESS\" into the file \"aliases\" "
          + "beside the configuration"
      )
    case .discarded: Explanation(.noUser, "aliases discard it")
    case .badAlias(let place, let text):
      Explanation(
        .configuration,
        place: place.display,
        "\"\(Self.shown(text))\" is no address that can be sent to"
      )
    case .badList(let place, let list, let problem):
      Explanation(problem, in: list, includedAt: place)
    case .severalMessages(let line):
      Explanation(
        .data,
        "there are several messages in one: another begins in line \(line)",
        hint:
          "git send-email sends each; or: git format-patch -o DIR, then magnum-send for each file"
      )
    case .unreadable(let error): Explanation(.noInput, error.description)
    default: Explanation(.data, what)
    }
  }

  private var what: String {
    switch self {
    case .forbiddenOctet(0, let line): "line \(line) of the header holds a NUL"
    case .forbiddenOctet(_, let line): "line \(line) of the header holds a CR without LF"
    case .unfitBody(let line):
      "line \(line) holds a CR without LF, a NUL, or more than 998 octets, and cannot be changed"
    case .badAddress(let octets): "\"\(Self.shown(octets))\" is no address that can be sent to"
    case .aliasLoop(let name): "the alias \(Self.shown(name)) leads to itself, or to too many names"
    case .unknownNames, .noRecipients, .discarded, .badAlias, .badList, .unreadable,
      .severalMessages:
      ""
    }
  }

  private static func shown(_ octets: [UInt8]) -> String { Printable.text(octets, limit: 100) }
}

extension Explanation {
  /// Why a file of aliases, or a list that stands in one, is not used, and what to do about it.
  init(_ problem: AliasFileProblem, in file: [UInt8], includedAt place: AliasPlace? = nil) {
    let path = Printable.text(file)
    let words = place == nil ? problem.words : ":include:\(path): \(problem.words)"
    self.init(
      .configuration,
      place: place?.display ?? path,
      words,
      hint: problem.hint
    )
  }
}

extension AliasPlace {
  /// The file and the line, as errors name them.
  var display: String { "\(Printable.text(file)):\(line)" }
}

extension AliasFileProblem {
  fileprivate var words: String {
    switch self {
    case .relative: "is no absolute path"
    case .missing: "there is no such file"
    case .unreadable(let reason): reason
    case .notAFile: "is no ordinary file"
    case .tooLong(let limit): "is longer than \(limit >> 20) MiB"
    case .untrusted(let words, _): words
    case .empty: "holds no address"
    case .loop: "includes itself, or lists include each other too deep"
    }
  }

  fileprivate var hint: String? {
    switch self {
    case .relative: "begin it with a slash"
    case .untrusted(_, let remedy): remedy
    case .unreadable: "the user who sends must be able to read it"
    case .missing, .notAFile, .tooLong, .empty, .loop: nil
    }
  }
}

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
