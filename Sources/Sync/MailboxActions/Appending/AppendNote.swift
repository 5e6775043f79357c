package import MailStore
internal import Octets

/// What a mailbox was like right before a message was put into it: durable before that, so that a later run
/// finds out whether it arrived.
struct AppendNote: Hashable {
  /// The mailbox as it stands on the wire.
  var mailbox: [UInt8]
  /// Its UIDVALIDITY; nil where the server did not tell.
  var validity: UInt32?
  /// Its UIDNEXT: nothing below it can be the message; nil where the server did not tell.
  var uidNext: UInt32?

  /// The note: `UIDVALIDITY UIDNEXT mailbox`, with 0 for what is not known.
  var octets: [UInt8] {
    [UInt8](decimal: validity ?? 0) + [ASCII.space] + [UInt8](decimal: uidNext ?? 0) + [ASCII.space]
      + mailbox
  }

  init(mailbox: [UInt8], validity: UInt32?, uidNext: UInt32?) {
    self.mailbox = mailbox
    self.validity = validity
    self.uidNext = uidNext
  }

  /// What the note says; nil where it is none.
  init?(_ octets: [UInt8]) {
    var cursor = Cursor(octets)
    guard let validity = cursor.decimal().flatMap({ UInt32(exactly: $0) }),
      cursor.skip(ASCII.space),
      let uidNext = cursor.decimal().flatMap({ UInt32(exactly: $0) }), cursor.skip(ASCII.space)
    else { return nil }
    self.init(
      mailbox: Array(cursor.takeAll()),
      validity: validity == 0 ? nil : validity,
      uidNext: uidNext == 0 ? nil : uidNext
    )
  }
}

/// What became of a message that was to be put into a mailbox.
package enum AppendOutcome: Sendable {
  /// The server took it, into the mailbox of this decoded name.
  case appended([UInt8])
  /// It is in the mailbox of this decoded name already.
  case present([UInt8])
  /// A file of the same message lies in the mailbox's folder: the sync uploads that one.
  case leftToSync
  /// The server keeps what it sends by itself.
  case keptByServer
  /// There is no such mailbox.
  case noMailbox
  /// IMAP cannot carry it, or the server takes none of its size.
  case unfit(FileProblem)
  /// The server answered NO or BAD to APPEND, with its words.
  case refused(ServerReply)
  /// The server cannot be reached, or others work on the account.
  case failed(SyncFailure)
  /// It broke off in the midst; the next attempt finds out what was done.
  case broken(SyncFailure)
}
