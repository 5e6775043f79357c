internal import IMAP

/// Opens the first connection of a run with the server's mailboxes listed, in as few round trips as the server was seen
/// to allow.
struct SessionOpening {
  private let dialer: RememberingDialer
  private let report: (SyncEvent.Kind) -> Void

  init(_ dialer: RememberingDialer, report: @escaping (SyncEvent.Kind) -> Void) {
    self.dialer = dialer
    self.report = report
  }

  /// A connection and the server's mailboxes; `remembered` are the capabilities of the last run.
  ///
  /// Where something was sent behind the log-in and anything went wrong then, it is done again without, and that is
  /// remembered: no run fails because of what was sent early.
  func open(
    remembered: Capabilities
  ) throws(SyncFailure) -> (Connection, MailboxListing.Result) {
    let early = EarlyCommands(MailboxListing.pipelined(remembered))
    do throws(SyncFailure) {
      return try open(early)
    } catch {
      if case .identityWanted = error, !dialer.memory.traits.needsIdentity {
        dialer.memory.note { $0.needsIdentity = true }
        return try open(EarlyCommands())
      }
      guard let lesson = early.lesson(of: error) else { throw error }
      report(.step("the server does not take commands behind the log-in; connecting again"))
      let opened = try open(EarlyCommands())
      dialer.memory.note { $0.pipelining = lesson }
      return opened
    }
  }

  private func open(
    _ early: EarlyCommands
  ) throws(SyncFailure) -> (Connection, MailboxListing.Result) {
    let connection = try dialer.connect(early)
    do throws(SyncFailure) {
      report(.state(.folders))
      var listing = MailboxListing(connection)
      let answered = try listing.finish(early.tags)
      if early.wereSent { try dialer.dialer.learnCapabilities(connection) }
      note(early, isAnswered: answered != nil, connection.capabilities)
      if let answered { return (connection, answered) }
      return (connection, try listing.ask())
    } catch {
      connection.close()
      throw error
    }
  }

  /// A refusal says something about the log-in only where the server still offers what was asked for.
  private func note(_ early: EarlyCommands, isAnswered: Bool, _ capabilities: Capabilities) {
    guard early.wereAtRisk else { return }
    if isAnswered {
      dialer.memory.note { $0.pipelining = .works }
    } else if early.commands == MailboxListing.pipelined(capabilities) {
      dialer.memory.note { $0.pipelining = .fails }
    }
  }
}
