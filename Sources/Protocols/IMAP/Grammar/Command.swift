package import MailModel
internal import Octets

/// What a client can ask for (RFC 9051 §6): first the commands that change nothing on the server,
/// then those that do.
package enum Command: Hashable, Sendable {
  /// Asks what the server can do (RFC 9051 §6.1.1).
  case capability
  /// Does nothing but give the server occasion to tell news (RFC 9051 §6.1.2).
  case noop
  /// Has the server tell unasked what changes (RFC 2177), until `Session.endIdle()`.
  ///
  /// The event `idling` says that it does. Nothing may be sent behind it before that is ended (a programming error).
  case idle
  /// Has the server tell of changes in all mailboxes of the user, the selected one among them, and of new, renamed and
  /// removed mailboxes (RFC 5465, needs NOTIFY); it does so at any time.
  case notify
  /// Ends what `notify` began.
  case notifyNone
  /// Ends the connection in order (RFC 9051 §6.1.3).
  case logout
  /// Names the client and its version (RFC 2971).
  case id(name: [UInt8], version: [UInt8])
  /// RFC 9051 §6.2.1; nothing may be sent behind it until `Session.startedTLS()`.
  case startTLS
  /// Compresses both directions by DEFLATE (RFC 4978, needs COMPRESS=DEFLATE).
  ///
  /// Nothing may be under way when it is sent, nor be sent behind it before its reply. Where that is OK, all that comes behind it
  /// is compressed: `Session.takeCompressed()`.
  case compress
  /// RFC 3691: leaves the mailbox without expunging.
  case unselect
  /// Sends the password as it is (RFC 9051 §6.2.3): over encrypted connections only.
  case login(user: [UInt8], password: [UInt8])
  /// `initialResponse` goes inline (RFC 4959, needs SASL-IR), empty as `=`; `nil`: none inline. `secret` is the password or
  /// token in the responses: no error or trace repeats it, nor them.
  case authenticate(mechanism: [UInt8], initialResponse: [UInt8]?, secret: [UInt8] = [])
  /// RFC 5161.
  case enable([[UInt8]])
  /// `reference` and `pattern` as they go over the wire; `returning` `nil`: as in RFC 3501.
  case list(reference: [UInt8], pattern: [UInt8], returning: ListReturn?)
  /// Asks what the names of mailboxes begin with (RFC 2342, needs NAMESPACE).
  case namespace
  /// Asks for facts about a mailbox without opening it (RFC 9051 §6.3.11).
  case status(MailboxName, [StatusItem])
  /// Opens a mailbox for reading only (RFC 9051 §6.3.3).
  case examine(MailboxName, SelectParameter?)
  /// Opens for reading and writing, which takes \Recent away from others; `examine` does not.
  case select(MailboxName, SelectParameter?)
  /// `changedSince`: only messages with a larger modification sequence (RFC 7162 §3.1.4.1).
  case uidFetch(MessageSet, [FetchItem], changedSince: UInt64?)
  /// `returningAll`: answered by ESEARCH with a compact set (RFC 4731, needs ESEARCH).
  case uidSearch(SearchQuery, returningAll: Bool)

  /// Has the server remember those of the messages that have just these sizes, in octets, by UID (RFC 5182, needs SEARCHRES).
  ///
  /// There must be one. Of those in `unflagged` only the ones that are not `\Flagged` count. What it remembers is forgotten where a
  /// mailbox is opened, and where this is refused.
  case uidSearchSizes([UInt32: UInt64], unflagged: Set<UInt32> = [])

  /// Changes flags of the messages that the server remembers, which may be none; with a FETCH response for each.
  case uidStoreFound(FlagChange)

  /// Changes flags (RFC 9051 §6.4.6); `silent`: without a FETCH response for each message.
  ///
  /// `unchangedSince`: only of messages whose modification sequence is not larger (RFC 7162 §3.1.3,
  /// needs CONDSTORE); `StatusResponse.stored(of:)` tells which these were. The set must not be
  /// empty. A FETCH response without UID says only that some message changed.
  case uidStore(UIDSet, FlagChange, unchangedSince: UInt64?, silent: Bool)

  /// Gives messages a label or takes one away (X-GM-EXT-1), without a FETCH response; the set must not be empty.
  ///
  /// The label is a name in modified UTF-7, or one of the server's with a backslash.
  case uidStoreLabel(UIDSet, [UInt8], isAdding: Bool)

  /// Adds messages (RFC 9051 §6.3.12), all or none; more than one needs MULTIAPPEND (RFC 3502).
  ///
  /// At least one. Their octets are fed in turn as `Session.wantedLiteral` asks for them. With
  /// UIDPLUS the OK tells their UIDs: `ResponseCode.appended(_:)`. NO `[TRYCREATE]`: make the
  /// mailbox first. May not be sent behind an AUTHENTICATE under way (a programming error).
  case append(MailboxName, [AppendMessage])

  /// Copies messages (RFC 9051 §6.4.7); the set must not be empty.
  ///
  /// With UIDPLUS the OK tells the new UIDs: `ResponseCode.copied`.
  case uidCopy(UIDSet, to: MailboxName)

  /// Moves messages (RFC 6851, needs MOVE); the set must not be empty.
  ///
  /// COPYUID comes in an untagged OK before the messages are expunged, or in the tagged one, and
  /// not at all when none of the messages exist.
  case uidMove(UIDSet, to: MailboxName)

  /// Moves the messages that the server remembers, which may be none (needs MOVE and SEARCHRES).
  case uidMoveFound(to: MailboxName)

  /// Removes those of the messages that have \Deleted (RFC 4315 §2.1, needs UIDPLUS).
  ///
  /// The set must not be empty.
  case uidExpunge(UIDSet)

  /// Removes all messages that have \Deleted, by whichever client (RFC 9051 §6.4.3).
  case expunge

  /// Makes a mailbox (RFC 9051 §6.3.4); `specialUse`, such as `\Trash`, needs CREATE-SPECIAL-USE
  /// (RFC 6154 §3).
  case create(MailboxName, specialUse: [UInt8]?)

  /// Removes a mailbox with all its messages (RFC 9051 §6.3.5).
  case delete(MailboxName)

  /// Gives a mailbox, and those below it, another name (RFC 9051 §6.3.6).
  ///
  /// INBOX stays: its messages move to a new mailbox.
  case rename(MailboxName, to: MailboxName)

  /// Adds to the names that the user wants to see (RFC 9051 §6.3.7).
  case subscribe(MailboxName)

  /// Takes from the names that the user wants to see (RFC 9051 §6.3.8).
  case unsubscribe(MailboxName)
}

