extension DirectiveNotes {
  /// What is to be said of msmtp's directives that were not taken.
  static let msmtp = DirectiveNotes(notes: [
    "timeout": .same, "connect_timeout": .same, "tls_min_dh_prime_bits": .same,
    "syslog": .same, "logfile_time_format": .same,
    "set_date_header": header, "set_msgid_header": header, "add_missing_date_header": header,
    "set_from_header": from, "add_missing_from_header": from, "auto_from": from,
    "allow_from_override": from,
    "remove_bcc_headers": bcc, "keepbcc": bcc,
    "undisclosed_recipients": .remark(.noEquivalent, "the fields To and Cc are sent as they are"),
    "maildomain": .remark(
      .noEquivalent,
      "address is what senders without a domain become; see rewrite-from"
    ),
    "domain": .remark(.noEquivalent, "the host name is not told to the server"),
    "logfile": .remark(
      .noEquivalent,
      "deliveries go to syslog; delivery-log at the top of the configuration takes a path"
    ),
    "aliases": .remark(
      .noEquivalent,
      "local names are looked up in ~/.config/magnum/aliases, then in /etc/aliases"
    ),
    "eval": .remark(
      .notRun,
      "a command whose output is part of the configuration: write what it prints"
    ),
    "dsn_notify": .remark(.noEquivalent, "magnum-send -N asks for reports of a message"),
    "dsn_return": .remark(.noEquivalent, "magnum-send -R says what a report holds"),
    "proxy_host": proxy, "proxy_port": proxy, "socket": direct, "source_ip": direct,
    "tls_priorities": .remark(.noEquivalent, "the system's OpenSSL settings decide"),
    "tls_force_sslv3": .remark(.weakensTLS, Trust.oldTLS),
    "tls_crl_file": .remark(.noEquivalent, "lists of revoked certificates are not read"),
    "tls_host_override": .remark(
      .weakensTLS,
      "a certificate has to be for the host that is configured"
    ),
    "ntlmdomain": .remark(.noEquivalent, "there is no NTLM"),
  ])

  private static let header = Note.remark(
    .notNeeded,
    "a message gets the fields Date and Message-ID where it lacks them"
  )
  private static let from = Note.remark(
    .noEquivalent,
    "a message gets a field From where it lacks one, else it keeps its own; see rewrite-from"
  )
  private static let bcc = Note.remark(
    .noEquivalent,
    "the field Bcc is removed from what is sent, and kept in the copy in Sent"
  )
  private static let proxy = Note.remark(
    .noEquivalent,
    "it is not taken over: proxy = \"socks5h://HOST:PORT\" holds for all servers of an account"
  )
  private static let direct = Note.remark(.noEquivalent, "connections are made directly")
}
