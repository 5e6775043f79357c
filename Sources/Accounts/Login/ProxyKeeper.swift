package import Configuration
package import Platform
package import Proxies

/// Gives every connection its proxy, and the login there, whose password is asked for once.
package final class ProxyKeeper: Sendable {
  private let settings: ProxySettings?
  private let interruption: Interruption?
  private let state = Monitor<ProxyLogin?>(nil)

  /// Logins that were asked for before, or why there is none, by who may: as for client certificates.
  private static let prepared = Monitor<[ProxySettings: Result<ProxyLogin, SecretError>]>([:])

  /// A keeper for the proxy that the configuration names; nil for direct connections.
  package init(_ settings: ProxySettings?, interruption: Interruption?) {
    self.settings = settings
    self.interruption = interruption
  }

  /// Where the proxy is; nil for none.
  package var address: ProxyAddress? { settings?.address }

  /// Who asks the proxy; nil where it is not told.
  ///
  /// Blocks while a command gives the password.
  ///
  /// - Throws: why there is no password.
  package func login() throws(SecretError) -> ProxyLogin? {
    guard let settings, let user = settings.user, let command = settings.password else {
      return nil
    }
    if let known = Self.prepared.withLock({ $0[settings] }) { return try known.get() }
    return try state.withLock { (known) throws(SecretError) in
      if let known { return known }
      let login = try fetch(user, command)
      known = login
      return login
    }
  }

  /// Has the password asked for again for the next connection, after the proxy has refused it.
  package func forgetLogin() { state.withLock { $0 = nil } }

  /// Asks for the password for all that this process does later, in whatever name.
  ///
  /// - Throws: why there is none; that is thrown later too.
  package func prepare() throws(SecretError) {
    guard let settings, let user = settings.user, let command = settings.password else { return }
    let result = Result { () throws(SecretError) in try fetch(user, command) }
    Self.prepared.update { $0[settings] = result }
    _ = try result.get()
  }

  private func fetch(
    _ user: String,
    _ command: ChildProcess.Command
  ) throws(SecretError) -> ProxyLogin {
    do throws(SecretError) {
      let password = try SecretSource.passwordCommand(command).fetch(interruption: interruption)
      return ProxyLogin(user: Array(user.utf8), password: password)
    } catch {
      throw SecretError(key: "proxy-password-command", problem: error.problem)
    }
  }
}
