package import MailModel
package import SyncPlan

/// One mailbox as the server described it when it was opened, with the messages that were asked for.
package struct RemoteMailbox: Sendable {
  /// UIDVALIDITY; nil when the server gave none that is one.
  package var validity: UInt32?
  /// What the server gave for UIDVALIDITY and is none; empty when it gave nothing.
  package var oddValidity: [UInt8] = []
  /// UIDNEXT when it was opened; nil when the server gave none, not by STATUS either.
  package var uidNext: UInt32?
  /// HIGHESTMODSEQ when it was opened; nil when there is none (NOMODSEQ).
  package var modSequence: UInt64?
  /// MAILBOXID; empty when the server gave none.
  package var serverID: [UInt8] = []
  /// How many messages there are.
  package var exists: UInt32 = 0
  /// How many of them the server left out of the list of all; above 0 the view proves no removal.
  package var missing = 0
  /// Whether messages were asked for by their dates, so that older ones may be there that were not listed.
  package var isWindowed = false
  /// What was told of its messages.
  package var view: RemoteView = .unchanged
  /// The flags that it keeps.
  package var keptFlags = KeptFlags.all
  /// Whether it can only be read.
  package var isReadOnly = false

  /// A mailbox of which nothing is known yet.
  package init() {}

  /// Which mailbox it is.
  package var identity: MailboxIdentity { MailboxIdentity(validity: validity, serverID: serverID) }

  /// UIDVALIDITY, without which nothing can be recorded of its messages.
  ///
  /// - Throws: what the server gave in its place.
  package var knownValidity: UInt32 {
    get throws(SyncFailure) {
      guard let validity else { throw .mailbox(.noValidity(told: oddValidity)) }
      return validity
    }
  }
}

/// A mailbox of the server that something is to be done in.
package struct MailboxReference: Hashable, Sendable {
  package let name: MailboxName
  /// Which mailbox is meant: where another one has the name by now, nothing is done.
  package let identity: MailboxIdentity

  package init(_ name: MailboxName, _ identity: MailboxIdentity) {
    self.name = name
    self.identity = identity
  }
}

extension MailStore {
  /// What a mailbox is like now, without opening it; nil where the server does not tell.
  package func place(of name: MailboxName) throws(SyncFailure) -> MailboxPlace? {
    try status(of: [name])[name].flatMap { MailboxPlace($0) }
  }
}

/// The flags that a mailbox keeps (PERMANENTFLAGS, RFC 9051 §7.1).
package struct KeptFlags: Hashable, Sendable {
  /// Those that a file name can show.
  package let system: SystemFlags
  private let permanent: [Flag]?

  /// A mailbox that keeps all.
  package static let all = KeptFlags(permanent: nil)

  /// What a mailbox keeps with these PERMANENTFLAGS; nil, where none were told, is all.
  package init(permanent: [Flag]?) {
    self.permanent = permanent
    system = SystemFlags(permanent: permanent)
  }

  /// Whether it keeps the flag or keyword, as IMAP writes it; none that IMAP cannot write.
  package func keeps(_ name: [UInt8]) -> Bool { Flag(wire: name).isKept(by: permanent) }

  /// Those of the flags and keywords that it keeps.
  package func kept(of flags: MessageFlags) -> MessageFlags {
    MessageFlags(flags.system.intersection(system), keywords: flags.keywords.filter(keeps))
  }
}
