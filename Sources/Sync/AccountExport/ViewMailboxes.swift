internal import Configuration
internal import MailModel

/// Mailboxes that only show the messages of others once more (\All, \Important, \Flagged), which a sync leaves out by itself and
/// other programs do not.
///
/// Which they are is known to the server alone, except for Gmail in English.
struct ViewMailboxes {
  private static let gmailHosts: Set<String> = ["imap.gmail.com", "imap.googlemail.com"]
  private static let gmailNames = ["[Gmail]", "[Google Mail]"].flatMap { parent in
    ["All Mail", "Important", "Starred"].map { "\(parent)/\($0)" }
  }

  private let account: Account

  init(_ account: Account) { self.account = account }

  /// The patterns that leave them out; none where the account mirrors them.
  var patterns: [MailboxPattern] {
    account.sync.allMail || !isGmail ? [] : Self.gmailNames.map { MailboxPattern($0) }
  }

  /// What is to be known of them; nil where the account mirrors them.
  ///
  /// `key` is what leaves a mailbox out.
  func remark(_ key: String) -> String? {
    guard !account.sync.allMail else { return nil }
    return isGmail
      ? "all-mail: [Gmail]/All Mail, Important and Starred are left out; "
        + "where the account has them in another language, add their names to \(key)"
      : "all-mail: Magnum leaves out what only shows other mail again, such as All Mail; "
        + "where the server has such mailboxes, add their names to \(key)"
  }

  private var isGmail: Bool {
    switch account.server {
    case .imaps(let host, _), .startTLS(let host, _), .plain(let host, _):
      Self.gmailHosts.contains(host.lowercased())
    case .command, nil: false
    }
  }
}
