internal import Octets

/// What a DKIM-Signature says of itself (RFC 6376 §3.5); whether it is right a server has to tell.
struct SignatureTags: Hashable {
  /// The domain that signs, in lower case.
  let domain: [UInt8]

  /// The domain of the identity that it signs for, in lower case.
  let identityDomain: [UInt8]

  /// The names of the fields that it covers, in lower case.
  let fields: Set<[UInt8]>

  /// The signature itself in base64.
  let value: [UInt8]

  /// Reads the value of a field; nil where it lacks a tag, or has one twice.
  init?(_ body: [UInt8]) {
    guard body.count <= ListField.lengthLimit else { return nil }
    var tags: [[UInt8]: [UInt8]] = [:]
    for part in body.filter({ $0 > ASCII.space }).split(separator: ASCII.semicolon) {
      guard let equals = part.firstIndex(of: ASCII.equals) else { return nil }
      let value = [UInt8](part[(equals + 1)...])
      guard tags.updateValue(value, forKey: [UInt8](part[..<equals])) == nil else { return nil }
    }
    guard let domain = tags[[UInt8](ascii: "d")], let fields = tags[[UInt8](ascii: "h")],
      let value = tags[[UInt8](ascii: "b")], !domain.isEmpty, !value.isEmpty
    else { return nil }
    self.domain = domain.map(ASCII.lowercased)
    let identity = tags[[UInt8](ascii: "i")] ?? domain
    let after = identity.lastIndex(of: ASCII.at).map { identity[($0 + 1)...] } ?? identity[...]
    identityDomain = after.map(ASCII.lowercased)
    self.fields = Set(
      fields.map(ASCII.lowercased).split(separator: ASCII.colon).map { [UInt8]($0) }
    )
    self.value = value
  }

  /// Whether it covers all fields of these names.
  func covers(_ names: [StaticString]) -> Bool {
    names.allSatisfy { fields.contains([UInt8](ascii: $0).map(ASCII.lowercased)) }
  }

  /// Whether a result is about it, as far as the result tells: its domain, and the first of its octets (RFC 6008).
  func isMeant(by result: MethodResult) -> Bool {
    if let signed = result.value("header.d") {
      guard signed.map(ASCII.lowercased) == domain else { return false }
    } else {
      guard result.domain == identityDomain else { return false }
    }
    return result.value("header.b").map { value.starts(with: $0) } ?? true
  }
}

extension SenderVerdict {
  /// Whether fields that a header has once each are covered by a signature that the receiving server found to be right.
  ///
  /// Where its result fits several signatures, as those of one domain, each of them has to cover them: a stranger can add one.
  package func vouches(for names: [StaticString], of header: Header) -> Bool {
    guard names.allSatisfy({ header.all($0).count == 1 }) else { return false }
    let signatures = header.all("DKIM-Signature").map { SignatureTags($0.body) }
    return results.contains { result in
      guard result.method.equalsCaseless("dkim"), result.result.equalsCaseless("pass"),
        !signatures.contains(nil)
      else { return false }
      let meant = signatures.compactMap(\.self).filter { $0.isMeant(by: result) }
      return !meant.isEmpty && meant.allSatisfy { $0.covers(names) }
    }
  }
}
