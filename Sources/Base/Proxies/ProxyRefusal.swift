internal import Octets

/// Why there is no connection through a proxy.
package enum ProxyRefusal: Error, Hashable, Sendable {
  /// The reply is none of a proxy of that kind; what came of it.
  case malformed([UInt8])

  /// The proxy ended the connection.
  case closed

  /// The proxy wants a login, and there is none, or none that it takes.
  case loginWanted

  /// The proxy refused the login.
  case loginRefused

  /// The code of a SOCKS reply (RFC 1928 §6).
  case socks(UInt8)

  /// The status of a reply to CONNECT that is not 2xx, and its reason; octets of a stranger.
  case http(UInt16, [UInt8])

  /// The name of the server is empty, longer than a proxy takes, or has octets that none has.
  case unfitName

  /// Name or password for the proxy are empty, too long, or have octets that cannot be sent.
  case unfitLogin

  /// What helps.
  package enum Help: Hashable, Sendable {
    /// Trying again later.
    case time
    /// Another proxy, server or configuration.
    case configuration
    /// Another login.
    case login
  }

  /// What helps.
  package var help: Help {
    switch self {
    case .loginWanted, .loginRefused, .http(407, _), .unfitLogin: .login
    case .socks(2), .socks(7), .socks(8), .malformed, .unfitName: .configuration
    case .closed, .socks, .http(500..., _): .time
    case .http: .configuration
    }
  }
}

extension ProxyRefusal: CustomStringConvertible {
  /// What happened, behind the name of the proxy; fit for a terminal.
  package var description: String {
    switch self {
    case .malformed(let octets):
      octets.isEmpty
        ? "its reply makes no sense"
        : "its reply makes no sense: \(Printable.text(octets, limit: 100))"
    case .closed: "it closed the connection"
    case .loginWanted: "it wants a login"
    case .loginRefused: "it refused the login"
    case .socks(let code): Self.words(code)
    case .http(let status, let reason):
      reason.isEmpty
        ? "it answered \(status)" : "it answered \(status) \(Printable.text(reason, limit: 100))"
    case .unfitName: "it cannot be given the name of the server"
    case .unfitLogin: "it cannot be given the login"
    }
  }

  /// The words of RFC 1928 for a code.
  private static func words(_ code: UInt8) -> String {
    switch code {
    case 1: "general failure"
    case 2: "connection not allowed"
    case 3: "network unreachable"
    case 4: "host unreachable"
    case 5: "connection refused"
    case 6: "time exceeded"
    case 7: "command not supported"
    case 8: "type of address not supported"
    default: "it answered with code \(code)"
    }
  }
}
