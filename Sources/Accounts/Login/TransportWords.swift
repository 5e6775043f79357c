internal import MailModel
internal import Octets
package import Platform
internal import Proxies
package import Transport

/// What is wrong with a connection, in words: the one place that makes text of it.
package struct TransportWords {
  private let service: Service

  package init(_ service: Service) {
    self.service = service
  }

  /// What happened, and what to do about it; nil where nothing can be advised.
  package func words(_ error: TransportError) -> (what: String, hint: String?) {
    switch error {
    case .nameNotFound(let host, let detail, let isTemporary):
      (
        "cannot find \(shown(host)): \(Printable.text(detail.utf8))",
        isTemporary
          ? nil : "check the host name, and the connection to the network"
      )
    case .connect(let host, let port, let attempts):
      (
        "cannot connect to \(shown(host)) port \(port): \(reasons(attempts))",
        error.isRefused ? "nothing listens there: check host and port" : nil
      )
    case .timedOut(let phase): ("no answer in time, \(doing(phase))", nil)
    case .noAnswer(let phase, let host, let port, let seconds):
      (
        "\(missing(phase, "\(shown(host)) port \(port)")) within \(seconds) s",
        silenceHint(phase)
      )
    case .closed: ("the connection was lost", nil)
    case .closedInHandshake:
      (
        "the server ended the connection before TLS was agreed on",
        "it may speak only TLS 1.1 or older, which is not used, or no TLS on this port"
      )
    case .tls(let failure): words(failure)
    case .damagedCompression:
      ("what came compressed is damaged", "compress = \"never\" does without compression")
    case .interrupted: ("interrupted; all that was done is kept", nil)
    case .system(let error): (error.description, nil)
    case .proxy(let proxy, let refusal):
      ("the proxy \(shown(proxy.description)): \(refusal)", hint(refusal))
    case .proxyUnreachable(let error): ("the proxy: \(words(error).what)", "check proxy")
    case .tunnel(let failure): words(failure)
    }
  }

  private func hint(_ refusal: ProxyRefusal) -> String? {
    switch refusal {
    case .loginWanted, .loginRefused, .unfitLogin: "check proxy-user and proxy-password-command"
    case .malformed: "check the scheme, host and port in proxy"
    case .closed, .socks, .http, .unfitName: nil
    }
  }

  private func shown(_ host: String) -> String { Printable.text(host.utf8) }

  private func reasons(_ attempts: [SystemError]) -> String {
    var reasons: [String] = []
    for attempt in attempts where !reasons.contains(attempt.reason) {
      reasons.append(attempt.reason)
    }
    return reasons.isEmpty ? "no address" : reasons.joined(separator: ", ")
  }

  private func doing(_ phase: Phase) -> String {
    switch phase {
    case .resolve: "looking up the host's address"
    case .connect: "connecting"
    case .proxy: "waiting for the proxy"
    case .handshake: "agreeing on TLS"
    case .greeting: "waiting for the server's greeting"
    case .exchange: "talking to the server"
    }
  }

  /// What did not come, and from where.
  private func missing(_ phase: Phase, _ place: String) -> String {
    switch phase {
    case .resolve: "no address for \(place)"
    case .connect: "no connection to \(place)"
    case .proxy: "no answer from \(place)"
    case .handshake: "no TLS with \(place)"
    case .greeting: "no greeting from \(place)"
    case .exchange: "no answer from \(place)"
    }
  }

  private func silenceHint(_ phase: Phase) -> String? {
    switch phase {
    case .resolve, .exchange, .proxy: nil
    case .connect: "check host and port; a firewall may be in the way"
    case .handshake:
      "check the port; where the server wants STARTTLS, write \(service.startTLSLine)"
    case .greeting:
      "check the port; where it speaks TLS from the start, write \(service.implicitTLSLine)"
    }
  }

  private func words(_ failure: TunnelFailure) -> (what: String, hint: String?) {
    switch failure {
    case .start(let error): ("\(service.commandKey) cannot be started: \(error.reason)", nil)
    case .ended(let status, nil):
      ("\(service.commandKey) \(status.words)", "run the command by hand to see what it says")
    case .ended(let status, let line?):
      ("\(service.commandKey) \(status.words): \(Printable.text(line))", nil)
    }
  }

  // MARK: TLS

  private func words(_ failure: TLSFailure) -> (what: String, hint: String?) {
    switch failure {
    case .certificate(let host, let reason, let presented):
      (
        "the certificate of \(shown(host)) is not trusted: \(Printable.text(reason.utf8))",
        trustHint(presented)
      )
    case .expired(let host, let presented):
      (
        "the certificate of \(shown(host)) is not trusted: it expired on "
          + (presented.validUntil.map { CivilDate.split(Int($0)).date.text } ?? "an unknown day"),
        "the server's operator has to renew it; check this machine's clock too"
      )
    case .hostName(let host, let presented) where presented.names.contains(host):
      (
        "the certificate has \(shown(host)) for a host name, which is an address",
        "connect by a name that it is for, or have the address put into it as one; "
          + "only if you know that this is the server, \(pinHint(presented))"
      )
    case .hostName(_, let presented) where presented.names.isEmpty && presented.commonName != nil:
      (
        "the certificate has its name, \(Printable.text((presented.commonName ?? "").utf8, limit: 100)), "
          + "as a common name only, which no longer counts (RFC 9525)",
        "the server's operator has to renew it with a subjectAltName; "
          + "only if you know that this is the server, \(pinHint(presented))"
      )
    case .hostName(let host, let presented):
      (
        "the certificate is for \(names(presented)), not for \(shown(host))",
        "if the server has that name, use it; "
          + "only if you know that this is the server, \(pinHint(presented))"
      )
    case .fingerprint(let host, _, let presented):
      (
        "\(shown(host)) shows another certificate than the one in \(service.key("tls-fingerprint"))",
        "if the change is right, \(pinHint(presented))"
      )
    case .version:
      (
        "the server does not speak TLS 1.2 or later",
        "older versions are not safe and are not used: the server has to be updated"
      )
    case .notTLS:
      (
        "the server does not speak TLS on this port",
        "for STARTTLS write \(service.startTLSLine), and check the port"
      )
    case .trust(let path, let reason):
      (
        "\(service.key("tls-ca-file")) \(path.display): \(Printable.text(reason.utf8))",
        "correct it; the file holds certificates in PEM"
      )
    case .clientCertificate(.required):
      (
        "the server requires a client certificate",
        "set \(service.key("tls-client-certificate"))"
      )
    case .clientCertificate(let alert):
      (
        "the server refused the client certificate" + reason(alert),
        "check the certificate in \(service.key("tls-client-certificate"))"
      )
    case .handshake(let words): ("TLS: \(Printable.text(words.utf8))", nil)
    }
  }

  private func reason(_ alert: CertificateAlert) -> String {
    switch alert {
    case .required, .unspecified: ""
    case .unknownIssuer: ": it does not trust the issuer"
    case .expired: ": it has expired"
    case .revoked: ": it is revoked"
    case .accessDenied: ": access denied"
    }
  }

  private func names(_ certificate: PeerCertificate) -> String {
    let names = certificate.names.prefix(5).map { Printable.text($0.utf8, limit: 100) }
    return names.isEmpty ? "no name at all" : names.joined(separator: ", ")
  }

  private func trustHint(_ certificate: PeerCertificate) -> String {
    let file = service == .new ? "give --tls-ca-file FILE" : "set \(service.key("tls-ca-file"))"
    return "if you know this server, \(file), or \(pinHint(certificate))"
  }

  private func pinHint(_ certificate: PeerCertificate) -> String {
    let digits = String(decoding: Hex.encode(certificate.fingerprint), as: UTF8.self)
    return service.setting("tls-fingerprint", digits)
  }
}

extension ChildProcess.Status {
  /// How a command ended, behind its name.
  package var words: String {
    switch self {
    case .exited(let code): "ended with status \(code)"
    case .signalled(let signal): "was ended by signal \(signal)"
    case .timedOut: "took too long and was ended"
    case .outputTooLong: "printed too much and was ended"
    case .interrupted: "was interrupted"
    }
  }
}
