package import OAuth
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
    case .notLoggedIn, .damaged: .login
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
