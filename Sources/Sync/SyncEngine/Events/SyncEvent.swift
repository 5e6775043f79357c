package import Folders
package import Maildir
package import MailStore
package import SyncPlan

/// What happens in a run, as it happens.
package struct SyncEvent: Sendable {
  /// What an account is doing.
  package enum State: String, Sendable {
    case connecting, authenticating, tokenRefresh = "token-refresh", folders, headers, bodies, idle
  }

  /// What happened.
  package enum Kind: Sendable {
    case started
    case state(State)
    /// So many messages and octets of the account are to be fetched in all; grows as mailboxes are read.
    case expected(messages: Int, octets: UInt64)
    /// So many were fetched since the last such event; `new` of them are new to the user.
    case fetched(mailbox: String, messages: Int, new: Int, octets: UInt64)
    /// Files were changed in the Maildir, in this order; it is recorded.
    case changed([MaildirChange])
    /// A directory of the Maildir is about to be made, with those above it that are missing, for a mailbox that is on the
    /// server: its path below the root.
    case making(directory: [UInt8])
    /// A mailbox or its folder was made, renamed or removed; in a dry run, would be.
    case folder(mailbox: String, FolderChange)
    /// The plan of a mailbox, before it is carried out (and instead of it in a dry run), with details of the messages that it
    /// moves by their UIDs.
    case planned(mailbox: String, MailboxPlan, moves: [UInt32: MoveDetails])
    /// A mailbox is done, or what was done in it before the connection was lost or the mailbox failed.
    case mailbox(MailboxReport)
    /// Something is wrong that does not end the account's run.
    case problem(mailbox: String?, SyncFailure)
    /// The server does not take over what files show.
    case refused([PushRefusal])
    /// So many messages that are here without their attachments are fetched whole, with so many octets.
    case completing(mailbox: String, messages: Int, octets: UInt64)
    /// A step that is worth a line with -v.
    case step(String)
    /// A line of the protocol, secrets and bodies cut.
    case trace(String)
    /// All mail that the run brings is in place and recorded; post-sync begins when the observer returns.
    ///
    /// A run that ended early says so only where post-sync is due.
    case mirrored(AccountReport)
    case finished(AccountReport)
  }

  /// The account's name in the configuration.
  package let account: String
  /// What happened to it.
  package let kind: Kind

  package init(account: String, kind: Kind) {
    self.account = account
    self.kind = kind
  }
}

/// Takes the events of a run, from any thread, one at a time for each account.
package typealias SyncObserver = @Sendable (SyncEvent) -> Void

/// What people want to know of a message that a plan moves.
package struct MoveDetails: Hashable, Sendable {
  /// The mailbox at the other end: where it goes, or where its file comes from.
  package let mailbox: String
  /// The value of its field Subject; nil where it has none, or the plan is carried out.
  package let subject: [UInt8]?

  package init(mailbox: String, subject: [UInt8]?) {
    self.mailbox = mailbox
    self.subject = subject
  }
}

/// A file whose place or flags the server does not take over.
package struct PushRefusal: Hashable, Sendable {
  /// The folder in which the file lies, relative to the root of the account's Maildirs.
  package let folder: [UInt8]
  /// The base name of the file.
  package let name: [UInt8]
  /// Why it is not taken over.
  package let cause: Cause

  /// Why the server does not take it over.
  package enum Cause: Hashable, Sendable {
    /// The mailbox cannot be changed: no command was sent.
    case readOnly
    /// The server answered NO or BAD to the command.
    case refused(MailboxCommand, ServerReply)
  }

  package init(folder: [UInt8], name: [UInt8], _ cause: Cause) {
    self.folder = folder
    self.name = name
    self.cause = cause
  }
}
