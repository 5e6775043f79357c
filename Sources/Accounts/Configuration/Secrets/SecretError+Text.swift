internal import Octets
internal import Platform

extension SecretError {
  /// The place, the key and what went wrong, in one line: `password-command: exited with status 1`.
  package var message: String { (place.map { "\($0): " } ?? "") + "\(key): \(what)" }

  /// What to do about it; `nil` when the message says it all.
  package var hint: String? {
    switch problem {
    case .noSource: "set one of the keys for passwords; see magnum-config(5)"
    case .notStarted, .notFound:
      "cron and systemd have a short PATH; name the program by its whole path"
    case .exited, .signalled, .empty: "run the command by hand to see what it says"
    case .timedOut where key.hasSuffix("-command"):
      "a command that asks a person cannot be used from cron or a timer"
    case .outputTooLong, .containsNUL: "its first line must be the secret and nothing else"
    case .noCredentials: "LoadCredential= in the unit of the service sets it"
    case .untrusted(let failure): failure.remedy
    case .unreadable where key.hasSuffix("password-file"),
      .noRegularFile where key.hasSuffix("password-file"):
      "its first line is to be the password, and its mode 0600"
    case .timedOut, .interrupted, .noRegularFile, .unreadable, .notFetched: nil
    case .grant(let account, let problem): problem.hint(account: account)
    }
  }

  private func shown(_ program: String) -> String {
    "\"\(Printable.text(program.utf8, limit: 100))\""
  }

  private var what: String {
    switch problem {
    case .noSource: "no source for a secret"
    case .notStarted(let program, let reason): "\(shown(program)) cannot be started: \(reason)"
    case .notFound(let program, let path): "\(shown(program)) is not in PATH (\(path))"
    case .exited(let status): "exited with status \(status)"
    case .signalled(let signal): "was ended by signal \(signal)"
    case .timedOut(let seconds): "took longer than \(Int(seconds)) s"
    case .outputTooLong(let limit): "gave more than \(limit) octets"
    case .interrupted: "interrupted"
    case .noCredentials: "CREDENTIALS_DIRECTORY is not set"
    case .noRegularFile(let path): "\(path.display): not a regular file"
    case .unreadable(let path, let error): "\(path.display): \(error.reason)"
    case .untrusted(let failure): "\(failure.path.display): \(failure.words)"
    case .notFetched: "left to the next run"
    case .empty: "gave an empty line"
    case .containsNUL: "gave a NUL"
    case .grant(_, let problem): problem.what
    }
  }
}
