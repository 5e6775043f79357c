internal import Octets
internal import SMTP
internal import SpoolPlan

/// The lines about a delivery for the log that the configuration names: one for each answer.
///
///     work 1795228333000000.9f3a1c2e: from=<me@x.test> to=<a@x.test> size=1234 relay=smtp.x.test:465
///       status=sent (250 2.0.0 queued as X)
package struct DeliveryLine {
  private let attempt: AttemptReport

  package init(_ attempt: AttemptReport) {
    self.attempt = attempt
  }

  /// The lines, without line ends; safe for any reader.
  package var lines: [String] {
    var groups: [(outcome: AttemptReport.Outcome, recipients: [Recipient])] = []
    for (recipient, outcome) in zip(attempt.envelope.recipients, attempt.outcomes) {
      if let index = groups.firstIndex(where: { $0.outcome == outcome }) {
        groups[index].recipients.append(recipient)
      } else {
        groups.append((outcome, [recipient]))
      }
    }
    return groups.map { line($0.outcome, $0.recipients) }
  }

  private func line(_ outcome: AttemptReport.Outcome, _ recipients: [Recipient]) -> String {
    let to = recipients.map { "<\(Printable.text($0.address.octets))>" }.joined(separator: ",")
    let from = attempt.envelope.reversePath.map { Printable.text($0.octets) } ?? ""
    var words = [
      "\(Printable.text(attempt.entry.account.utf8)) \(attempt.entry.id): from=<\(from)>"
    ]
    words += ["to=\(to)", "size=\(attempt.size)", "relay=\(attempt.server)"]
    if case .send(let sending) = attempt.entry.action, let label = sending.label {
      // One word, whatever the caller gave: what looks like a status behind it must not pass for one.
      let word = label.map { ASCII.isBlank($0) ? ASCII.underscore : $0 }
      words.append("tag=\(Printable.text(word))")
    }
    let lacking = attempt.lacking.map(\.word).sorted()
    if !lacking.isEmpty { words.append("without=\(lacking.joined(separator: ","))") }
    return (words + ["status=\(Self.status(outcome))"]).joined(separator: " ")
  }

  private static func status(_ outcome: AttemptReport.Outcome) -> String {
    switch outcome {
    case .sent(let words): "sent (\(words))"
    case .deferred(let words): "deferred (\(words))"
    case .refused(let words): "refused (\(words))"
    case .notSent: "not sent"
    case .unknown(let words): "unknown (\(words))"
    }
  }
}

extension Shortfall {
  /// The name of the extension that the server does not have.
  fileprivate var word: String {
    switch self {
    case .eightBitMIME: "8BITMIME"
    case .smtpUTF8: "SMTPUTF8"
    case .dsn: "DSN"
    }
  }
}
