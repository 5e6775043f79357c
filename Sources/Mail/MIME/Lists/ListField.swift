internal import Octets

/// What fields of mailing lists hold (RFC 2369, RFC 2919).
package enum ListField {
  /// Longer fields are not read, in octets.
  package static let lengthLimit = 64 << 10

  /// Addresses of a field at most: no list names as many.
  private static let limit = 20

  /// The addresses in angle brackets, in their order, without white space; comments between them are left out.
  package static func addresses(in body: [UInt8]) -> [[UInt8]] {
    guard body.count <= lengthLimit else { return [] }
    var (cursor, addresses) = (Cursor(body), [[UInt8]]())
    while let octet = cursor.next(), addresses.count < limit {
      switch octet {
      case ASCII.openParenthesis: skipComment(&cursor)
      case ASCII.lessThan:
        let address = cursor.take { $0 != ASCII.greaterThan }
        // Without an end it may be half of one.
        guard cursor.skip(ASCII.greaterThan) else { return addresses }
        addresses.append(address.filter { $0 > ASCII.space })
      default: continue
      }
    }
    return addresses
  }

  private static func skipComment(_ cursor: inout Cursor) {
    var depth = 1
    while depth > 0, let octet = cursor.next() {
      switch octet {
      case ASCII.backslash: _ = cursor.next()
      case ASCII.openParenthesis: depth += 1
      case ASCII.closeParenthesis: depth -= 1
      default: break
      }
    }
  }
}

extension Header {
  /// The id of the list that a message came through, in lower case; nil for none.
  package func listID(_ decoder: CharsetDecoder) -> [UInt8]? {
    guard var body = first("List-Id")?.body else { return nil }
    // Some programs encode all of it.
    if body.holds([UInt8](ascii: "=?")) {
      body = text("List-Id", decoder) ?? body
    }
    let inside = body.lastIndex(of: ASCII.lessThan).map { body[($0 + 1)...] } ?? body[...]
    let id = inside.prefix { $0 != ASCII.greaterThan && $0 != ASCII.space }
      .map { ASCII.lowercased($0) }
    return id.isEmpty ? nil : id
  }
}
