package import Configuration
package import MailModel
internal import Octets
package import Platform
package import SASL
package import SyncPlan
package import Transport

/// Why something of a sync did not work, as facts; the program makes text of them.
package enum SyncFailure: Error, Sendable {
  case transport(TransportError)
  /// The server broke the protocol.
  case protocolViolation(ProtocolViolation)
  /// The server hung up, with its words.
  case hungUp(ServerReply)
  /// The server did not want the connection.
  case greetingRefused(ServerReply)
  /// STARTTLS is configured and the server does not offer it, or refused it.
  case startTLSUnavailable(ServerReply?)
  /// No mechanism fits, or the exchange of one broke off.
  case authenticationExchange(SASLError)
  case secret(SecretError)
  /// The server refused password or token.
  case secretRefused(ServerReply, OfferedSecret)
  /// The same secret was refused before, at this time (seconds since 1970), and is not offered again yet.
  case secretRefusedBefore(at: Int64, OfferedSecret)
  /// The server refuses for now, everything or this account; not before `until` (seconds since 1970), once that is settled.
  case notNow(ServerReply, ServerLimit, until: Int64?)
  /// The server asked for a pause that is not over, in a run before.
  case pausing(until: Int64, reason: [UInt8])
  /// No more log-ins are made for now, of a program's own accord; the next one at this time (seconds since 1970).
  case loginsUsedUp(until: Int64)
  /// The server opens mailboxes only to programs that tell their name, and was not told.
  case identityWanted(ServerReply)
  /// The server answered NO or BAD to a command.
  case commandRefused(MailboxCommand, ServerReply)
  case system(SystemError)
  /// Another run works on the account.
  case locked(Path)
  /// The file system cannot lock.
  case lockUnsupported(Path)
  /// The account's root is not the one that was mirrored before.
  case rootMissing(root: Path, remembered: Path)
  /// The account's root mirrors another user or server, says the file.
  case otherOrigin(Path, mirrored: [UInt8], configured: [UInt8])
  /// The account's root was mirrored in the other layout.
  case layoutChanged(Path)
  /// Labels cannot be tags.
  case labels(LabelProblem)
  /// A newer version wrote this file of the account's state.
  case newerState(Path)
  /// A message could not be stored.
  case message(uid: UInt32, MessageProblem)
  /// A file could not be uploaded, or not be changed.
  case file([UInt8], FileProblem)
  case mailbox(MailboxProblem)
  /// There is no mailbox to work on.
  case nothingToMirror(NothingToMirror)
  /// A name of the command line fits no mailbox.
  case unknownName(UnknownName)
  /// The command to be run after the sync failed.
  case hook(ChildProcess.Status)
  case interrupted
}

/// Why the labels of an account cannot be tags.
package enum LabelProblem: Hashable, Sendable {
  /// The server has none.
  case notOffered
  /// The server had some before, and has none now.
  case lost
  /// The server does not list the mailboxes for these: they are hidden from IMAP.
  case hidden([MailboxRole])
  /// It was not tested whether the server does with labels what pushing needs.
  case untested
  /// It was tested, and the server did not do this.
  case failed([UInt8])
  /// The account's root was mirrored with the other style, says the file.
  case otherStyle(Path, LabelStyle)
}

/// Why an account has no mailbox to work on.
package enum NothingToMirror: Hashable, Sendable {
  /// The server lists none that holds messages.
  case noMailbox
  /// `include` and `exclude` let none take part.
  case excluded
  /// None has a folder, and `create` makes none.
  case noFolder
}

/// Why one message is not mirrored this time.
package enum MessageProblem: Hashable, Sendable {
  /// The server listed it and did not give it.
  case notGiven(ServerReply?)
  /// It holds an octet 0, which no mail may, and which other programs stumble over.
  case containsNUL
  /// A different file of the same name is there.
  case nameTaken(Path)
  /// The server did not do what the command asked for.
  case refused(MailboxCommand, ServerReply)
  /// The server accepted the command and did not carry it out.
  case ignored(MailboxCommand)
  /// The server said that it copied or moved it to that mailbox, where it is not found; it is not sent again.
  case copyNotFound(MailboxName)
  /// It is no longer the message whose header and texts are here.
  case otherMessage
  /// Its file, which has header and texts only, was changed here and would be replaced.
  case changedHere
  /// Each connection broke while it was fetched.
  case breaksConnection
  /// The server gave far fewer octets of it than it says it has, also when it was asked once more.
  case cutShort(told: UInt64, came: UInt64)
}

