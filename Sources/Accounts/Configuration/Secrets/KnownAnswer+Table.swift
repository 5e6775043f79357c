extension KnownAnswer {
  /// All that is known, the more particular before the more general.
  static let all = microsoft + entra + google + providers + anybody

  private init(
    _ cause: String,
    _ hosts: [String] = [],
    _ texts: [String] = [],
    _ meaning: String,
    _ remedy: String
  ) {
    self.init(cause: cause, meaning: meaning, remedy: remedy, hosts: hosts, texts: texts)
  }

  private static let microsoftHosts = ["office365.com", "outlook.com", "hotmail.com", "live.com"]

  private static let microsoft = [
    KnownAnswer(
      "smtp-auth-off",
      [],
      ["5.7.139", "SmtpClientAuthentication is disabled"],
      "sending with a log-in is switched off for this mailbox; reading may work all the same",
      "an administrator allows authenticated SMTP for it"
    ),
    KnownAnswer(
      "password-not-accepted",
      [],
      ["5.7.30", "Basic authentication is disabled"],
      "passwords are not accepted any more",
      "log in with OAuth: a section [account.NAME.oauth], see magnum-config(5), or token-command"
    ),
    KnownAnswer(
      "token-lacks-scope",
      microsoftHosts,
      ["5.7.3"],
      "the name is wrong, or the token is not for sending",
      "let the token have the scope SMTP.Send, and log in as the mailbox that it is for"
    ),
    KnownAnswer(
      "mailbox-not-open",
      microsoftHosts,
      ["User is authenticated but not connected"],
      "the log-in is right, and the mailbox may not be opened",
      "check that IMAP is switched on for it, and that the name is that of the mailbox"
    ),
  ]

  private static let entra = [
    KnownAnswer(
      "conditional-access",
      [],
      ["AADSTS53003"],
      "a rule of the organisation refuses this log-in",
      "log in in the browser of a managed device, not with a device code"
    ),
    KnownAnswer(
      "consent-needed",
      [],
      ["AADSTS65001", "AADSTS90094", "AADSTS90095"],
      "an administrator has to agree to the program",
      "have its client id approved for the organisation"
    ),
    KnownAnswer(
      "redirect-not-registered",
      [],
      ["AADSTS50011"],
      "the address that the browser returns to is not registered for the client id",
      "register http://localhost as a redirect of a desktop program"
    ),
    KnownAnswer(
      "client-not-public",
      [],
      ["AADSTS7000218"],
      "the client id is not registered as a public client",
      "allow public client flows in its registration"
    ),
    KnownAnswer(
      "client-unknown",
      [],
      ["AADSTS700016"],
      "the client id is unknown in this organisation",
      "check the client id, and the tenant"
    ),
    KnownAnswer(
      "login-expired",
      [],
      ["AADSTS50076", "AADSTS50079", "AADSTS700082", "AADSTS70043"],
      "the log-in has ended, or a second factor is asked for",
      "log in again: magnum accounts login, or the program that gets the token"
    ),
    KnownAnswer(
      "client-secret-refused",
      [],
      ["AADSTS7000215", "AADSTS7000222", "AADSTS700027"],
      "the secret or the certificate of the client is another one there, or has expired",
      "give the client a new one at the provider, and put it into the configuration"
    ),
    KnownAnswer(
      "clock-differs",
      [],
      ["AADSTS700024", "Token must be a short-lived token"],
      "what the client signed counts from the clock of this machine, which is wrong",
      "set the clock"
    ),
    KnownAnswer(
      "scope-unknown",
      [],
      ["AADSTS1002012", "AADSTS70011"],
      "there is no such scope for this client",
      "without a person the scope is https://outlook.office365.com/.default"
    ),
    KnownAnswer(
      "delegation-missing",
      [],
      ["Client is unauthorized to retrieve access tokens using this method"],
      "the service account may not act for users",
      "an administrator allows its client id domain-wide delegation for this scope"
    ),
    KnownAnswer(
      "wrong-tenant",
      [],
      ["AADSTS50020"],
      "the user belongs to another organisation",
      "use the tenant of the user"
    ),
  ]

  private static let googleHosts = ["gmail.com", "googlemail.com"]

  private static let google = [
    KnownAnswer(
      "app-password",
      googleHosts,
      ["Application-specific password required", "5.7.9"],
      "Google takes no account password here",
      "make an app password at https://myaccount.google.com/apppasswords"
    ),
    KnownAnswer(
      "browser-login",
      googleHosts,
      ["log in via your web browser", "WEBALERT"],
      "Google wants to see the user in a browser first",
      "log in to the web mail once, then try again"
    ),
    KnownAnswer(
      "app-blocked",
      googleHosts,
      ["This app is blocked"],
      "Google refuses the client id of the program that gets the token",
      "use a client id of your own, or an app password"
    ),
    KnownAnswer(
      "imap-off",
      googleHosts,
      ["not enabled for IMAP", "IMAP access is disabled"],
      "IMAP is switched off for this mailbox",
      "switch it on in the settings of the web mail, or ask the administrator"
    ),
    KnownAnswer(
      "app-password",
      googleHosts,
      ["Invalid credentials", "Username and Password not accepted", "BadCredentials"],
      "the secret is wrong, or is the account's password, which Google does not take",
      "make an app password at https://myaccount.google.com/apppasswords"
    ),
  ]

  private static let providers = [
    KnownAnswer(
      "app-password",
      ["yahoo.com", "aol.com", "ymail.com"],
      [],
      "Yahoo and AOL take no account password here",
      "make an app password in the account's security settings"
    ),
    KnownAnswer(
      "app-password",
      ["mail.me.com", "mail.icloud.com"],
      [],
      "iCloud takes no account password here",
      "make an app-specific password at https://account.apple.com, and log in to IMAP with what stands "
        + "before the @, to SMTP with the whole address"
    ),
    KnownAnswer(
      "app-password",
      ["fastmail.com", "messagingengine.com"],
      [],
      "Fastmail takes no account password here",
      "make an app password in its settings"
    ),
    KnownAnswer(
      "authorization-code",
      ["163.com", "126.com", "yeah.net", "qq.com", "exmail.qq.com"],
      [],
      "an authorization code takes the place of the password",
      "switch IMAP and SMTP on in the web mail, which then shows the code"
    ),
    KnownAnswer(
      "imap-off",
      [],
      ["yet to enable IMAP"],
      "IMAP is switched off for this mailbox",
      "switch it on in the settings of the web mail, or ask the administrator"
    ),
    KnownAnswer(
      "imap-off",
      ["gmx.net", "gmx.com", "web.de"],
      [],
      "the secret is wrong, or access for other programs is switched off",
      "switch POP3 and IMAP on in the settings of the web mail"
    ),
    KnownAnswer(
      "password-not-accepted",
      microsoftHosts,
      [],
      "Microsoft takes no passwords here, or the token is not for this mailbox",
      "log in with OAuth: a section [account.NAME.oauth], see magnum-config(5), or token-command"
    ),
  ]

  private static let anybody = [
    KnownAnswer(
      "tls-needed",
      [],
      ["Must issue a STARTTLS", "PRIVACYREQUIRED", "Plaintext authentication disallowed"],
      "the server takes no secret without TLS",
      "write imaps:// or imap://, submissions:// or submission:// in place of the address without TLS"
    )
  ]
}
