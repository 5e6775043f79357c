internal import Octets

/// What a receiving server writes of one method that it checked a message by (RFC 8601 §2.2).
package struct MethodResult: Hashable, Sendable {
  /// The method in lower case, as `dkim`; no version.
  package let method: [UInt8]

  /// What came of it in lower case, as `pass`.
  package let result: [UInt8]

  /// What it is about: properties such as `header.d`, names in lower case, in their order.
  package let properties: [Property]

  /// A property of a message, and its value as it was written.
  package struct Property: Hashable, Sendable {
    let name: [UInt8]
    let value: [UInt8]
  }

  /// The value of the first property of that name; nil where there is none or it is empty.
  func value(_ name: StaticString) -> [UInt8]? {
    properties.first { $0.name.equalsCaseless(name) }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// The domain that the result is about in lower case; nil where it names none.
  ///
  /// Of a signature that is `header.d`, else the domain of `header.i`, which is all that some servers tell.
  package var domain: [UInt8]? {
    let named: [UInt8]? =
      if method.equalsCaseless("dkim") {
        value("header.d") ?? value("header.i")
      } else if method.equalsCaseless("dmarc") {
        value("header.from")
      } else {
        value("smtp.mailfrom") ?? value("smtp.helo") ?? value("policy.iprev")
      }
    guard let named else { return nil }
    let domain = named.lastIndex(of: ASCII.at).map { named[($0 + 1)...] } ?? named[...]
    return domain.isEmpty ? nil : domain.map(ASCII.lowercased)
  }
}

/// The value of a field Authentication-Results (RFC 8601).
struct AuthenticationResults: Hashable {
  /// Who checked, in lower case.
  let server: [UInt8]

  /// What was checked, in its order; without what cannot be read.
  let results: [MethodResult]

  /// Reads the value of a field; nil where it names no server, or has a version other than 1.
  init?(_ body: [UInt8]) {
    var items = ResultWords.items(body[...])
    guard !items.isEmpty, let server = items.removeFirst().server else { return nil }
    self.server = server
    results = items.compactMap(\.result)
  }
}
