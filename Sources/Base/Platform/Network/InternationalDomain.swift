internal import CPlatform
internal import Glibc

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
