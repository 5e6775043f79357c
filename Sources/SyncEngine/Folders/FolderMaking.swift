internal import IMAP
internal import MailModel
internal import Maildir
internal import Platform

/// Makes mailboxes for folders.
struct FolderMaking {
  private let context: AccountContext
  private let connection: Connection
  private let ledger: FolderLedger

  init(_ context: AccountContext, _ connection: Connection, _ ledger: FolderLedger) {
    self.context = context
    self.connection = connection
    self.ledger = ledger
  }

  /// Makes the mailbox of a path; gives its name where it is there, and whether it was there before.
  func run(
    _ name: MailboxName?,
    _ directory: [UInt8],
    _ path: [[UInt8]]
  ) throws(SyncFailure) -> (name: MailboxName, isOld: Bool)? {
    guard let name else {
      ledger.report(path, .mailbox(.unusableNameThere))
      return nil
    }
    try marker(directory)
    // In one flight: no end of the run leaves a mailbox without a subscription.
    let created = connection.send(.create(name, specialUse: nil))
    let subscribed = connection.send(.subscribe(name))
    let response = try connection.finish(created)
    let subscription = try connection.finish(subscribed)
    guard response.kind == .ok || response.code == .alreadyExists else {
      if subscription.kind == .ok { _ = try connection.perform(.unsubscribe(name)) }
      ledger.report(path, .commandRefused(command: "CREATE", response))
      return nil
    }
    return (name, response.kind != .ok)
  }

  /// Before the mailbox is made: what lies in a folder with a marker of its own and bears the key of another mailbox was never
  /// in this one, and is uploaded.
  private func marker(_ directory: [UInt8]) throws(SyncFailure) {
    let marker = OwnershipMarker(context.tree.path(of: directory))
    try attempt { () throws(SystemError) in
      if try marker.readableOwner() == nil { try marker.set(MailboxID.random()) }
    }
  }
}
