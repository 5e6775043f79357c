internal import MailModel
internal import Octets

extension ConfigurationKey {
  /// The keys of an account that are about sending mail.
  static let sending: [ConfigurationKey] =
    whoSends + whereTo + howToSend + composing + sharing + submissionSecrets + submissionTrust
    + clientCertificate("smtp-", \.sending.clientCertificate)

  private static let whoSends: [ConfigurationKey] = [
    ConfigurationKey("name", in: .account, .string) { value, draft throws(Mistake) in
      draft.sending.fullName = try value.text()
    },
    ConfigurationKey("addresses", in: .account, .strings) { value, draft throws(Mistake) in
      draft.sending.addresses = try value.addresses()
    },
  ]

  private static let whereTo: [ConfigurationKey] = [
    ConfigurationKey("smtp", in: .account, .string, group: .submissionServer) {
      value,
      draft throws(Mistake) in
      draft.sending.server = try value.submissionServer()
    },
    ConfigurationKey("smtp-command", in: .account, .command, group: .submissionServer) {
      value,
      draft throws(Mistake) in
      draft.sending.server = .command(try value.tunnelWords())
    },
    ConfigurationKey("send-command", in: .account, .strings, group: .submissionServer) {
      value,
      draft throws(Mistake) in
      draft.sending.server = .program(SendProgram(try value.program()))
    },
    ConfigurationKey("send-recipients", in: .account, .string, group: .programRecipients) {
      value,
      draft throws(Mistake) in
      draft.sending.recipients = try value.choice(SendProgram.Recipients.self)
    },
    ConfigurationKey("smtp-user", in: .account, .string, group: .submissionUser) {
      value,
      draft throws(Mistake) in
      draft.sending.user = try value.user()
    },
    ConfigurationKey("smtp-login", in: .account, .string, group: .submissionLogin) {
      value,
      draft throws(Mistake) in
      draft.sending.login = try value.choice(LoginRule.self)
    },
  ]

  private static let sharing: [ConfigurationKey] = [
    ConfigurationKey("users", in: .account, .strings) { value, draft throws(Mistake) in
      draft.sending.shared.users = try value.strings()
    },
    ConfigurationKey("report-failures-to", in: .account, .string, group: .failureReports) {
      value,
      draft throws(Mistake) in
      draft.sending.shared.reportsTo = try value.address()
    },
    ConfigurationKey("rewrite-from", in: .account, .string) { value, draft throws(Mistake) in
      draft.sending.shared.from = try value.choice(FromRule.self)
    },
    ConfigurationKey("rewrite-to", in: .account, .string) { value, draft throws(Mistake) in
      draft.sending.shared.to = try value.choice(ToRule.self)
    },
  ]

  private static let howToSend: [ConfigurationKey] = [
    ConfigurationKey("sent-copy", in: .account, .string) { value, draft throws(Mistake) in
      draft.sending.copy = try value.choice(SentCopyRule.self)
    },
    ConfigurationKey("retry-after", in: .account, .strings) { value, draft throws(Mistake) in
      draft.sending.retry.delays = try value.durations()
    },
    ConfigurationKey("send-timeout", in: .account, .string) { value, draft throws(Mistake) in
      draft.sending.retry.lifetime = try value.duration()
    },
    ConfigurationKey("if-uncertain", in: .account, .string) { value, draft throws(Mistake) in
      draft.sending.retry.uncertain = try value.choice(UncertainDelivery.self)
    },
  ]

  private static let composing: [ConfigurationKey] = [
    ConfigurationKey("signature-file", in: .account, .string, group: .signature) {
      value,
      draft throws(Mistake) in
      draft.sending.composing.signature = .file(try value.path())
    },
    ConfigurationKey("signature-command", in: .account, .command, group: .signature) {
      value,
      draft throws(Mistake) in
      draft.sending.composing.signature = .command(try value.command())
    },
    ConfigurationKey("attribution", in: .account, .string) { value, draft throws(Mistake) in
      draft.sending.composing.attribution = try value.text()
    },
    ConfigurationKey("html-command", in: .account, .command) { value, draft throws(Mistake) in
      draft.sending.composing.htmlCommand = try value.command()
    },
    ConfigurationKey("html-unconfined", in: .account, .boolean) { value, draft throws(Mistake) in
      draft.sending.composing.runsHTMLUnconfined = try value.boolean()
    },
    ConfigurationKey("send-delay", in: .account, .string) { value, draft throws(Mistake) in
      draft.sending.composing.delay = try value.duration()
    },
    ConfigurationKey("attachment-limit", in: .account, .string) { value, draft throws(Mistake) in
      draft.sending.composing.attachmentLimit = try value.sizeLimit().octets
    },
  ]

