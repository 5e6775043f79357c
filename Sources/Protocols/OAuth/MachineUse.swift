internal import Octets

/// What to do for an access token of an account without a person, decided from what is kept, the clock and what a mail server
/// said.
package enum MachineUse: Hashable, Sendable {
  /// Use the one that is kept.
  case use(Grant.Access)
  /// Get a new one; `orElse` may be used where the server cannot be reached.
  case get(orElse: Grant.Access?, isAfterRefusal: Bool)
  /// There is no better one than the mail server refused.
  case nothingBetter
  /// The server refused the client, and is not asked again for now.
  case refused(OAuthError)
  /// The server wants no request before `until` (seconds since 1970).
  case notYet(until: Int64)

  /// Decides.
  ///
  /// - Parameters:
  ///   - kept: what is kept; nil for nothing.
  ///   - binding: the authorization server, with all that is configured of the request, and the hosts.
  ///   - key: the fingerprint of the client's key.
  ///   - refused: the access token that a mail server refused; nil where none did.
  ///   - now: seconds since 1970.
  package init(
    _ kept: GrantFile.Content?,
    for binding: Grant.Binding,
    key: [UInt8],
    refused: [UInt8]?,
    now: Int64
  ) {
    switch kept {
    case .refused(let refusal)?:
      self =
        refusal.holds(for: binding.server, key: key, now: now)
        ? .refused(refusal.error) : .get(orElse: nil, isAfterRefusal: false)
    case .grant(let grant)? where Self.isFor(binding, grant):
      self =
        refused == grant.access.token
        ? Self.afterRefusal(grant, now) : Self.usual(grant, now)
    case .grant?, .handedOver?, nil: self = .get(orElse: nil, isAfterRefusal: false)
    }
  }

  private static func isFor(_ binding: Grant.Binding, _ grant: Grant) -> Bool {
    grant.binding.server == binding.server
      && binding.hosts.allSatisfy { grant.binding.hosts.contains($0) }
  }

  private static func afterRefusal(_ grant: Grant, _ now: Int64) -> MachineUse {
    if let last = grant.renewedAfterRefusal, now >= last, now - last < GrantUse.refusalPause {
      return .nothingBetter
    }
    return grant.pause(at: now).map { .notYet(until: $0) }
      ?? .get(orElse: nil, isAfterRefusal: true)
  }

  private static func usual(_ grant: Grant, _ now: Int64) -> MachineUse {
    let access = grant.access
    if access.isFresh(at: now) { return .use(access) }
    let valid = access.isValid(at: now) ? access : nil
    if let until = grant.pause(at: now) {
      return valid.map { .use($0) } ?? .notYet(until: until)
    }
    return .get(orElse: valid, isAfterRefusal: false)
  }
}

/// That an authorization server refused a client without a person.
package struct MachineRefusal: Hashable, Sendable {
  /// What was asked for: the authorization server, and all that is configured of the request.
  let server: [UInt8]
  /// The fingerprint of the client's key.
  let key: [UInt8]
  /// When, in seconds since 1970.
  let time: Int64
  /// Whether it is the second one in a row, or a later one.
  let isRepeated: Bool
  /// The server's words.
  let error: OAuthError

  /// Seconds for which the server is not asked again after the second refusal in a row, as after that of a password.
  ///
  /// Servers refuse good clients for a while: after the first one it is asked again in minutes.
  package static let rest: Int64 = 6 * 3600

  init(server: [UInt8], key: [UInt8], time: Int64, isRepeated: Bool, error: OAuthError) {
    self.server = server
    self.key = key
    self.time = time
    self.isRepeated = isRepeated
    self.error = error
  }

  /// A refusal at this moment, where `kept` was kept before.
  package init(
    _ error: OAuthError,
    for server: [UInt8],
    key: [UInt8],
    after kept: GrantFile.Content?,
    now: Int64
  ) {
    var isRepeated = false
    if case .refused(let last)? = kept { isRepeated = last.server == server && last.key == key }
    self.init(server: server, key: key, time: now, isRepeated: isRepeated, error: error)
  }

  /// Whether the server is not asked for this at the moment; a clock that was set back tells nothing.
  func holds(for server: [UInt8], key: [UInt8], now: Int64) -> Bool {
    let end = time + (isRepeated ? Self.rest : GrantUse.refusalPause)
    return self.server == server && self.key == key && now >= time && now < end
  }
}
