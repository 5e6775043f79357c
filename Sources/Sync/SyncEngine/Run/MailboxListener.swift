package import MailModel
package import MailStore
package import Platform
internal import SyncPlan
internal import Transport

/// Listens to one mailbox over a connection of its own, for as long as that lasts.
package struct MailboxListener: Sendable {
  /// The most mailboxes of an account that are listened to besides INBOX, since servers limit connections.
  package static let limit = 4

  /// How long is waited for what.
  package struct Limits: Sendable {
    /// Seconds within which changes after one that was told are gathered.
    package var gathering: Double
    /// Seconds for a sign of life from the server.
    package var sign: Double

    package init(gathering: Double, sign: Double) {
      (self.gathering, self.sign) = (gathering, sign)
    }
  }

  package let name: MailboxName

  private let server: any MailServer
  private let traits: StoreTraits
  private let listing: ServerListing

  /// A listener to a mailbox, of which changes since that list are told.
  init(
    _ server: any MailServer,
    _ traits: StoreTraits,
    _ name: MailboxName,
    _ listing: ServerListing
  ) {
    self.server = server
    self.traits = traits
    self.name = name
    self.listing = listing
  }

  /// Connects, and calls `changed` for what happens in the mailbox; a wake-up has the server asked for a sign of life.
  ///
  /// Returns after a wake-up where `isWanted` gives false, or where the server leaves no connection for it.
  ///
  /// - Throws: where the connection cannot be made, is gone, or the mailbox cannot be opened. A limit that the server names is
  /// remembered: one of connections for such listeners alone, a pause for the account.
  package func listen(
    _ waker: Waker,
    _ limits: Limits,
    while isWanted: () -> Bool,
    changed: () -> Void
  ) throws(SyncFailure) {
    do throws(SyncFailure) {
      try follow(waker, limits, isWanted, changed)
    } catch {
      guard case .notNow(_, .connections, _) = error else { throw server.postponed(error) }
      server.learn(from: error, connections: 1)
      throw error
    }
  }

  private func follow(
    _ waker: Waker,
    _ limits: Limits,
    _ isWanted: () -> Bool,
    _ changed: () -> Void
  ) throws(SyncFailure) {
    try server.checkStanding()
    guard (server.connectionLimit ?? .max) > 1 else { throw .transport(.timedOut(.connect)) }
    let store = try server.openAnother(like: traits, isWriting: false)
    defer { store.close() }
    var watched = WatchedMailbox(name)
    watched.recordListing(listing)
    if watched.isChanged(try store.open(name, forChanges: false)) { changed() }
    var gathering = Deadline.now
    while isWanted() {
      var order = WaitOrder(until: .never, gathering: gathering, waker: waker)
      order.includesOthers = false
      switch try store.wait(order) {
      case .changed:
        changed()
        gathering = .after(seconds: limits.gathering)
      case .woken:
        waker.clear()
        if isWanted() { try store.checkAlive(within: limits.sign) }
      case .timedOut: break
      }
    }
  }
}