/// Why one file is not uploaded, or not changed, this time.
package enum FileProblem: Hashable, Sendable {
  /// It holds an octet 0, which IMAP cannot carry.
  case containsNUL
  /// There is nothing in it.
  case empty
  case unreadable(SystemError)
  /// It is larger than the server takes, in octets.
  case tooBig(limit: UInt64)
  /// The server did not take it.
  case refused(ServerReply)
  /// Each connection broke while it was sent.
  case breaksConnection
  /// The server said that it took it, and it is not found there; it is not sent again.
  case notKept
  /// It is a message whose attachments are only on the server, or holds one.
  case partial
  /// Its message was deleted on the server, which alone had its attachments; it was flagged or changed here, and stays.
  case attachmentsLost
  /// The mailbox has the message already, and can hold it only once: mailboxes of the server are labels of messages.
  case heldOnce
  /// A symbolic link, pipe or directory is in the place of a file, as are so many in the Maildir.
  case notAFile(count: Int)
  /// It could not be renamed or removed; all that concerns other files goes on.
  case unchangeable(SystemError)
}

/// Why one mailbox is not mirrored this time; nothing was changed on either side.
package enum MailboxProblem: Hashable, Sendable {
  /// The server gave the mailbox a new UIDVALIDITY in the midst of the run, or its name to another mailbox.
  case identityChanged(from: MailboxIdentity, to: MailboxIdentity)
  /// The server's list of all messages lacks some that it counts, so that none can be taken for deleted.
  case listIncomplete(missing: Int, of: Int)
  /// The server gives no UIDVALIDITY, or one that is none.
  case noValidity(told: [UInt8])
  /// The mailbox's directory is gone, and the map says that it was mirrored.
  case directoryMissing(Path)
  /// The directory belongs to another mailbox.
  case directoryTaken(Path)
  /// No directory can be made of the name.
  case unusableName
  /// The server could not hold a mailbox of the folder's name.
  case unusableNameThere
  /// The folder was renamed here, and the server did not rename its mailbox.
  case renameRefused(from: String)
  /// The folder's files were synced before, and the server has no mailbox of its name.
  case unknownFolder(Path)
  /// The server no longer has it, and its folder stays.
  case goneFromServer(Path)
  /// The folder was renamed to this one, and the mailbox is not to be renamed, or cannot be.
  case folderElsewhere(Path)
  /// The server renamed it to this, and its folder keeps its name: the mailbox is mirrored there as before.
  case renamedThere(String, folder: Path)
  /// No mailbox is made of the folder.
  case folderRefused(Path, FolderObstacle)
  /// Deletions that the deletion guard blocked; `isHere` says that it was files that went.
  case massDeletion(count: Int, of: Int, isHere: Bool)
  /// So many differences are blocked, for this reason, until something is done about it. The folder of a file among them is
  /// given where it is the reason.
  case blocked(count: Int, BlockedChange.Cause, folder: Path? = nil)
  /// So many messages are here without their attachments, which have so many octets and do not fit on the disk.
  case noRoom(messages: UInt64, octets: UInt64, free: UInt64)
  /// The server shows so many of its messages as its user allows at the most, so that each new one hides an old one.
  case folderLimit(messages: Int)
  /// The server has no mailbox for removed messages, and makes none.
  case noTrash
  /// The mailbox that the configuration names for removed messages is not there, and the server has another one for them.
  case otherTrash(UnknownName)
}

/// Turns a failure of the system into one of the run.
package func attempt<Result>(
  _ value: @autoclosure () throws(SystemError) -> Result
) throws(SyncFailure) -> Result {
  try attempt { () throws(SystemError) in try value() }
}

/// Turns a failure of the system in several steps into one of the run.
package func attempt<Result>(
  _ body: () throws(SystemError) -> Result
) throws(SyncFailure) -> Result {
  do {
    return try body()
  } catch {
    throw .system(error)
  }
}

extension SyncFailure {
  /// What failed in an account, one of its mailboxes or a message there, why, and what to do about it.
  package func explanation(account: String, mailbox: String? = nil) -> Explanation {
    let words = SyncFailureWords(self, account: account, mailbox: mailbox)
    let place = [account, mailbox].compactMap { $0 } + message
    return Explanation(
      ExitStatus(self),
      place: place.joined(separator: "/"),
      words.what,
      hint: words.hint
    )
  }

  /// The UID of the message or the name of the file that the failure is about.
  private var message: [String] {
    switch self {
    case .message(let uid, _): ["\(uid)"]
    case .file(let name, _): [Printable.text(name, limit: 255)]
    default: []
    }
  }
}
