internal import Octets

/// The header of a reply to CONNECT, octet by octet (RFC 9112 §4).
///
/// Lines may end with LF alone. A body that the header announces is none where the connection is open (RFC 9110 §9.3.6).
struct ConnectReply: Sendable {
  private var status: [UInt8] = []
  private var isStatusRead = false
  /// The octets of the line that is read, as far as there were none but CR.
  private var line = Line.empty
  private var count = 0

  private enum Line: Hashable {
    case empty, carriageReturn, filled
  }

  /// How many octets are certain to come: behind a line that is not empty, its end and another one.
  var wanted: Int { line == .filled ? 2 : 1 }

  /// Whether the connection is open.
  mutating func receive(_ octet: UInt8, hasLogin: Bool) throws(ProxyRefusal) -> Bool {
    count += 1
    guard count <= ProxyDialogue.headerLimit else { throw .malformed(shown) }
    if !isStatusRead {
      status.append(octet)
      let isHTTP = status.count != 5 || status.elementsEqual("HTTP/".utf8)
      guard isHTTP else { throw .malformed(shown) }
    }
    switch (octet, line) {
    case (ASCII.lineFeed, .filled):
      isStatusRead = true
      line = .empty
    case (ASCII.lineFeed, _):
      guard isStatusRead else { throw .malformed(shown) }
      return try finish(hasLogin: hasLogin)
    case (ASCII.carriageReturn, .empty): line = .carriageReturn
    default: line = .filled
    }
    return false
  }

  /// What the header says; another one follows where this is about the way to the answer (1xx).
  private mutating func finish(hasLogin: Bool) throws(ProxyRefusal) -> Bool {
    guard let (code, reason) = Self.parse(status) else { throw .malformed(shown) }
    switch code {
    case 100..<200:
      let read = count
      self = ConnectReply()
      // All of them together have the limit.
      count = read
      return false
    case 200..<300: return true
    case 407: throw hasLogin ? .loginRefused : .loginWanted
    default: throw .http(code, reason)
    }
  }

  private var shown: [UInt8] {
    Array(status.prefix { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }.prefix(200))
  }

  /// The code and the reason of a status line, such as `HTTP/1.1 200 Connection established`.
  private static func parse(_ line: [UInt8]) -> (code: UInt16, reason: [UInt8])? {
    var cursor = Cursor(line.filter { $0 != ASCII.carriageReturn && $0 != ASCII.lineFeed })
    guard cursor.skip("HTTP/"),
      cursor.take(while: { ASCII.isDigit($0) || $0 == ASCII.dot }).first == ASCII.zero + 1,
      cursor.skip(ASCII.space)
    else { return nil }
    let digits = cursor.take(while: ASCII.isDigit)
    guard digits.count == 3, cursor.isAtEnd || cursor.skip(ASCII.space) else { return nil }
    let code = digits.reduce(UInt16(0)) { $0 * 10 + UInt16($1 - ASCII.zero) }
    guard (100..<600).contains(code) else { return nil }
    return (code, Array(cursor.remaining))
  }
}
