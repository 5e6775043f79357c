internal import MailStore
internal import SyncPlan

/// The way to an account's server, and the connection that one sync leaves open for the next.
///
/// Used by one thread at a time.
final class AccountServer {
  let server: any MailServer
  /// Whether a connection stays open when a sync ends.
  let keepsConnection: Bool

  /// The mailbox in which changes are waited for.
  var watched = WatchedMailbox()

  /// The mailboxes that the server listed last; nil before the first sync.
  private(set) var listing: ServerListing?

  private var kept: (any MailStore)?
  /// Whether this run has made no connection yet.
  private var isFresh = true

  init(_ server: any MailServer, keepsConnection: Bool) {
    self.server = server
    self.keepsConnection = keepsConnection
  }

  deinit { close() }

  /// The connection that is open between syncs; nil where none is.
  var open: (any MailStore)? { kept }

  /// A run begins, which fetches the password anew if it has to log in.
  func beginRun() { isFresh = true }

  /// A connection with the server's mailboxes listed: the one that is open already, or a new one.
  ///
  /// Who takes it closes it, or leaves it to the next sync by `putBack`. `expectation` is called once, while the connection is
  /// being made.
  func takeConnection(
    isWriting: Bool,
    expecting expectation: () throws(SyncFailure) -> ServerExpectation
  ) throws(SyncFailure) -> (store: any MailStore, listing: ServerListing) {
    watched.forget()
    let taken = try takeKept(isWriting: isWriting, expecting: expectation)
    let arrivals = taken.listing.arrivals
    if watched.name != arrivals { watched = WatchedMailbox(arrivals) }
    watched.recordListing(taken.listing)
    if keepsConnection { listing = taken.listing }
    return taken
  }

  private func takeKept(
    isWriting: Bool,
    expecting expectation: () throws(SyncFailure) -> ServerExpectation
  ) throws(SyncFailure) -> (store: any MailStore, listing: ServerListing) {
    guard let store = kept else { return try connect(isWriting, expectation) }
    let expected = try expectation()
    kept = nil
    do throws(SyncFailure) {
      return (store, try store.resume(expecting: expected))
    } catch {
      store.close()
      guard error.isBreak else { throw error }
      // It may have been open for too long, or broken over what was asked.
      return try connect(isWriting) { () throws(SyncFailure) in
        ServerExpectation(capabilities: expected.capabilities, naming: expected.naming)
      }
    }
  }

  private func connect(
    _ isWriting: Bool,
    _ expectation: () throws(SyncFailure) -> ServerExpectation
  ) throws(SyncFailure) -> (store: any MailStore, listing: ServerListing) {
    if isFresh { server.forgetPassword() }
    isFresh = false
    return try server.open(isWriting: isWriting, expecting: expectation)
  }

  /// A sync is done with a connection, on which nothing is under way.
  func putBack(_ store: any MailStore) {
    guard keepsConnection, kept == nil else { return store.close() }
    kept = store
  }

  /// Ends the connection that is open.
  func close() {
    kept.take()?.close()
    watched.forget()
  }
}
