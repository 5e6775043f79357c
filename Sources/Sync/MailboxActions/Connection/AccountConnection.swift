package import Configuration
internal import IMAPStore
internal import MailModel
package import MailStore
internal import Maildir
internal import Octets
package import Platform
internal import SyncPlan
internal import SyncState

/// The connection of those who work on an account's server beside the sync: made when it is first needed, and kept.
///
/// Used by one thread at a time.
package final class AccountConnection {
  /// Takes what happens on the way to the server, and in it.
  package typealias Observer = @Sendable (StoreEvent) -> Void

  let account: Account
  /// The account's own folders and state.
  let places: AccountPlaces
  /// The folders of all configured accounts, this one's among them.
  let trees: [FolderTree]
  /// The server's mailboxes; empty before the first connection.
  private(set) var listing = ServerListing()

  let report: Observer
  private let server: any MailServer
  private let isForced: Bool
  private var store: (any MailStore)?
  /// Whether the account's lock is held for several things that are done one after the other.
  var isLocked = false

  /// A connection that is not made yet, to the server that the account names.
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
  package convenience init(
    _ account: Account,
    of configured: [Account],
    isForced: Bool,
    stateHome: Path,
    connectLimit: Double = 30,
    isTracing: Bool = false,
    interruption: Interruption,
    observer: @escaping Observer
  ) {
    let server = MailServers.server(
      of: account,
      memory: AccountPlaces.memory(of: account, in: stateHome),
      isTracing: isTracing,
      connectLimit: connectLimit,
      interruption: interruption,
      report: observer
    )
    self.init(account, of: configured, isForced: isForced, server: server, observer: observer)
  }

  /// A connection that is not made yet, to any server.
  ///
  /// - Parameters:
  ///   - account: the account.
  ///   - configured: all accounts there are.
  ///   - isForced: whether a person is there.
  ///   - server: the way to the account's server.
  ///   - observer: is told what happens.
  package init(
    _ account: Account,
    of configured: [Account],
    isForced: Bool,
    server: any MailServer,
    observer: @escaping Observer
  ) {
    self.account = account
    places = AccountPlaces(of: account)
    trees = configured.map { AccountPlaces(of: $0).tree }
    report = observer
    self.server = server
    self.isForced = isForced
  }

  deinit { store?.close() }

  /// The server's mailboxes over a connection that is made where there is none.
  func connected() throws(SyncFailure) -> any MailStore {
    if let store { return store }
    if !isForced { try server.checkStanding() }
    let rules = try attempt(account.namingRules())
    let opened = try server.open(isWriting: true, naming: rules)
    (store, listing) = opened
    return opened.store
  }

  /// Gives the connection up after a failure; the next one who needs one gets a new one.
  ///
  /// - Returns: whether there was one, so that it is not the server as a whole that is out of reach.
  @discardableResult
  func drop() -> Bool {
    defer { store = nil }
    store?.close()
    return store != nil
  }

  /// Does what may be done twice; retries once where an earlier connection is no longer usable.
  func reading<Result>(
    _ body: () throws(SyncFailure) -> Result
  ) throws(SyncFailure) -> Result {
    let isOld = store != nil
    do throws(SyncFailure) {
      return try body()
    } catch {
      guard isOld, error.isLostConnection else { throw error }
      drop()
      return try body()
    }
  }

  /// The mailbox of that decoded name, with slashes between the levels; nil where there is none that holds messages.
  func mailbox(named name: [UInt8]) -> ServerMailbox? {
    listing.mailboxes.first { $0.isSelectable && $0.names.contains(name) }
  }

  /// The mailbox of that role; nil where there is none that holds messages.
  func mailbox(for role: MailboxRole) -> ServerMailbox? {
    RoleFinder(listing.mailboxes, configured: account.roles).mailbox(for: role)
  }

  /// The mailbox of that role, made where there is none; nil where the server makes none.
  ///
  /// `name` is what it is called where the configuration does not say.
  func mailbox(
    for role: MailboxRole,
    name: StaticString
  ) throws(SyncFailure) -> ServerMailbox? {
    if let known = mailbox(for: role) { return known }
    let wanted = account.roles[role] ?? [UInt8](ascii: name)
    let store = try connected()
    let names = MailboxNaming(listing.mailboxes, listing.names).names(for: wanted)
    guard let made = try store.create(for: role, under: names) else { return nil }
    report(.step("made the mailbox \(made)"))
    listing = try store.list()
    return mailbox(for: role) ?? listing[made].flatMap { $0.isSelectable ? $0 : nil }
  }
}
