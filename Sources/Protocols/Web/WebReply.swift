internal import Octets

/// A server's answer to a request.
package struct WebReply: Hashable, Sendable {
  /// The status, from 100 to 599.
  package let status: Int
  /// The seconds after which to ask again, where the server says so in seconds (RFC 9110 §10.2.3).
  package let retryAfter: Int64?
  /// The content.
  package let body: [UInt8]
  /// What of the request is secret: no text that is made of the answer may repeat it, though servers do.
  package var secrets: [[UInt8]] = []

  package init(status: Int, retryAfter: Int64? = nil, body: [UInt8]) {
    self.status = status
    self.retryAfter = retryAfter
    self.body = body
  }

  /// A text of the answer with every secret of the request in it replaced by `…`.
  package func redacted(_ text: [UInt8]) -> [UInt8] {
    secrets.filter { !$0.isEmpty }.reduce(text) { $0.replacing($1, with: [UInt8]("…".utf8)) }
  }

  /// Reads what curl(1) writes for a request, and the words about a failure that stand behind it.
  ///
  /// Nil for the reply where there was none: curl then writes the status 000.
  package static func read(curlOutput output: [UInt8]) -> (reply: WebReply?, failure: [UInt8]) {
    var lines: [ArraySlice<UInt8>] = []
    var rest = output[...]
    while lines.count < 3, let end = rest.lastIndex(of: ASCII.lineFeed) {
      lines.append(rest[(end + 1)...])
      rest = rest[..<end]
    }
    guard lines.count == 3 else { return (nil, []) }
    let reply = decimal(lines[2]).flatMap { Int(exactly: $0) }.flatMap { status in
      (100...599).contains(status)
        ? WebReply(status: status, retryAfter: decimal(lines[1]), body: [UInt8](rest)) : nil
    }
    return (reply, [UInt8](lines[0]))
  }

  private static func decimal(_ text: ArraySlice<UInt8>) -> Int64? {
    var cursor = Cursor(text)
    guard let number = cursor.decimal(), cursor.isAtEnd else { return nil }
    return Int64(exactly: number)
  }
}
