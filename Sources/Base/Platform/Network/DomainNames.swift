internal import CPlatform
internal import Glibc

/// What the system knows of domain names besides addresses.
package enum DomainNames {
  /// The longest answer that is taken, in octets.
  private static let lengthLimit = 16 << 10

  /// Asks the system's resolver for records of a name; blocks for some seconds at most.
  ///
  /// - Parameters:
  ///   - name: the whole name, to which nothing is appended.
  ///   - type: the number of the type (RFC 1035 §3.2.2).
  /// - Returns: the answer as it came; empty where there is no such name or record; nil without an answer.
  package static func ask(_ name: String, type: UInt16) -> [UInt8]? {
    var length: Int32 = -1
    let octets = [UInt8](unsafeUninitializedCapacity: lengthLimit) { buffer, count in
      length = magnum_ask_dns(name, Int32(type), buffer.baseAddress, Int32(lengthLimit))
      count = max(0, Int(length))
    }
    return length < 0 ? nil : octets
  }

  /// The domain that a registry gave out in which a host lies: `example.co.uk` for `mx.example.co.uk`.
  ///
  /// - Parameter host: a name with A-labels in lower case.
  /// - Returns: nil where the host is no more than a registry's own domain, or the system has no rules for it (libpsl).
  package static func registered(_ host: String) -> String? {
    guard let domain = magnum_registered_domain(host) else { return nil }
    defer { free(domain) }
    return String(cString: domain)
  }
}

/// Domain names beyond ASCII.
package enum InternationalDomain {
  /// The form of a domain name that all servers know: each label above ASCII as an A-label, `xn--…` (RFC 5890 §2.3.2.1).
  ///
  /// The rules and tables are those of the system's libidn2, which follow Unicode.
  /// - Parameter domain: the name in UTF-8.
  /// - Returns: ASCII octets; `nil` for what is no domain name, and on a system without that library.
  package static func asciiForm(_ domain: [UInt8]) -> [UInt8]? {
    guard !domain.contains(0) else { return nil }
    let text = domain.map { CChar(bitPattern: $0) } + [0]
    guard let form = magnum_domain_in_ascii(text) else { return nil }
    defer { free(form) }
    let octets = [UInt8](UnsafeRawBufferPointer(start: form, count: strlen(form)))
    return octets.allSatisfy { $0 < 0x80 } ? octets : nil
  }
}
