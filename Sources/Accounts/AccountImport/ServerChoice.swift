internal import Octets

/// Host, port and use of TLS as Magnum writes them; what has no TLS where there should be some is not taken over.
struct ServerChoice {
  /// How the connection is made safe.
  enum Security {
    case implicit
    case startTLS
    case none
  }

  /// The schemes of a service, and the ports that go with them where none is given.
  struct Service {
    let schemes: [Security: String]
    let ports: [Security: Int]
    /// The port on which TLS begins at once.
    let implicitPort: Int

    static let imap = Service(
      schemes: [.implicit: "imaps", .startTLS: "imap", .none: "imap+plain"],
      ports: [.implicit: 993, .startTLS: 143, .none: 143],
      implicitPort: 993
    )
    static let smtp = Service(
      schemes: [.implicit: "submissions", .startTLS: "submission", .none: "smtp+plain"],
      ports: [.implicit: 465, .startTLS: 587, .none: 25],
      implicitPort: 465
    )
  }

  /// The address; nil where the host or port is none.
  let address: String?
  /// Whether TLS was off, and is on now.
  let wasUnsafe: Bool

  /// Writes an address.
  ///
  /// - Parameters:
  ///   - service: what is spoken there.
  ///   - host: a name or an address, without brackets.
  ///   - port: as it was given; nil where it was not.
  ///   - otherPort: the port that the other program takes where none was given; nil: the usual one.
  ///   - security: what was asked for.
  init(
    _ service: Service,
    host: String,
    port: String?,
    otherPort: Int? = nil,
    security: Security
  ) {
    let isClear = security == .none
    wasUnsafe = isClear && !Self.isLoopback(host)
    let number = port.map { Int($0) ?? 0 } ?? otherPort
    let safe: Security =
      wasUnsafe ? (number == service.implicitPort ? .implicit : .startTLS) : security
    guard Self.isHost(host), let scheme = service.schemes[safe],
      number.map({ (1...65_535).contains($0) }) ?? true
    else {
      address = nil
      return
    }
    let shown = host.utf8.contains(ASCII.colon) ? "[\(host)]" : host
    let written = number == service.ports[safe] ? nil : number
    address = "\(scheme)://\(shown)" + (written.map { ":\($0)" } ?? "")
  }

  /// Whether the host can only be this machine.
  static func isLoopback(_ host: String) -> Bool {
    if host.utf8.equalsCaseless("localhost".utf8) || host == "::1" { return true }
    let parts = host.utf8.split(separator: ASCII.dot, omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0].elementsEqual("127".utf8)
      && parts.allSatisfy { UInt8(String(decoding: $0, as: UTF8.self)) != nil }
  }

  private static func isHost(_ host: String) -> Bool {
    !host.isEmpty && host.utf8.count <= 253 && host.utf8.first != ASCII.minus
      && host.utf8.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 > 0x7F
          || [ASCII.dot, ASCII.minus, ASCII.colon, ASCII.underscore].contains($0)
      }
  }
}
