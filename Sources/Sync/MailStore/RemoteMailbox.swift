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
  /// Whether messages leave it for Trash alone: nothing in it is marked as deleted and expunged.
  package var onlyDiscards = false

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
  private let keywords: Keywords

  /// What becomes of keywords.
  private enum Keywords: Hashable {
    /// They are flags like others.
    case flags
    /// Messages come without them: they are set afterwards, each by itself, and may be refused for good.
    case apart
    /// As `apart`, but only those that begin with `$` are kept.
    case left
  }

  /// A mailbox that keeps all.
  package static let all = KeptFlags(permanent: nil)

  /// What a mailbox keeps with these PERMANENTFLAGS; nil, where none were told, is all.
  package init(permanent: [Flag]?) {
    self.permanent = permanent
    system = SystemFlags(permanent: permanent)
    keywords = .flags
  }

  private init(_ system: SystemFlags, _ permanent: [Flag]?, _ keywords: Keywords) {
    (self.system, self.permanent, self.keywords) = (system, permanent, keywords)
  }

  /// Where keywords are labels, and the mark `\Deleted` is never set.
  package var labelled: KeptFlags { KeptFlags(system.subtracting(.deleted), permanent, .apart) }

  /// Where messages have no labels though they may have had some.
  package var unlabelled: KeptFlags { KeptFlags(system, permanent, .left) }

  /// Whether messages come without their keywords, which are set afterwards, each by itself, and may be refused for good.
  package var setsKeywordsApart: Bool { keywords != .flags }

  /// Whether it keeps the flag or keyword, as IMAP writes it; none that IMAP cannot write.
  package func keeps(_ name: [UInt8]) -> Bool {
    let isFlag = LabelMeaning.isFlag(name)
    return switch keywords {
    case .apart where !isFlag: LabelMeaning.label(of: name) != nil
    case .left where !isFlag: false
    case .flags, .apart, .left: Flag(wire: name).isKept(by: permanent)
    }
  }

  /// Those of the flags and keywords that it keeps.
  package func kept(of flags: MessageFlags) -> MessageFlags {
    MessageFlags(flags.system.intersection(system), keywords: flags.keywords.filter(keeps))
  }
}
