package import Platform

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
