internal import IMAP
internal import MailStore

/// What is awaited from a server, and what its replies mean beside the answer to a command: that it dropped commands, wants a
/// pause, or wants to know the program.
struct ReplyWatch {
  /// Commands behind a log-in whose replies are not here, and which the server may have dropped.
  var doubted: Set<CommandTag> = []
  /// What was sent to see whether it did.
  var probe: CommandTag?
  /// Whether the server was told the program's name.
  private(set) var hasIdentified = false

  /// Commands whose replies are not waited for.
  private var unawaited: Set<CommandTag> = []
  /// What the commands are for whose replies are not here.
  private var purposes: [CommandTag: ServerLimit.Purpose] = [:]

  /// That a server skipped commands.
  static let missingReply = SyncFailure.protocolViolation(ProtocolViolation(.missingReply))

  /// A command goes out.
  mutating func sent(_ tag: CommandTag, _ command: Command) {
    purposes[tag] = ServerLimit.Purpose(command)
  }

  /// The command with that tag tells the program's name.
  mutating func identifies(by tag: CommandTag) {
    hasIdentified = true
    unawaited.insert(tag)
  }

  /// The reply to the command with that tag is not waited for.
  mutating func ignore(_ tag: CommandTag) {
    unawaited.insert(tag)
  }

  /// The event, unless it is not waited for.
  ///
  /// A reply that overtakes the awaited one is to be checked once it is awaited itself; where none is named, all are.
  ///
  /// - Throws: where it is the end of the connection, or a limit of the server.
  mutating func passOn(
    _ event: Event,
    awaiting awaited: CommandTag? = nil
  ) throws(SyncFailure) -> Event? {
    switch event {
    case .bye(let response):
      if let limit = ServerLimit(response, to: .reading) {
        throw .notNow(ServerReply(response), limit, until: nil)
      }
      throw .hungUp(ServerReply(response))
    case .tagged(let tag, let response):
      guard try isAwaited(tag) else {
        purposes[tag] = nil
        return nil
      }
      if awaited == nil || awaited == tag { try check(response, to: tag) }
      return event
    default: return event
    }
  }

  /// Looks at the reply to the command with that tag.
  ///
  /// - Throws: where it is a limit of the server, or it wants to know the program.
  mutating func check(_ response: StatusResponse, to tag: CommandTag) throws(SyncFailure) {
    let purpose = purposes.removeValue(forKey: tag) ?? .reading
    if let limit = ServerLimit(response, to: purpose) {
      throw .notNow(ServerReply(response), limit, until: nil)
    }
    if !hasIdentified, ServerLimit.wantsIdentity(response) {
      throw .identityWanted(ServerReply(response))
    }
  }

  private mutating func isAwaited(_ tag: CommandTag) throws(SyncFailure) -> Bool {
    doubted.remove(tag)
    guard tag == probe else { return unawaited.remove(tag) == nil }
    probe = nil
    guard doubted.isEmpty else { throw Self.missingReply }
    return false
  }
}
