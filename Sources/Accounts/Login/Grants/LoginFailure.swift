package import Configuration
package import OAuth
package import Platform

/// Why a person could not log in at an authorization server.
package enum LoginFailure: Error, Hashable, Sendable {
  /// The server gave no answer, or none that can be used, or something here is in the way.
  case source(SecretError)
  /// The server has no login of this kind.
  case notOffered(LoginKind)
  /// The server registers no programs, and no client id is configured.
  case noClient
  /// Nothing can be listened on.
  case listen(SystemError)
  /// The browser came back without a code.
  case answer(RedirectAnswer)
  /// No login came in that time.
  case timedOut
  /// Standard input ended, and no address was pasted.
  case inputEnded
  /// Requests came that no browser sends.
  case tooManyRequests
  /// The program is to end.
  case interrupted
}

/// How a person logs in.
package enum LoginKind: Hashable, Sendable {
  /// In a browser on this machine.
  case browser
  /// In a browser anywhere, whose last address is pasted here.
  case paste
  /// On another device, with a code to type.
  case device
}

extension LoginFailure {
  /// What helps.
  package var need: SecretError.Need {
    switch self {
    case .source(let error): error.need
    case .notOffered, .noClient: .configuration
    case .inputEnded, .answer: .login
    case .listen, .timedOut, .tooManyRequests, .interrupted: .time
    }
  }

  /// What happened, in one line.
  package var what: String {
    switch self {
    case .source(let error): error.message
    case .notOffered(.device): "the server has no login on another device"
    case .notOffered(.browser), .notOffered(.paste): "the server has no login in a browser"
    case .noClient: "the server registers no programs by itself, and client-id is not set"
    case .listen(let error): "nothing can be listened on: \(error)"
    case .answer(let answer): Self.what(answer)
    case .timedOut: "nobody logged in in time"
    case .inputEnded: "standard input ended without the address at which the browser ends"
    case .tooManyRequests: "too many requests came that are no answer to this login"
    case .interrupted: "interrupted"
    }
  }

  /// What to do about it; nil where nothing can be advised.
  package var hint: String? {
    switch self {
    case .source(let error): error.hint
    case .notOffered(.device): "log in without --device"
    case .notOffered(.browser), .notOffered(.paste): "log in with --device"
    case .noClient:
      "register a program of your own there, see magnum-oauth(7)"
    case .listen, .answer, .timedOut, .inputEnded, .tooManyRequests, .interrupted: nil
    }
  }

  private static func what(_ answer: RedirectAnswer) -> String {
    switch answer {
    case .refused(let error): "the server refused: \(error.text)"
    case .otherIssuer: "the answer comes from another authorization server than was asked"
    case .code, .otherPath, .malformed: "this is not the answer to this login"
    }
  }
}
