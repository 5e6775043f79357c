package import OAuth
internal import Octets
package import Platform
package import Web

/// Why a login at an authorization server gives no access token.
package enum GrantProblem: Hashable, Sendable {
  /// There was no login on this machine.
  case notLoggedIn
  /// A person has to log in again.
  case login(GrantUse.LoginNeed)
  /// The server refused to renew it once, or wants a pause; it is asked again from `until` on (seconds since 1970).
  case paused(OAuthError?, until: Int64)
  /// The server refused the client, which logs in without a person.
  case clientRefused(OAuthError)
  /// The file is not what this program writes.
  case damaged(Path)
  /// A newer version wrote the file.
  case newer(Path)
  /// The server gave no token.
  case reply(ReplyFailure, host: [UInt8])
  /// What the server says about itself cannot be used.
  case metadata(ServerMetadata.Problem, host: [UInt8])
  /// The server cannot be reached.
  case web(WebFailure, host: [UInt8])
  /// Another program renews the token, for longer than that takes.
  case locked(Path)
  /// The file system cannot lock.
  case lockUnsupported(Path)
  /// The command for that has not taken the login, which is in the file for now.
  case notHandedOver(Path)
  /// New tokens cannot be kept; they are not used, since the next run would not have them.
  case notStored(SystemError)

  /// What helps.
  var need: SecretError.Need {
    switch self {
    case .notLoggedIn, .damaged, .clientRefused: .login
    case .login(let need):
      switch need {
      case .ended, .noRefreshToken, .clientUnknown: .login
      case .otherServer, .otherHost: .configuration
      }
    case .newer, .metadata, .lockUnsupported: .configuration
    case .reply(let failure, _): Self.need(failure)
    case .web(let failure, _): failure.isTemporary ? .time : .configuration
    case .paused, .locked, .notHandedOver, .notStored: .time
    }
  }

  private static func need(_ failure: ReplyFailure) -> SecretError.Need {
    switch failure {
    case .notNow: .time
    case .malformed: .configuration
    case .unexpected(let status): (400...499).contains(status) ? .configuration : .time
    case .refused(let error):
      switch error.meaning {
      case .loginEnded: .login
      case .configuration: .configuration
      case .notNow, .pending, .slowDown: .time
      }
    }
  }
}

extension GrantProblem {
  /// What happened, in one line.
  package var what: String {
    switch self {
    case .notLoggedIn: "not logged in on this machine"
    case .login(let need): Self.what(need)
    case .paused(let error?, _):
      "the server refused to renew the login (\(error.text)); it is asked again in a few minutes"
    case .paused(nil, _): "the server wants a pause before it renews the login"
    case .clientRefused(let error):
      "the authorization server refused the client (\(error.text)); it is asked again later"
    case .damaged(let path): "\(path.display) is damaged"
    case .newer(let path): "\(path.display) was written by a newer version of Magnum"
    case .reply(let failure, let host): "\(Printable.text(host)): \(Self.what(failure))"
    case .metadata(let problem, let host): "\(Printable.text(host)): \(Self.what(problem))"
    case .web(let failure, let host): "\(Printable.text(host)): \(failure.text)"
    case .locked(let path): "another program is renewing the access token (\(path.display))"
    case .lockUnsupported(let path): "the file system cannot lock \(path.display)"
    case .notHandedOver(let path):
      "store.write and store.read have not kept the login: it is in \(path.display) for now"
    case .notStored(let error): "new tokens cannot be kept: \(error)"
    }
  }

  /// What to do about it; nil where nothing can be advised.
  package func hint(account: String) -> String? {
    let login = "magnum accounts login \(Printable.text(account.utf8))"
    switch self {
    case .notLoggedIn, .damaged: return login
    case .login(.otherHost):
      return "if the host is right: magnum accounts test --accept \(Printable.text(account.utf8))"
    case .login(.ended(_, let error)): return Self.known(error) ?? login
    case .login: return login
    case .paused(let error?, _): return Self.known(error) ?? "if it goes on: \(login)"
    case .paused(nil, _): return nil
    case .clientRefused(let error):
      return Self.known(error)
        ?? "check the client in the configuration and the clock of this machine; then: magnum "
        + "accounts test \(Printable.text(account.utf8))"
    case .newer: return "use that version, or log in anew: \(login)"
    case .reply(.refused(let error), _):
      if let known = Self.known(error) { return known }
      switch error.meaning {
      case .loginEnded: return login
      case .configuration:
        return
          "check client-id, client-secret-command and scopes where they are set; then: \(login)"
      case .notNow, .pending, .slowDown: return nil
      }
    case .metadata(.notJSON, _): return "check issuer: its host may not be an authorization server"
    case .metadata: return "issuer must be what the server calls itself, octet by octet"
    case .reply(.unexpected, _): return "check the endpoints in the configuration"
    case .reply(.malformed, _), .reply(.notNow, _), .locked: return nil
    case .web(let failure, _): return failure.hint
    case .notHandedOver: return "run the commands by hand to see what they say"
    case .lockUnsupported: return "keep XDG_STATE_HOME on a local disk"
    case .notStored(let error):
      return error.isOutOfSpace ? "make room; if the login has ended then: \(login)" : nil
    }
  }

  /// What an error is known to mean, where it says more than that the login has ended.
  private static func known(_ error: OAuthError) -> String? {
    KnownAnswer.find(error.text, host: nil, isPasswordRefused: false)?.hint
  }

  private static func what(_ need: GrantUse.LoginNeed) -> String {
    switch need {
    case .ended(_, let error): "the login has ended (\(error.text))"
    case .noRefreshToken: "the login has ended, and the server gave nothing to renew it with"
    case .clientUnknown(let error):
      "the server does not take the client any more that it has registered (\(error.text))"
    case .otherServer: "the login was made with another provider or client id"
    case .otherHost(let host):
      "the login was not made for \(Printable.text(host)), which does not get the token"
    }
  }

  private static func what(_ problem: ServerMetadata.Problem) -> String {
    switch problem {
    case .notJSON: "its metadata is no JSON object"
    case .otherIssuer(let issuer):
      issuer.map { "its metadata is that of the issuer \(Printable.text($0, limit: 300))" }
        ?? "its metadata names no issuer"
    case .badAddress(let member): "\(member) in its metadata is no https address"
    case .missing(let member): "its metadata has no \(member)"
    }
  }

  private static func what(_ failure: ReplyFailure) -> String {
    switch failure {
    case .refused(let error): "the server refused: \(error.text)"
    case .notNow(let status, _): "the server cannot answer now (status \(status))"
    case .unexpected(let status):
      "unexpected response from the authorization server (status \(status))"
    case .malformed(let member): "the server's answer has no proper \(member)"
    }
  }
}
