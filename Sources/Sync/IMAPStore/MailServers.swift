package import Configuration
internal import MailModel
package import MailStore
package import Platform

/// Makes the way to the server that an account names.
package enum MailServers {
  /// The server of an account; nothing is connected.
  ///
  /// - Parameters:
  ///   - account: the account, which has a server.
  ///   - memory: the account's directory in the state home, for what the server was seen to do.
  ///   - isRemembering: whether anything is written there.
  ///   - isTracing: whether the lines of the protocol are reported.
  ///   - connectLimit: seconds for connecting; nil is the usual limit.
  ///   - interruption: ends all waiting.
  ///   - report: is called for what happens on the way to the server, from any thread.
  /// - Returns: the way to the server.
  package static func server(
    of account: Account,
    memory: Path,
    isRemembering: Bool = true,
    isTracing: Bool = false,
    connectLimit: Double? = nil,
    interruption: Interruption,
    report: @escaping @Sendable (StoreEvent) -> Void
  ) -> any MailServer {
    let access = IMAPAccess(
      account: account,
      memory: memory,
      isRemembering: isRemembering,
      isTracing: isTracing,
      connectLimit: connectLimit ?? Dialer.connectLimit,
      interruption: interruption
    )
    let server = IMAPServer(access, report: report)
    return switch account.sync.labels {
    case .folders: server
    case .tags: LabelServer(server, report: report)
    }
  }

  /// Tests with messages of its own whether the account's server does with labels what pushing them needs, and remembers it.
  ///
  /// The parameters are those of `server`.
  package static func testLabels(
    of account: Account,
    memory: Path,
    isTracing: Bool,
    interruption: Interruption,
    report: @escaping @Sendable (StoreEvent) -> Void
  ) throws(SyncFailure) -> LabelTrialReport {
    let access = IMAPAccess(
      account: account,
      memory: memory,
      isRemembering: true,
      isTracing: isTracing,
      connectLimit: Dialer.connectLimit,
      interruption: interruption
    )
    return try LabelServer(IMAPServer(access, report: report), report: report)
      .testLabels(interruption)
  }
}

/// What is needed to reach an account's IMAP server; see `MailServers.server`.
struct IMAPAccess: Sendable {
  let account: Account
  let memory: Path
  let isRemembering: Bool
  let isTracing: Bool
  let connectLimit: Double
  let interruption: Interruption
}
