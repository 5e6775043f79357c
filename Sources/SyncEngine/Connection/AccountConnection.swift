package import Configuration
internal import IMAP
internal import Login
internal import MailModel
internal import Octets
package import Platform
internal import SyncPlan

/// The connection of those who work on an account's server beside the sync: made when it is first needed, and kept.
///
/// Used by one thread at a time.
package final class AccountConnection {
  let context: AccountContext
  /// The server's mailboxes; empty before the first connection.
  private(set) var entries: [ListEntry] = []

  private let dialer: RememberingDialer
  private let isForced: Bool
  private var connection: Connection?

  /// A connection that is not made yet.
  ///
  /// - Parameters:
  ///   - account: the account, which has a server.
  ///   - configured: all accounts there are: a file may have moved into the folder of any.
  ///   - isForced: whether a person is there, so that a secret is offered that was refused before.
  ///   - stateHome: where Magnum remembers things about accounts, such as `~/.local/state`.
  ///   - connectLimit: seconds for connecting.
  ///   - isTracing: whether the observer gets the lines of the protocol.
  ///   - interruption: ends all waiting.
  ///   - observer: is told what happens.
  package init(
    _ account: Account,
    of configured: [Account],
    isForced: Bool,
    stateHome: Path,
    connectLimit: Double = 30,
    isTracing: Bool = false,
    interruption: Interruption,
    observer: @escaping SyncObserver
  ) {
    var options = SyncOptions()
    options.isTracing = isTracing
    context = SyncRun.context(
      account,
      configured.map { SyncRun.tree($0) },
      options,
      interruption,
      { _ in [] },
      observer
    )
    dialer = RememberingDialer(
      context,
      memory: SyncRun.memory(of: account, stateHome),
      connectLimit: connectLimit
    )
    self.isForced = isForced
  }

  deinit { connection?.close() }

  /// The connection, made where there is none, with the server's mailboxes known.
  func connected() throws(SyncFailure) -> Connection {
    if let connection { return connection }
    if !isForced {
      try dialer.checkRefusal()
      try dialer.checkPause()
    }
    let connection = try dialer.connect()
    self.connection = connection
    try list()
    return connection
  }

  /// Asks for the server's mailboxes anew.
  private func list() throws(SyncFailure) {
    var listing = MailboxListing(try connected())
    entries = try listing.ask().entries
  }

  /// Gives the connection up after a failure; the next one who needs one gets a new one.
  ///
  /// - Returns: whether there was one, so that it is not the server as a whole that is out of reach.
  @discardableResult
  func drop() -> Bool {
    defer { connection = nil }
    connection?.close()
    return connection != nil
  }

  /// Does what may be done twice; once more where a connection of before is of no use any more.
  func reading<Result>(
    _ body: () throws(SyncFailure) -> Result
  ) throws(SyncFailure) -> Result {
    let isOld = connection != nil
    do throws(SyncFailure) {
      return try body()
    } catch {
      guard isOld, error.isLostConnection else { throw error }
      drop()
      return try body()
    }
  }

  /// The mailbox of that decoded name, with slashes between the levels; nil where there is none that holds messages.
  func entry(named name: [UInt8]) -> ListEntry? {
    entries.first {
      $0.isSelectable && $0.path.joined == name
    }
  }

  /// The mailbox of that role; nil where there is none that holds messages.
  func entry(for role: MailboxRole) -> ListEntry? {
    RoleFinder(entries, configured: context.roles).entry(for: role, among: entries)
  }

  /// The mailbox of that role, made where there is none; nil where the server makes none.
  ///
  /// `use` is the role as RFC 6154 writes it, `name` what it is called where the configuration does not say.
  func mailbox(
    for role: MailboxRole,
    use: StaticString,
    name: StaticString
  ) throws(SyncFailure) -> ListEntry? {
    if let known = entry(for: role) { return known }
    let wanted = context.roles[role] ?? [UInt8](ascii: name)
    let making = MailboxMaking(try connected(), for: use)
    guard
      let made = try making.first(
        of: MailboxNaming(entries.map(ServerMailbox.init)).names(for: wanted)
      )
    else {
      return nil
    }
    context.report(.step("made the mailbox \(made)"))
    try list()
    return entry(for: role) ?? entries.first { $0.isSelectable && $0.name == made }
  }
}
