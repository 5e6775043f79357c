/// Where the secret of an account comes from.
package enum ImportedSecret: Hashable, Sendable {
  /// None is needed.
  case none
  /// A line for the shell that prints the password.
  case command(String)
  /// A line for the shell that prints an OAuth 2.0 access token.
  case tokenCommand(String)
  /// A file with the password.
  case file(String)
  /// The password, which stood in the file: it goes to a file of its own.
  case literal([UInt8])
  /// A login at an authorization server, which ``ImportedAccount/oauth`` describes.
  case oauth
  /// The other program asks for it each time, or gets it in a way of its own: a file that the user writes.
  case missing
}

/// An account as Magnum's configuration can hold it; all texts are as that writes them.
package struct ImportedAccount: Hashable, Sendable {
  /// What says how to reach and to trust a server.
  package struct Access: Hashable, Sendable {
    /// The address, such as `imaps://imap.example.org:993`.
    package var address: String?
    /// A line for the shell whose input and output speak IMAP.
    package var command: String?
    /// The name to log in with.
    package var user: String?
    /// Where the secret comes from.
    package var secret = ImportedSecret.none
    /// A file with certificates to trust.
    package var trustFile: String?
    /// A file with a client certificate.
    package var clientCertificate: String?
    /// A file with the key of that, where it is another one.
    package var clientKey: String?
    /// The SHA-256 fingerprint of the one certificate to accept, 64 hexadecimal digits.
    package var fingerprint: String?

    /// Nothing is known yet.
    package init() {}
  }

  /// The section `oauth`.
  package struct OAuth: Hashable, Sendable {
    /// The name of a provider, or the address of an issuer.
    package enum Server: Hashable, Sendable {
      case provider(String)
      case issuer(String)
    }

    /// Where to log in.
    package let server: Server
    /// What the program is there; nil where it registers itself.
    package let clientID: String?
    /// A line for the shell that prints the client secret.
    package let clientSecretCommand: String?

    package init(server: Server, clientID: String?, clientSecretCommand: String?) {
      self.server = server
      self.clientID = clientID
      self.clientSecretCommand = clientSecretCommand
    }
  }

  /// What may be done to mailboxes; nil where the default is what is meant.
  package struct Rules: Hashable, Sendable {
    /// `pull`, `push` or `both`.
    package var direction: String?
    /// What becomes of the message of a file that is removed.
    package var onLocalDelete: String?
    /// What becomes of a file whose message the server has no more.
    package var onRemoteDelete: String?
    /// Where messages go for good.
    package var expunge: String?
    /// On which sides mailboxes are made.
    package var create: String?
    /// On which sides mailboxes are removed.
    package var remove: String?

    init() {}

    /// The keys with their values, in the order of the manual page.
    package var keys: [(name: String, value: String?)] {
      [
        ("direction", direction), ("on-local-delete", onLocalDelete),
        ("on-remote-delete", onRemoteDelete), ("expunge", expunge), ("create", create),
        ("remove", remove),
      ]
    }
  }

  /// A section `mailbox`.
  package struct Mailbox: Hashable, Sendable {
    package let pattern: String
    /// What holds for them.
    package let rules: Rules
  }

  /// The keys of the section `sync`; nil where the default is what is meant.
  package struct Sync: Hashable, Sendable {
    /// What may be done to all mailboxes but those of ``ImportedAccount/mailboxes``.
    package var rules = Rules()
    /// `hide` or `keep`.
    package var namespace: String?
    /// Mailboxes whose folders have other names.
    package var folders: [String: String] = [:]
    /// Patterns, those with a `!` keeping mailboxes out; none stands for all mailboxes.
    package var include: [String] = []
    /// Patterns.
    package var exclude: [String] = []
    /// Days, such as `90d`.
    package var window: String?
    /// The most connections at once, 1 to 5.
    package var connections: Int?
    /// Whether mailboxes are mirrored that only show what lies in others.
    package var allMail = false

    init() {}
  }

  /// The name, which no other account has.
  package var name: String
  /// The files that it was made of, as people are shown them; none where it was made of none.
  package var origins: [String]
  /// The mail address.
  package var address: String?
  /// Further addresses.
  package var addresses: [String] = []
  /// The user's name.
  package var fullName: String?
  /// The Maildir; nil where the account only sends.
  package var maildir: String?
  /// Whether folders lie beside one another in the inbox, as Dovecot keeps them.
  package var isMaildirPlusPlus = false
  /// The IMAP server; nil where the account only sends.
  package var imap: Access?
  /// The server to send through; nil where the account does not send.
  package var smtp: Access?
  /// Mailboxes by their roles, such as `trash`.
  package var roles: [String: String] = [:]
  /// What of it is mirrored, and how.
  package var sync = Sync()
  /// What holds for some mailboxes alone; the first pattern that fits counts.
  package var mailboxes: [Mailbox] = []
  /// What there is to be done or known only where the account is written.
  package var duties: [Remark] = []
  /// The login at an authorization server; nil where a secret is not ``ImportedSecret/oauth``.
  package var oauth: OAuth?

  /// An account that nothing is known of but its name, and where that comes from.
  package init(name: String, origins: [String]) {
    self.name = name
    self.origins = origins
  }

  /// The commands that Magnum will run for this account, as they stand in the other program's file.
  package var commands: [String] {
    var found: [String] = []
    for access in [imap, smtp].compactMap({ $0 }) {
      if let command = access.command { found.append(command) }
      switch access.secret {
      case .command(let line), .tokenCommand(let line):
        if !found.contains(line) { found.append(line) }
      case .none, .file, .literal, .oauth, .missing: break
      }
    }
    if let line = oauth?.clientSecretCommand { found.append(line) }
    return found
  }

  /// The account whose Maildir is that directory, lies in it or around it.
  static func first(in accounts: [ImportedAccount], sharing maildir: String) -> ImportedAccount? {
    accounts.first { account in
      guard let other = account.maildir else { return false }
      return other == maildir || other.hasPrefix("\(maildir)/") || maildir.hasPrefix("\(other)/")
    }
  }

  /// What to say of another account that would share this one's Maildir.
  var sharing: String {
    "its folders lie in the Maildir of \(name), and an account needs one of its own: give them another directory in that "
      + "program, with its files moved there, and import again"
  }

  /// The addresses of the servers that will get the secrets.
  package var servers: [String] { [imap?.address, smtp?.address].compactMap { $0 } }
}
