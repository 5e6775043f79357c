internal import CommandLine
internal import Configuration
internal import Login
internal import MailModel
internal import MailStore
internal import OAuth
internal import Octets
internal import Outgoing
internal import Platform
internal import SpoolPlan
internal import Terminal

/// `magnum accounts token`: a valid access token, for other programs.
enum AccountsToken {
  static var command: CommandDefinition {
    CommandDefinition(
      "token",
      abstract: "Print a valid access token of an account.",
      discussion: "It is renewed before where that is due.",
      initial: NoOptions(),
      globals: [.config, .json],
      options: [],
      operands: .one("account", completion: .names(.accounts)),
      run: { _, context in
        Interruption.shared.watchSignals()
        return context.withOAuthAccount { (oauth) throws(Explanation) in
          let access = try Self.access(oauth)
          context.console.print(octets: Self.line(access, oauth, context.globals.json))
          return .success
        }
      }
    )
  }

  private static func access(_ oauth: OAuthAccount) throws(Explanation) -> Grant.Access {
    do throws(SecretError) {
      return try AccessTokens(oauth.settings, interruption: .shared).current()
    } catch {
      throw Explanation(error, account: oauth.settings.account)
    }
  }

  private static func line(
    _ access: Grant.Access,
    _ oauth: OAuthAccount,
    _ isJSON: Bool
  ) -> [UInt8] {
    guard isJSON else { return access.token + [ASCII.lineFeed] }
    var line = JSONLine()
    line.add("version", 1)
    line.add("account", oauth.settings.account)
    line.add("token", octets: access.token)
    line.add("expires", String(decoding: Timestamp.octets(access.expires), as: UTF8.self))
    return line.octets
  }
}

extension Explanation {
  /// Why an account has no secret.
  init(_ error: SecretError, account: String) {
    self.init(
      ExitStatus(error.need),
      place: Printable.text(account.utf8),
      error.message,
      hint: error.hint
    )
  }
}