  private static let submissionSecrets = secrets("smtp-", .submissionSecret) {
    $1.sending.secret = $0
  }

  private static let submissionTrust: [ConfigurationKey] = [
    ConfigurationKey("smtp-tls-ca-file", in: .account, .string, group: .submissionTrust) {
      value,
      draft throws(Mistake) in
      draft.sending.trustFile = try value.path()
      draft.sending.fingerprint = nil
    },
    ConfigurationKey("smtp-tls-fingerprint", in: .account, .string, group: .submissionTrust) {
      value,
      draft throws(Mistake) in
      draft.sending.fingerprint = try value.fingerprint()
      draft.sending.trustFile = nil
    },
  ]
}

extension KeyValue {
  /// The value of `addresses`: mail addresses, at least one.
  func addresses() throws(Mistake) -> [String] {
    let texts = try strings()
    guard !texts.isEmpty else { throw .badValue("must not be empty") }
    for text in texts where !Self.isAddress(text) {
      throw .badValue("\"\(Printable.text(text.utf8, limit: 100))\" is not a mail address")
    }
    return texts
  }

  /// The value of `retry-after`: how long to wait each time, at least one.
  func durations() throws(Mistake) -> [Int64] {
    let texts = try strings()
    guard !texts.isEmpty else { throw .badValue("must not be empty") }
    var durations: [Int64] = []
    for text in texts { durations.append(try Self.duration(text)) }
    return durations
  }

  /// The value of `send-timeout`, in seconds.
  func duration() throws(Mistake) -> Int64 { try Self.duration(try text()) }

  private static let units: [UInt8: Int64] = [
    UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600, UInt8(ascii: "d"): 86_400,
  ]

  private static func duration(_ text: String) throws(Mistake) -> Int64 {
    let digits = text.utf8.dropLast()
    if let unit = text.utf8.last.flatMap({ units[$0] }), digits.allSatisfy(ASCII.isDigit),
      let number = Int64(String(text.dropLast())), (1...2_592_000).contains(number),
      number * unit <= 30 * 86_400
    {
      return number * unit
    }
    throw .badValue(
      "\"\(Printable.text(text.utf8, limit: 60))\" is no length of time",
      remedy:
        "write seconds, minutes, hours or days, such as \"30s\", \"15m\", \"2h\", \"1d\"; 30d at most"
    )
  }

  /// The value of `delivery-log`.
  func deliveryLog() throws(Mistake) -> DeliveryLog {
    switch try text() {
    case "syslog": .syslog
    case "none": .none
    default: .file(try path())
    }
  }

  private static let sizes: [UInt8: Int] = [
    UInt8(ascii: "K"): 1 << 10, UInt8(ascii: "M"): 1 << 20, UInt8(ascii: "G"): 1 << 30,
  ]

  /// The value of `message-size-limit`: octets, or a number of larger units.
  func sizeLimit() throws(Mistake) -> SizeLimit {
    let text = try text()
    let unit = text.utf8.last.flatMap { Self.sizes[$0] }
    let digits = unit == nil ? Substring(text) : text.dropLast()
    if digits.utf8.allSatisfy(ASCII.isDigit), let number = Int(digits),
      case let (octets, isTooLarge) = number.multipliedReportingOverflow(by: unit ?? 1),
      !isTooLarge, SizeLimit.range.contains(octets)
    {
      return SizeLimit(octets: octets)
    }
    throw .badValue(
      "\"\(Printable.text(text.utf8, limit: 60))\" is no size from 1K to 1G",
      remedy: "write octets, or a number with K, M or G, such as \"50M\""
    )
  }

  /// The value of `smtp`.
  func submissionServer() throws(Mistake) -> SubmissionServer {
    try SubmissionAddress.parse(try text())
  }
}
