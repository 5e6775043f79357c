internal import MailModel
internal import CommandLine
internal import Configuration
internal import Glibc
internal import Login
internal import Octets
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission

/// An account that logs in at an authorization server.
struct OAuthAccount {
  let settings: OAuthSettings
  /// Its IMAP server; nil where it only sends, or logs in there with another secret.
  let account: Account?
  /// Its server for sending; nil where it has none, or logs in there with another secret.
  let sender: Sender?

  /// The account of that name.
  ///
  /// - Throws: where there is none, or it has no section for OAuth.
  init(_ name: String, in configuration: Configuration) throws(Explanation) {
    guard AccountNames.all(in: configuration).contains(name) else {
      throw Explanation(unknownAccount: name, known: AccountNames.all(in: configuration))
    }
    let account = configuration.account(named: name)
    let sender = configuration.sender(named: name)
    let ofAccount = account.flatMap { Self.settings($0.secret) }
    let ofSender = sender.flatMap { Self.settings($0.secret) }
    guard let settings = ofAccount ?? ofSender else {
      throw Explanation(
        .configuration,
        place: Printable.text(name.utf8),
        "the account does not log in with OAuth",
        hint: "add a section [account.\(Printable.text(name.utf8)).oauth]; see magnum-config(5)"
      )
    }
    self.settings = settings
    self.account = ofAccount == nil ? nil : account
    self.sender = ofSender == nil ? nil : sender
  }

  /// Logs in to the servers of the account with a token; nothing is fetched, sent or changed.
  ///
  /// `trace` gets the conversations, secrets cut; nil for none.
  func trials(
    with token: [UInt8],
    trace: (@Sendable (String) -> Void)? = nil
  ) -> [ServerTrial] {
    let reading = account.flatMap { account in
      account.server == nil
        ? nil : ServerTrial(testing: account.with(accessToken: token), trace: trace)
    }
    let sending = sender.map { ServerTrial(testing: $0.with(accessToken: token), trace: trace) }
    return [reading, sending].compactMap { $0 }
  }

  /// Forgets that the login before was refused, after the servers have taken this one: programs that stay know the account as it
  /// was when they read the configuration.
  ///
  /// - Throws: where the file that says so cannot be removed.
  func forgetRefusal() throws(Explanation) {
    if sender != nil { forgetBlocks() }
    do throws(SystemError) {
      try RefusalMemory.forgetAll(in: settings.directory)
    } catch {
      throw Explanation(.system, place: Printable.text(settings.account.utf8), error.description)
    }
  }

  /// Has queues be worked on that stopped since the login was refused.
  ///
  /// One that cannot be changed goes on after six hours.
  private func forgetBlocks() {
    for root in SpoolPlace.roots() {
      let spool = Outbox(root: root, user: geteuid()).spool(of: settings.account)
      if case .secret? = (try? spool.block())?.reason { try? spool.recordBlock(nil) }
    }
  }

  private static func settings(_ secret: SecretSource) -> OAuthSettings? {
    switch secret {
    case .oauth(let settings): settings
    case .accessToken, .passwordCommand, .tokenCommand, .passwordFile, .inline, .credential,
      .withheld, .none:
      nil
    }
  }
}

extension CommandContext {
  /// Does something with the account that is named, and gives its status; reports what goes wrong.
  func withOAuthAccount(_ body: (OAuthAccount) throws(Explanation) -> ExitStatus) -> ExitStatus {
    withConfiguration { configuration in
      do throws(Explanation) {
        return try body(try OAuthAccount(operands.first ?? "", in: configuration))
      } catch {
        return report(error)
      }
    }
  }
}
