internal import Configuration
internal import Octets
internal import Platform
internal import Sendmail
internal import Spool
internal import SpoolPlan

/// Why the program cannot do what it was asked to, in words, and the status that says so.
struct SendFailure: Error {
  let status: SendStatus
  var place: String?
  let what: String
  var hint: String?

  init(_ status: SendStatus, place: String? = nil, _ what: String, hint: String? = nil) {
    self.status = status
    self.place = place
    self.what = what
    self.hint = hint
  }

  init(_ error: ConfigurationError) {
    self.init(.configuration, place: error.place, error.message, hint: error.remedy)
  }

  init(_ error: StandardInput.Failure) {
    switch error {
    case .unreadable(let error): self.init(.noInput, "cannot read the message: \(error.reason)")
    case .tooLong:
      self.init(.data, "the message is longer than \(StandardInput.limit >> 20) MiB")
    }
  }

  init(_ error: LetterError) {
    switch error {
    case .noRecipients:
      self.init(
        .usage,
        "nobody to send to",
        hint: "name recipients, or give -t and a message with a field To, Cc or Bcc"
      )
    case .unknownNames(let names):
      let list = names.map { Printable.text($0, limit: 100) }.joined(separator: ", ")
      self.init(
        .noUser,
        "no alias for \(list)",
        hint: "put a line \"NAME: ADDRESS\" or \"default: ADDRESS\" into the file \"aliases\" "
          + "beside the configuration"
      )
    default: self.init(.data, SendWords.text(error))
    }
  }

  init(_ error: SpoolError) {
    switch error {
    case .system(let error) where error.isOutOfSpace || error.code == 5:
      self.init(.inputOutput, "not queued: \(error)")
    case .system(let error): self.init(.cannotCreate, "not queued: \(error)")
    case .foreignOwner(let path, let user):
      self.init(.cannotCreate, "\(path.display) belongs to user \(user)")
    case .openToOthers(let path, let mode):
      self.init(
        .cannotCreate,
        "others can write into \(path.display) (mode \(String(mode, radix: 8)))",
        hint: "chmod 700 \(path.display)"
      )
    case .notADirectory(let path): self.init(.cannotCreate, "\(path.display) is no directory")
    case .lockUnsupported(let path):
      self.init(.system, "the file system cannot lock \(path.display)")
    case .busy(let path):
      self.init(.tryAgain, "another process works on \(path.display)")
    case .noEntry(let id): self.init(.noInput, "no entry \(id)")
    case .entry(let id, let error): self.init(.system, "entry \(id): \(error)")
    case .log(let id, let error): self.init(.system, "the log of entry \(id): line \(error.line)")
    }
  }
}