/// What ties a reply to its command: `M17` (RFC 9051 §2.2.1).
package struct CommandTag: Hashable, Sendable {
  /// Counts the commands of a session, from 1.
  let number: UInt32

  init(number: UInt32) {
    self.number = number
  }

  /// The tag that the octets show; `nil` when they are none of ours.
  init?(wire: ArraySlice<UInt8>) {
    var cursor = Cursor(wire)
    guard cursor.skip(Self.letter), let number = cursor.decimal(), cursor.isAtEnd,
      let number = UInt32(exactly: number)
    else { return nil }
    self.number = number
  }

  /// The octets of the tag.
  var wire: [UInt8] { [Self.letter] + [UInt8](decimal: number) }

  private static let letter = UInt8(ascii: "M")
}

extension CommandTag: CustomStringConvertible {
  package var description: String { "M\(number)" }
}

/// What APPEND tells about a message before its octets (RFC 9051 §6.3.12).
///
/// The octets themselves are fed to the session when it wants them (`Session.wantedLiteral`).
package struct AppendMessage: Hashable, Sendable {
  /// The flags that the message gets; those that are not `isStorable` are left out.
  package let flags: [Flag]

  /// When the message arrived, in seconds since 1970; `nil`: when the server takes it.
  ///
  /// Goes out in UTC; years before 1 and beyond 9999 become the first or last second of these.
  package let internalDate: Int64?

  /// The length of the message in octets, line ends as CR LF; never 0.
  package let size: UInt64

  /// A message of that size; `nil` when it has no octets.
  ///
  /// RFC 3502 §6.3.11: servers take an empty message for the wish to append none of them.
  package init?(flags: [Flag] = [], internalDate: Int64? = nil, size: UInt64) {
    guard size > 0 else { return nil }
    self.flags = flags
    self.internalDate = internalDate
    self.size = size
  }
}

/// What a STORE does to flags (RFC 9051 §6.4.6).
///
/// Flags are never replaced as a whole: that would undo what others changed meanwhile. Flags that
/// are not `isStorable` are left out.
package enum FlagChange: Hashable, Sendable {
  /// `+FLAGS`: sets these, leaves the others.
  case adding([Flag])

  /// `-FLAGS`: takes these away, leaves the others.
  case removing([Flag])
}

/// What SELECT or EXAMINE asks for beside the mailbox (RFC 4466 §2.1).
package enum SelectParameter: Hashable, Sendable {
  /// Modification sequences from now on (RFC 7162 §3.1.8).
  case condstore

  /// All changes since `modSequence` (RFC 7162 §3.2.5); QRESYNC must have been enabled.
  ///
  /// `modSequence` is at least 1. `knownUIDs` confines what the server reports as vanished; `nil`
  /// or empty leaves it out. With a wrong validity the server answers like a plain SELECT.
  case qresync(validity: UInt32, modSequence: UInt64, knownUIDs: UIDSet?)
}

/// What LIST shall tell beside the names (RFC 5258 §3.2); needs LIST-EXTENDED or IMAP4rev2.
package struct ListReturn: Hashable, Sendable {
  /// Whether special uses are asked for (RFC 6154 §2); needs SPECIAL-USE.
  package let specialUse: Bool

  /// The facts for which each mailbox gets a STATUS response too (RFC 5819); needs LIST-STATUS.
  package let status: [StatusItem]

  /// The options given; with neither, LIST asks for `RETURN ()`.
  package init(specialUse: Bool = false, status: [StatusItem] = []) {
    self.specialUse = specialUse
    self.status = status
  }
}
