internal import Octets

/// How a proxy is asked for a connection, as a value: octets in, octets out.
///
/// A driver sends ``takeOutgoing()``, then reads at most ``wanted`` octets, gives them to ``receive(_:)``, and so on until
/// ``isOpen``. Not one octet of what the server says behind the proxy's reply is read on the way.
package struct ProxyDialogue: Sendable {
  /// The longest header of a reply to CONNECT, in octets.
  package static let headerLimit = 1 << 16

  /// The longest name of a host, in octets (RFC 1928 §5).
  package static let nameLimit = 255

  private enum State: Sendable {
    case socks(SocksReply)
    case connect(ConnectReply)
    case open
  }

  private var state: State
  private var outgoing: [UInt8]

  private let target: ProxyTarget
  private let login: ProxyLogin?

  /// A dialogue with a proxy.
  ///
  /// - Parameters:
  ///   - protocol: what it speaks.
  ///   - target: what to connect to.
  ///   - login: who asks; nil where the proxy is not told.
  /// - Throws: ``ProxyRefusal/unfitName``, ``ProxyRefusal/unfitLogin`` where that cannot be said.
  package init(
    _ protocol: ProxyProtocol,
    to target: ProxyTarget,
    login: ProxyLogin?
  ) throws(ProxyRefusal) {
    guard (1...Self.nameLimit).contains(target.name.count),
      !target.name.contains(where: { ASCII.isControl($0) || $0 == ASCII.space })
    else { throw .unfitName }
    (self.target, self.login) = (target, login)
    switch `protocol` {
    case .socks5:
      try login?.checkForSocks()
      outgoing = login == nil ? [5, 1, 0] : [5, 2, 0, 2]
      state = .socks(.method)
    case .http:
      try login?.checkForBasic()
      outgoing = Self.connectRequest(target, login)
      state = .connect(ConnectReply())
    }
  }

  /// Whether what follows is the server's.
  package var isOpen: Bool {
    if case .open = state { true } else { false }
  }

  /// What is to be sent now; it is sent once.
  package mutating func takeOutgoing() -> [UInt8] {
    defer { outgoing = [] }
    return outgoing
  }

  /// How many octets of the proxy are certain to come; 0 once it is open.
  package var wanted: Int {
    switch state {
    case .socks(let reply): reply.wanted
    case .connect(let reply): reply.wanted
    case .open: 0
    }
  }

  /// Takes octets of the proxy, at most as many as are wanted.
  ///
  /// - Throws: why there is no connection.
  package mutating func receive(_ octets: some Collection<UInt8>) throws(ProxyRefusal) {
    for octet in octets {
      switch state {
      case .socks(var reply):
        let step = try reply.receive(octet, hasLogin: login != nil)
        state = step == .open ? .open : .socks(reply)
        if step == .login, let login { outgoing = login.socksRequest }
        if step == .request { outgoing = target.socksRequest }
      case .connect(var reply):
        let isOpen = try reply.receive(octet, hasLogin: login != nil)
        state = isOpen ? .open : .connect(reply)
      case .open: throw .malformed([])
      }
    }
  }

  private static func connectRequest(_ target: ProxyTarget, _ login: ProxyLogin?) -> [UInt8] {
    let place = target.text
    var lines = [
      [UInt8](ascii: "CONNECT ") + place + [UInt8](ascii: " HTTP/1.1"),
      [UInt8](ascii: "Host: ") + place,
    ]
    if let login {
      let word = Base64.encode(login.text)
      lines.append([UInt8](ascii: "Proxy-Authorization: Basic ") + word)
    }
    return lines.flatMap { $0 + [ASCII.carriageReturn, ASCII.lineFeed] }
      + [ASCII.carriageReturn, ASCII.lineFeed]
  }
}

/// What a proxy speaks.
package enum ProxyProtocol: String, Hashable, Sendable, CaseIterable {
  /// SOCKS version 5, which gets names, not addresses (RFC 1928).
  case socks5 = "socks5h"
  /// The method CONNECT of HTTP (RFC 9110 §9.3.6).
  case http

  /// Where such proxies listen.
  package var port: UInt16 {
    switch self {
    case .socks5: 1080
    case .http: 3128
    }
  }
}

/// What a proxy is to connect to.
package struct ProxyTarget: Hashable, Sendable {
  /// A name in ASCII, or an address as text.
  let name: [UInt8]
  let port: UInt16
  /// The octets of an IPv4 or IPv6 address; nil for a name.
  let address: [UInt8]?

  /// A target; `address` has 4 or 16 octets where the name is an address.
  package init(name: [UInt8], port: UInt16, address: [UInt8]?) {
    (self.name, self.port, self.address) = (name, port, address)
  }

  /// Name and port as CONNECT names them.
  fileprivate var text: [UInt8] {
    let name = address?.count == 16 ? [ASCII.openBracket] + name + [ASCII.closeBracket] : name
    return name + [ASCII.colon] + [UInt8](decimal: port)
  }

  /// The request for a connection (RFC 1928 §4).
  fileprivate var socksRequest: [UInt8] {
    let place: [UInt8] =
      switch address {
      case let octets? where octets.count == 4: [1] + octets
      case let octets?: [4] + octets
      case nil: [3, UInt8(name.count)] + name
      }
    return [5, 1, 0] + place + [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
  }
}

/// Who asks a proxy.
package struct ProxyLogin: Hashable, Sendable {
  let user: [UInt8]
  let password: [UInt8]

  package init(user: [UInt8], password: [UInt8]) {
    (self.user, self.password) = (user, password)
  }

  /// Name and password with a colon between them; a secret.
  package var text: [UInt8] { user + [ASCII.colon] + password }

  /// Both have 1 to 255 octets (RFC 1929 §2).
  fileprivate func checkForSocks() throws(ProxyRefusal) {
    guard (1...255).contains(user.count), (1...255).contains(password.count) else {
      throw .unfitLogin
    }
  }

  /// A colon would end the name (RFC 7617 §2).
  fileprivate func checkForBasic() throws(ProxyRefusal) {
    guard !user.contains(ASCII.colon), !(user + password).contains(where: ASCII.isControl) else {
      throw .unfitLogin
    }
  }

  fileprivate var socksRequest: [UInt8] {
    [1, UInt8(user.count)] + user + [UInt8(password.count)] + password
  }
}

extension ProxyLogin: CustomStringConvertible, CustomReflectable {
  /// The name alone.
  package var description: String { "login of \(String(decoding: user, as: UTF8.self))" }

  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Where a proxy is.
package struct ProxyAddress: Hashable, Sendable {
  package let `protocol`: ProxyProtocol
  /// A name or an address without brackets.
  package let host: String
  package let port: UInt16

  package init(_ protocol: ProxyProtocol, host: String, port: UInt16) {
    self.protocol = `protocol`
    (self.host, self.port) = (host, port)
  }
}

extension ProxyAddress: CustomStringConvertible {
  /// As the configuration writes it, the port always given.
  package var description: String {
    "\(`protocol`.rawValue)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}
