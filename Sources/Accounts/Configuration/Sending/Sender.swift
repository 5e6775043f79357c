package import MailModel
package import Platform

/// An account that can send mail: what is needed for that, defaults merged in.
package struct Sender: Hashable, Sendable {
  /// The word after `account.` in the file.
  package let name: String

  /// The user's own addresses, the main one first; may be empty.
  package let addresses: [String]

  /// The user's name, for the From field; `nil` where the file gives none.
  package let fullName: String?

  /// Where mail is handed in.
  package let server: SubmissionServer

  /// The name to log in with; empty only without a secret.
  package let user: String

  /// Where the password or token comes from; with `.none` there is no log-in.
  package private(set) var secret: SecretSource

  /// The key of the file that names the source of the secret; `nil` without one.
  package let secretKey: String?

  /// A file with certificates (PEM) trusted besides the system's; `nil`: the system's alone.
  package let trustFile: Path?

  /// SHA-256 of the one certificate to accept, 32 octets; `nil`: chain and host name decide.
  package let fingerprint: [UInt8]?

  /// The certificate that the server is shown; `nil` for none.
  package let clientCertificate: ClientCertificate?

  /// What the server is reached through; `nil` for a direct connection.
  package let proxy: ProxySettings?

  /// Whom to log in as by that certificate, empty where the file does not say; `nil` for no log-in by it.
  package let certificateUser: [UInt8]?

  /// Whether there is a log-in.
  package var logsIn: Bool { secret != .none || certificateUser != nil }

  /// 16 octets that change whenever server, user or the source of the secret changes.
  package let digest: [UInt8]

  /// When a copy goes into the mailbox for what was sent.
  package let copy: SentCopyRule

  /// When it is tried again.
  package let retry: RetryRules

  /// What holds where all users of a machine share the account.
  package let shared: SharedAccountRules

  /// How messages are written that go out with the account.
  package let composing: ComposingSettings

  /// The same with a password or token that was fetched already, by who may read its source.
  package func with(secret octets: [UInt8]) -> Sender {
    var sender = self
    sender.secret = .inline(octets)
    return sender
  }

  /// The same with an access token that is there already.
  package func with(accessToken token: [UInt8]) -> Sender {
    var sender = self
    sender.secret = .accessToken(token)
    return sender
  }

  /// The same where the secret is not to be had.
  func withheld(_ error: SecretError) -> Sender {
    var sender = self
    sender.secret = .withheld(error)
    return sender
  }

  /// The main address; `nil` where the file gives none.
  package var address: String? { addresses.first }
}

/// When a copy of what was sent is put into the mailbox for it.
package enum SentCopyRule: String, Hashable, Sendable, CaseIterable {
  /// Always but where the server does it by itself.
  case auto
  case always
  case never
}

/// What an account says about trying again; nil where it says nothing.
package struct RetryRules: Hashable, Sendable {
  /// Seconds to wait after the first attempt, the second, …; never empty, each from 1 s to 7 d.
  package var delays: [Int64]?

  /// Seconds for which it is tried while the server can be reached.
  package var lifetime: Int64?

  /// What becomes of a message that the server may have or not.
  package var uncertain: UncertainDelivery?

  /// Nothing said.
  package init() {}
}

/// Where a line is noted about each delivery.
package enum DeliveryLog: Hashable, Sendable {
  /// The system's log, facility mail.
  case syslog

  /// A file; each line is added at its end.
  case file(Path)

  /// Nowhere.
  case none
}

/// How long a message may be that is handed in.
package struct SizeLimit: Hashable, Sendable {
  /// The most octets.
  package let octets: Int

  /// 50 MiB: more than providers take.
  package static let standard = SizeLimit(octets: 50 << 20)

  /// The limits there can be.
  static let range = 1 << 10...1 << 30

  /// The same for people: in the largest unit that needs no fraction.
  package var text: String {
    // Not a loop over pairs: the compiler unrolls that, and lays it out by chance.
    let units = ["octets", "KiB", "MiB", "GiB"]
    let unit = min(octets.trailingZeroBitCount / 10, units.count - 1)
    return "\(octets >> (10 * unit)) \(units[unit])"
  }

  /// The longest entry of a queue that such messages make, encoded as quoted-printable and with their recipients.
  package var ofEntries: Int { max(160 << 20, octets / 5 * 16) }
}
