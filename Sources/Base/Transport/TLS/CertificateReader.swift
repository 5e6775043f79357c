internal import COpenSSL
internal import Glibc
internal import Octets

/// Reads the facts out of an OpenSSL certificate.
struct CertificateReader {
  /// An `X509` that outlives the reader.
  let certificate: OpaquePointer

  func read() -> PeerCertificate {
    PeerCertificate(
      subject: text(of: X509_get_subject_name(certificate)),
      issuer: text(of: X509_get_issuer_name(certificate)),
      names: names,
      commonName: commonName,
      validUntil: seconds(X509_get0_notAfter(certificate)),
      fingerprint: fingerprint
    )
  }

  /// The SHA-256 of the DER form.
  var fingerprint: [UInt8] { digest(EVP_sha256()) }

  /// A digest of the DER form.
  func digest(_ function: OpaquePointer?) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    guard X509_digest(certificate, function, &digest, &length) == 1 else { return [] }
    return Array(digest.prefix(Int(length)))
  }

  private var names: [String] {
    let list = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil)
    guard let list else { return [] }
    let names = OpaquePointer(list)
    defer { GENERAL_NAMES_free(names) }
    return (0..<max(0, magnum_GENERAL_NAMES_count(names))).compactMap { index in
      magnum_GENERAL_NAMES_at(names, index).flatMap { text(of: $0.pointee) }
    }
  }

  private func text(of name: GENERAL_NAME) -> String? {
    switch name.type {
    case GEN_DNS: octets(name.d.dNSName).map { Printable.text($0) }
    case GEN_IPADD: octets(name.d.iPAddress).flatMap { Self.address($0) }
    default: nil
    }
  }

  private var commonName: String? {
    let subject = X509_get_subject_name(certificate)
    let index = X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
    guard index >= 0, let entry = X509_NAME_get_entry(subject, index) else { return nil }
    return octets(X509_NAME_ENTRY_get_data(entry)).map { Printable.text($0) }
  }

  private func text(of name: OpaquePointer?) -> String {
    guard let name, let bio = BIO_new(BIO_s_mem()) else { return "" }
    defer { BIO_free(bio) }
    magnum_X509_NAME_print(bio, name)
    var content: UnsafeMutablePointer<CChar>?
    let length = magnum_BIO_content(bio, &content)
    guard let content, length > 0 else { return "" }
    return Printable.text(UnsafeRawBufferPointer(start: content, count: length))
  }

  private func octets(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8]? {
    guard let string, let data = ASN1_STRING_get0_data(string) else { return nil }
    return Array(UnsafeBufferPointer(start: data, count: Int(ASN1_STRING_length(string))))
  }

  private func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var fields = tm()
    guard ASN1_TIME_to_tm(time, &fields) == 1 else { return nil }
    return Int64(timegm(&fields))
  }

  private static func address(_ octets: [UInt8]) -> String? {
    let family: Int32
    switch octets.count {
    case 4: family = AF_INET
    case 16: family = AF_INET6
    default: return nil
    }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard let result = inet_ntop(family, octets, &text, socklen_t(text.count)) else { return nil }
    return String(cString: result)
  }
}

/// What a server's certificate says, for people who have to decide about it.
///
/// All texts are fit for a terminal.
package struct PeerCertificate: Hashable, Sendable {
  /// Whom it is for, such as `CN = mail.example.org`.
  package let subject: String

  /// Who vouches for it; the subject itself when it is self-signed.
  package let issuer: String

  /// The host names and addresses it is good for (subjectAltName); wildcards as they are written.
  package let names: [String]

  /// The common name of the subject, which names no host where the list of names is missing (RFC 9525 §2); nil without one.
  package let commonName: String?

  /// Up to when it is valid, in seconds since 1970; `nil` if that cannot be read.
  package let validUntil: Int64?

  /// The SHA-256 of its DER form, 32 octets.
  package let fingerprint: [UInt8]

  /// Whether its time is over.
  func isExpired(now: Int64) -> Bool { validUntil.map { $0 < now } ?? false }
}
