internal import Octets

/// That a login is about to end, as far as that is known before.
package enum LoginForecast: Hashable, Sendable {
  /// It ends at this moment (seconds since 1970), as the one before did after as long.
  case ends(at: Int64)
  /// It was last used at this moment, and ends when it is not used before the other one.
  case unused(since: Int64, ends: Int64)

  private static let day: Int64 = 86_400

  /// Days for which Google has logins of a client whose registration is "in testing".
  private static let testing = 7

  /// Days without use after which Microsoft ends a login.
  private static let disuse = 90

  /// What is to be said of a login now; nil for nothing.
  package init?(_ grant: Grant, now: Int64) {
    guard grant.state == .active else { return nil }
    if let end = grant.expectedEnd, now < end, end - now <= 2 * Self.day {
      self = .ends(at: end)
      return
    }
    let used = grant.access.issued
    let end = used + Int64(Self.disuse) * Self.day
    guard Self.isOf(.microsoft, grant.binding), grant.refreshToken != nil, now < end,
      end - now <= 10 * Self.day
    else { return nil }
    self = .unused(since: used, ends: end)
  }

  /// When the login ends that followed one which ended so; nil where that is not known.
  ///
  /// The end is noticed by the first program that wants a token, which may be half a day later.
  static func expectedEnd(of loggedIn: Int64, after previous: Grant?, _ binding: Grant.Binding)
    -> Int64?
  {
    guard isOf(.google, binding), let previous, previous.binding.server == binding.server else {
      return nil
    }
    let lifetime = Int64(testing) * day
    switch previous.state {
    case .ended(let end, _):
      let lived = end - previous.loggedIn
      guard lived > lifetime - day / 2, lived < lifetime + day / 2 else { return nil }
    case .active, .doubtful:
      guard previous.expectedEnd != nil else { return nil }
    }
    return loggedIn + lifetime
  }

  private static func isOf(_ provider: OAuthProvider, _ binding: Grant.Binding) -> Bool {
    let name = [UInt8](provider.rawValue.utf8)
    return binding.server == name || binding.server.starts(with: name + [ASCII.slash])
  }
}
