internal import MailModel
internal import CommandLine
internal import Configuration
internal import Login
internal import OAuth
internal import Octets
internal import Outgoing
internal import Platform
internal import Terminal

/// `magnum accounts logout`: the login of an account is revoked where the server can, and forgotten.
enum AccountsLogout {
  static var command: CommandDefinition {
    CommandDefinition(
      "logout",
      abstract: "Revoke and delete the login of an account.",
      initial: NoOptions(),
      globals: [.config],
      options: [],
      operands: .one("account", completion: .names(.accounts)),
      run: { _, context in
        Interruption.shared.watchSignals()
        return context.withOAuthAccount { (oauth) throws(Explanation) in
          let name = Printable.text(oauth.settings.account.utf8)
          do throws(SecretError) {
            let end = try GrantEnd(oauth.settings, interruption: .shared)
            context.console.writeNote("\(name): \(words(end, oauth.settings))")
          } catch {
            throw Explanation(error, account: oauth.settings.account)
          }
          return .success
        }
      }
    )
  }

  private static func words(_ end: GrantEnd, _ settings: OAuthSettings) -> String {
    switch end {
    case .forgotten where settings.machine != nil:
      "token deleted; the next program that needs one gets another"
    case .notLoggedIn: "was not logged in"
    case .revoked: "logged out"
    case .forgotten(nil):
      "forgotten; the server has no way to revoke the login: end it in the settings of the provider"
    case .forgotten(let error?):
      "forgotten; nothing was revoked (\(error.message)): end the login in the settings of the provider"
    }
  }
}
