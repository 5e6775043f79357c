internal import MailStore
internal import IMAP
internal import SyncState
internal import Transport

/// Commands that go right behind a log-in, before its outcome is known, where the server was seen to take them.
///
/// What the completion of AUTHENTICATE decides is how the server reads on: some drop what is there already, or read it as
/// part of the exchange. So nothing is sent on an assumption, and whatever goes wrong after something was sent is held
/// against that first: the same is done once more step by step.
final class EarlyCommands {
  /// How far the server's behaviour is known.
  private enum Standing {
    /// Nothing may be sent.
    case forbidden
    /// It is sent to see what the server does.
    case trial
    /// The server took it before.
    case proven
  }

  /// The replies that are awaited; empty when nothing was sent.
  private(set) var tags: [CommandTag] = []

  let commands: [Command]
  private var standing = Standing.forbidden

  /// Commands to be sent, none where a log-in stands alone.
  init(_ commands: [Command] = []) {
    self.commands = commands
  }

  /// Whether anything was sent.
  var wereSent: Bool { !tags.isEmpty }

  /// Whether it was sent behind a log-in whose outcome was open.
  var wereAtRisk: Bool { wereSent && standing != .forbidden }

  /// Sends them behind a log-in, where the server was seen to take them, or was seen often enough for a trial.
  func send(on connection: Connection, _ traits: ServerTraits, _ identity: UInt64) {
    switch traits.pipelining {
    case _ where traits.identity != identity || commands.isEmpty: return
    case .fails: return
    case .untried: standing = .trial
    case .works: standing = .proven
    }
    if connection.capabilities.contains("ID") || traits.needsIdentity { connection.identify() }
    tags = commands.map { connection.send($0) }
  }

  /// Sends them where nothing is open any more that decides how they are read.
  func sendSafely(on connection: Connection) {
    tags = commands.map { connection.send($0) }
  }

  /// They were sent over a connection that is given up, and may be sent anew.
  func forget() {
    tags = []
    standing = .forbidden
  }

  /// Whether it may be because of them that the server refused the log-in.
  func mayHaveDisturbed(_ response: StatusResponse) -> Bool {
    switch (standing, response.kind) {
    case (.forbidden, _), (_, .ok): false
    case (_, .bad): true
    case (.trial, _): response.code != .authenticationFailed
    case (.proven, _): false
    }
  }

  /// What a failure of the connection teaches after they were sent; nil where it has nothing to do with them.
  func lesson(of failure: SyncFailure) -> ServerTraits.Pipelining? {
    switch (standing, failure) {
    case (.forbidden, _): nil
    case (_, .protocolViolation): .fails
    // A proven server may be out of reach for a moment: that is tried again before it counts.
    case (.proven, .hungUp), (.proven, .transport(.closed)), (.proven, .transport(.system)):
      .untried
    case (.trial, .hungUp), (.trial, .transport(.closed)), (.trial, .transport(.system)),
      (.trial, .transport(.timedOut)):
      .fails
    case (.trial, _), (.proven, _): nil
    }
  }
}
