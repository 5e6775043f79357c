package import MailModel
internal import Octets
package import Platform

/// One account of the configuration, defaults merged in and everything checked.
package struct Account: Hashable, Sendable {
  /// The word after `account.` in the file; never empty, without `/` and control characters.
  package let name: String

  /// The user's mail address; `nil` when the file names none.
  package let address: String?

  /// The root of the account's Maildir folders, absolute.
  package let maildir: Path

  /// How mailboxes become folders below ``maildir``.
  package let layout: FolderLayout

  /// Where the mail comes from; `nil` for a plain Maildir, which is never synced.
  package let server: Server?

  /// The name to log in with, by default the address; empty only where `secret` may be `.none`.
  package let user: String

  /// Where the password or token comes from; `.none` only without a server, with a tunnel or with a client certificate.
  package private(set) var secret: SecretSource

  /// A file with certificates (PEM) trusted besides the system's; `nil`: the system's alone.
  package let trustFile: Path?

  /// The certificate that the server is shown; `nil` for none.
  package let clientCertificate: ClientCertificate?

  /// What the server is reached through; `nil` for a direct connection.
  package let proxy: ProxySettings?

  /// What requests to servers of the web go through.
  package let webProxy: ProxyRule

  /// Whom to log in as by that certificate; empty where the file does not say, so that the server derives it.
  package let certificateUser: [UInt8]

  /// Whether the log-in is sent before the server's greeting is read.
  ///
  /// Always `never` where something is settled before, as by STARTTLS.
  package let earlyLogin: EarlyLoginRule
  package let compression: CompressionRule

  /// SHA-256 of the one certificate to accept, 32 octets; `nil`: chain and host name decide.
  package let fingerprint: [UInt8]?

  /// Mailboxes by role where the user overrides the server; decoded names, UTF-8, `/` between levels.
  package let roles: [MailboxRole: [UInt8]]

  /// What of the account is mirrored, and how.
  package let sync: SyncSettings

  /// Whether a sync leaves the account's index up to date; by default it does.
  package let isIndexed: Bool

  /// What subjects link in the account's index; nil where the configuration does not say.
  package let subjectThreading: SubjectThreading?

  /// The receiving servers whose verdicts on senders are believed.
  package let verdictServers: TrustedServers

  /// 16 octets that change whenever server, user or the source of the secret changes.
  ///
  /// The memory of refused secrets keeps them, so they are not the secret itself: an inline
  /// password counts by the fingerprint of the configuration file, a password file by its own fingerprint.
  package let digest: [UInt8]

  /// 16 octets that change whenever server or user changes, whatever the secret.
  package var userDigest: [UInt8] { AccountDigest.digest(server: server, user: user) }

  /// The same with a password that is there already, in whatever place the configuration has it.
  package func with(secret octets: [UInt8]) -> Account {
    var account = self
    account.secret = .inline(octets)
    return account
  }

  /// The same with an access token that is there already.
  package func with(accessToken token: [UInt8]) -> Account {
    var account = self
    account.secret = .accessToken(token)
    return account
  }
}

extension [Account] {
  /// The account in whose Maildir a file lies, as its path tells; nil where it lies in none.
  package func holder(of file: Path) -> Account? {
    filter { file.octets.starts(with: $0.maildir.octets + [ASCII.slash]) }
      .max { $0.maildir.octets.count < $1.maildir.octets.count }
  }
}

/// When the log-in is sent before the server's greeting is read; in any case only to a server that was seen to log in like that.
package enum EarlyLoginRule: Hashable, Sendable {
  /// Not at all.
  case never
  /// Where no setting speaks of it: after clean runs over TLS, and only if the server offers no log-in that hides the password.
  case afterCleanRuns
  /// As soon as the server was seen to take it.
  case asked
}

extension EarlyLoginRule {
  /// The rule for a server with that setting; `nil`: there is no setting.
  init(_ setting: Bool?, for server: Server?) {
    self =
      switch (server, setting) {
      case (.imaps, nil): .afterCleanRuns
      case (.imaps, true), (.plain, true): .asked
      case (.imaps, false), (.plain, _), (.startTLS, _), (.command, _), (nil, _): .never
      }
  }
}

/// When connections to a server are compressed (RFC 4978).
package enum CompressionRule: String, Hashable, Sendable, CaseIterable {
  /// Where much is fetched over a slow one.
  case ifSlow = "auto"
  /// Not at all.
  case never
}

/// The rules for names of accounts, which stand in file names and on the command line.
enum AccountName {
  /// What it must be or not, where it cannot be one, behind "the name of an account"; nil when it can.
  static func objection(to name: String) -> String? {
    if name.isEmpty { return "must not be empty" }
    if name.utf8.contains(ASCII.slash) { return "must not contain \"/\"" }
    if name.utf8.contains(where: ASCII.isControl) {
      return "must not contain control characters"
    }
    if name.hasPrefix("-") || name.hasPrefix(".") {
      return "must not begin with \"\(name.prefix(1))\""
    }
    return name.utf8.count > 100 ? "must not exceed 100 octets" : nil
  }
}

/// Where things are remembered of an account apart from its mail.
package enum AccountMemory {
  /// The directory of the account of that name, whether it is there or not.
  ///
  /// - Parameters:
  ///   - name: the name of the account.
  ///   - stateHome: where Magnum remembers things, such as `~/.local/state`.
  /// - Returns: its path.
  package static func path(of name: String, in stateHome: Path) -> Path {
    stateHome.appending("magnum").appending("accounts").appending(name)
  }
}
