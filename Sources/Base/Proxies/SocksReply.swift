internal import Octets

/// What a SOCKS proxy says, octet by octet (RFC 1928, RFC 1929).
enum SocksReply: Hashable, Sendable {
  /// Its choice of a way to log in; then the version was read.
  case method, methodChosen
  /// Its answer to the login; then the version of that was read.
  case login, loginAnswered
  /// Its answer to the request, so many octets of which were read.
  case answer(Int)
  /// The length of a name in it.
  case nameLength
  /// The rest, so many octets.
  case rest(Int)

  /// What an octet leads to.
  enum Step: Hashable {
    case goOn
    /// The login is to be sent.
    case login
    /// The request is to be sent.
    case request
    case open
  }

  /// How many octets are certain to come.
  var wanted: Int {
    switch self {
    case .method, .login: 2
    case .methodChosen, .loginAnswered, .nameLength: 1
    case .answer(let count): 4 - count
    case .rest(let count): count
    }
  }

  mutating func receive(_ octet: UInt8, hasLogin: Bool) throws(ProxyRefusal) -> Step {
    switch self {
    case .method:
      try Self.check(octet, is: 5)
      self = .methodChosen
    case .methodChosen: return try chooseMethod(octet, hasLogin: hasLogin)
    case .login:
      try Self.check(octet, is: 1)
      self = .loginAnswered
    case .loginAnswered:
      guard octet == 0 else { throw .loginRefused }
      self = .answer(0)
      return .request
    case .answer(let count): try receiveAnswer(octet, count)
    // Behind the name comes the port.
    case .nameLength: self = .rest(Int(octet) + 2)
    case .rest(let count):
      if count == 1 { return .open }
      self = .rest(count - 1)
    }
    return .goOn
  }

  private mutating func chooseMethod(
    _ octet: UInt8,
    hasLogin: Bool
  ) throws(ProxyRefusal) -> Step {
    switch octet {
    case 0:
      self = .answer(0)
      return .request
    case 2 where hasLogin:
      self = .login
      return .login
    case 0xFF: throw .loginWanted
    default: throw .malformed([5, octet])
    }
  }

  /// Version, code, nothing, and the type of the address that follows.
  private mutating func receiveAnswer(_ octet: UInt8, _ count: Int) throws(ProxyRefusal) {
    self = .answer(count + 1)
    switch count {
    case 0: try Self.check(octet, is: 5)
    case 1: if octet != 0 { throw .socks(octet) }
    case 2: break
    default:
      switch octet {
      case 1: self = .rest(4 + 2)
      case 3: self = .nameLength
      case 4: self = .rest(16 + 2)
      default: throw .malformed([5, 0, 0, octet])
      }
    }
  }

  private static func check(_ octet: UInt8, is version: UInt8) throws(ProxyRefusal) {
    guard octet == version else { throw .malformed([octet]) }
  }
}
