internal import Octets
internal import Web

/// The file that keeps a grant: a line for each value, `%XX` for octets that are no visible ASCII.
///
///     magnum-oauth 1
///     server google
///     …
///     end
package enum GrantFile {
  /// Why a file cannot be used.
  package enum Problem: Error, Hashable, Sendable {
    /// A newer version of the program wrote it.
    case newer
    /// It is not what this program writes.
    case damaged
  }

  /// The longest file that is read, in octets.
  package static let lengthLimit = 256 << 10

  /// What a file holds.
  package enum Content: Hashable, Sendable {
    /// The login.
    case grant(Grant)
    /// Nothing but when the person logged in: commands of the user keep the rest.
    case handedOver(loggedIn: Int64)
    /// No token: the server refused a client without a person.
    case refused(MachineRefusal)

    /// When the person logged in, in seconds since 1970.
    package var loggedIn: Int64 {
      switch self {
      case .grant(let grant): grant.loggedIn
      case .handedOver(let time): time
      case .refused(let refusal): refusal.time
      }
    }
  }

  private static let kept = [UInt8](ascii: "magnum-oauth 1 store ")
  private static let refused = [UInt8](ascii: "magnum-oauth 1 refused\n")

  /// The file for a login that commands keep.
  package static func octets(handedOver grant: Grant) -> [UInt8] {
    kept + [UInt8](decimal: grant.loggedIn) + [ASCII.lineFeed]
  }

  /// The file for a refusal.
  package static func octets(of refusal: MachineRefusal) -> [UInt8] {
    var lines = Lines()
    lines.add("server", refusal.server)
    lines.add("key", refusal.key)
    lines.add("time", [UInt8](decimal: refusal.time))
    if refusal.isRepeated { lines.add("repeated", []) }
    lines.add(refusal.error)
    return refused + lines.octets + [UInt8](ascii: "end\n")
  }

  private static func refusal(_ octets: [UInt8]) throws(Problem) -> MachineRefusal {
    let lines = try Lines(octets.dropFirst(refused.count))
    guard let server = lines["server"], let key = lines["key"], let time = lines.number("time"),
      let code = lines["error"]
    else { throw .damaged }
    let refusal = MachineRefusal(
      server: server,
      key: key,
      time: time,
      isRepeated: lines["repeated"] != nil,
      error: OAuthError(code: code, description: lines["error-description"])
    )
    guard GrantFile.octets(of: refusal) == octets else { throw .damaged }
    return refusal
  }

  /// Reads a file.
  ///
  /// - Throws: why it cannot be used.
  package static func content(_ octets: [UInt8]) throws(Problem) -> Content {
    if octets.starts(with: refused) { return .refused(try refusal(octets)) }
    guard octets.starts(with: kept) else { return .grant(try grant(octets)) }
    var cursor = Cursor(octets.dropFirst(kept.count))
    guard let number = cursor.decimal(), cursor.skip(ASCII.lineFeed), cursor.isAtEnd,
      let time = Int64(exactly: number)
    else { throw .damaged }
    return .handedOver(loggedIn: time)
  }

  private static let name = [UInt8](ascii: "magnum-oauth ")
  private static let version: UInt64 = 1

  /// The file for a grant.
  package static func octets(of grant: Grant) -> [UInt8] {
    var lines = Lines()
    lines.add("server", grant.binding.server)
    for host in grant.binding.hosts { lines.add("host", host) }
    lines.add("client-id", grant.client.identifier)
    lines.add("client-secret", grant.client.secret)
    lines.add("token-endpoint", grant.tokenEndpoint.octets)
    lines.add("revocation-endpoint", grant.revocationEndpoint?.octets)
    lines.add("logged-in", [UInt8](decimal: grant.loggedIn))
    lines.add("expected-end", grant.expectedEnd.map { [UInt8](decimal: $0) })
    lines.add("scope", grant.scope)
    lines.add("refresh-token", grant.refreshToken)
    lines.add("access-token", grant.access.token)
    lines.add("issued", [UInt8](decimal: grant.access.issued))
    lines.add("expires", [UInt8](decimal: grant.access.expires))
    lines.add("paused-until", grant.pausedUntil.map { [UInt8](decimal: $0) })
    lines.add("renewed-after-refusal", grant.renewedAfterRefusal.map { [UInt8](decimal: $0) })
    switch grant.state {
    case .active: break
    case .doubtful(let error): lines.add(error)
    case .ended(let time, let error):
      lines.add("ended", [UInt8](decimal: time))
      lines.add(error)
    }
    return name + [UInt8](decimal: version) + [ASCII.lineFeed] + lines.octets
      + [UInt8](ascii: "end\n")
  }

  /// Reads a login.
  ///
  /// - Throws: why it cannot be used.
  package static func grant(_ octets: [UInt8]) throws(Problem) -> Grant {
    var cursor = Cursor(octets)
    guard octets.starts(with: name), cursor.take(count: name.count) != nil,
      let number = cursor.decimal(), cursor.skip(ASCII.lineFeed)
    else { throw .damaged }
    guard number <= version else { throw .newer }
    let lines = try Lines(cursor.takeAll())
    guard number == version, let access = access(lines), let grant = grant(lines, access),
      GrantFile.octets(of: grant) == octets
    else { throw .damaged }
    return grant
  }

  private static func access(_ lines: Lines) -> Grant.Access? {
    guard let token = lines["access-token"], let issued = lines.number("issued"),
      let expires = lines.number("expires"), issued < expires
    else { return nil }
    return Grant.Access(token: token, issued: issued, expires: expires)
  }

  private static func grant(_ lines: Lines, _ access: Grant.Access) -> Grant? {
    guard let server = lines["server"], let identifier = lines["client-id"],
      let endpoint = lines["token-endpoint"].flatMap({ try? WebAddress($0) }),
      let loggedIn = lines.number("logged-in")
    else { return nil }
    return Grant(
      binding: Grant.Binding(server: server, hosts: lines.all("host")),
      client: AuthorizationRequest.Client(identifier: identifier, secret: lines["client-secret"]),
      tokenEndpoint: endpoint,
      revocationEndpoint: lines["revocation-endpoint"].flatMap { try? WebAddress($0) },
      loggedIn: loggedIn,
      expectedEnd: lines.number("expected-end"),
      scope: lines["scope"],
      refreshToken: lines["refresh-token"],
      access: access,
      state: state(lines),
      renewedAfterRefusal: lines.number("renewed-after-refusal"),
      pausedUntil: lines.number("paused-until")
    )
  }

  private static func state(_ lines: Lines) -> Grant.State {
    guard let code = lines["error"] else { return .active }
    let error = OAuthError(code: code, description: lines["error-description"])
    if let time = lines.number("ended") { return .ended(at: time, error) }
    return .doubtful(error)
  }
}

