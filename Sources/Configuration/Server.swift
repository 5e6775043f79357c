/// Where an account's mailboxes live.
package enum Server: Hashable, Sendable {
  /// TLS from the first octet (RFC 8314 §3.2); port 993 by default.
  case imaps(host: String, port: UInt16)

  /// TLS after STARTTLS, which must succeed (RFC 9051 §6.2.1); port 143 by default.
  case startTLS(host: String, port: UInt16)

  /// No TLS; only ever `localhost`, 127.0.0.0/8 or ::1; port 143 by default.
  case plain(host: String, port: UInt16)

  /// A program whose standard input and output speak IMAP; first the program, then its arguments.
  case command([String])
}