/// The lines of a file, names with values.
private struct Lines {
  private var lines: [(name: [UInt8], value: [UInt8])] = []

  init() {}

  /// The lines up to `end`, behind which nothing may stand.
  init(_ octets: ArraySlice<UInt8>) throws(GrantFile.Problem) {
    var cursor = Cursor([UInt8](octets))
    while let line = cursor.take(upTo: ASCII.lineFeed) {
      _ = cursor.skip(ASCII.lineFeed)
      if line.elementsEqual("end".utf8) {
        guard cursor.isAtEnd else { throw .damaged }
        return
      }
      guard let space = line.firstIndex(of: ASCII.space),
        let value = PercentEscape.unescape(line[(space + 1)...])
      else { throw .damaged }
      lines.append(([UInt8](line[..<space]), value))
    }
    throw .damaged
  }

  mutating func add(_ name: StaticString, _ value: [UInt8]?) {
    if let value { lines.append(([UInt8](ascii: name), value)) }
  }

  mutating func add(_ error: OAuthError) {
    add("error", error.code)
    add("error-description", error.description)
  }

  subscript(name: StaticString) -> [UInt8]? { all(name).first }

  func all(_ name: StaticString) -> [[UInt8]] {
    let name = [UInt8](ascii: name)
    return lines.filter { $0.name == name }.map(\.value)
  }

  func number(_ name: StaticString) -> Int64? {
    self[name].flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
  }

  var octets: [UInt8] {
    lines.reduce(into: []) { octets, line in
      octets += line.name + [ASCII.space]
      octets += PercentEscape.escape(line.value) { $0 <= ASCII.space || $0 >= ASCII.delete }
      octets.append(ASCII.lineFeed)
    }
  }
}
