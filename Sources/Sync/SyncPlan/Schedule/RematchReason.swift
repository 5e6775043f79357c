package import MailModel

/// Why the base of a mailbox can no longer be trusted, so that its files and messages are matched anew.
package enum RematchReason: Hashable, Sendable {
  /// There is no record, and there are files.
  case unknownFiles
  /// The record is damaged, or of an older version.
  case untrustedRecord
  /// UIDVALIDITY is another one (RFC 9051 §2.3.1.1).
  case validityChanged
  /// UIDVALIDITY is the same, but the server's own id says that another mailbox has the name now.
  case otherMailbox
  /// UIDNEXT or HIGHESTMODSEQ is lower than it was, or a UID means another message: the server was put back.
  case serverWentBackwards

  /// What the base says of the mailbox as a whole.
  package struct Base: Hashable, Sendable {
    package let identity: MailboxIdentity
    /// UIDNEXT as the last run left it; nil where it is not known.
    package let uidNext: UInt32?
    /// HIGHESTMODSEQ as the last run left it; nil where it is not known.
    package let modSequence: UInt64?
    /// The highest UID that is on record; nil where none is.
    package let highestUID: UInt32?
    /// The records of those messages that the server listed now, by UID.
    package let listed: [UInt32: BaseRecord]
    /// Whether one of those has another Message-ID than is on record.
    package let hasOtherMessage: Bool

    package init(
      identity: MailboxIdentity,
      uidNext: UInt32?,
      modSequence: UInt64?,
      highestUID: UInt32?,
      listed: [UInt32: BaseRecord],
      hasOtherMessage: Bool
    ) {
      self.identity = identity
      self.uidNext = uidNext
      self.modSequence = modSequence
      self.highestUID = highestUID
      self.listed = listed
      self.hasOtherMessage = hasOtherMessage
    }
  }

  /// What the server says of it now.
  package struct Server: Sendable {
    /// Which mailbox has the name now.
    package let identity: MailboxIdentity
    /// UIDNEXT; nil where it does not tell it.
    package let uidNext: UInt32?
    /// HIGHESTMODSEQ; nil where it does not tell it.
    package let modSequence: UInt64?
    package let listed: RemoteMessages

    package init(
      identity: MailboxIdentity,
      uidNext: UInt32?,
      modSequence: UInt64?,
      listed: RemoteMessages
    ) {
      self.identity = identity
      self.uidNext = uidNext
      self.modSequence = modSequence
      self.listed = listed
    }
  }

  /// The reason; nil where the base can be trusted.
  ///
  /// Without a base, `hasFiles` and `isUntrusted` tell whether there are files, and a record that cannot be used.
  package init?(base: Base?, hasFiles: Bool, isUntrusted: Bool, server: Server) {
    guard let base else {
      guard hasFiles else { return nil }
      self = isUntrusted ? .untrustedRecord : .unknownFiles
      return
    }
    if server.identity.validity.differs(from: base.identity.validity) {
      self = .validityChanged
    } else if server.identity.sharesID(with: base.identity) == false {
      self = .otherMailbox
    } else if Self.wentBackwards(base, server) || Self.hasReusedUID(base, server) {
      self = .serverWentBackwards
    } else {
      return nil
    }
  }

  private static func wentBackwards(_ base: Base, _ server: Server) -> Bool {
    isBelow(server.uidNext, base.uidNext) || isBelow(server.modSequence, base.modSequence)
      || server.uidNext.flatMap { next in base.highestUID.map { $0 >= next } } ?? false
  }

  /// Whether a number is below another one; not where one of them is unknown.
  private static func isBelow<Number: Comparable>(_ now: Number?, _ before: Number?) -> Bool {
    guard let now, let before else { return false }
    return now < before
  }

  /// Whether a UID that the base knows now means a message of another time and size, or another Message-ID.
  private static func hasReusedUID(_ base: Base, _ server: Server) -> Bool {
    base.hasOtherMessage
      || server.listed.contains { message in
        base.listed[message.uid]?.otherLook(of: message) == .look
      }
  }
}

extension BaseRecord {
  /// Which of size and date the server tells otherwise of the message than they are on record.
  ///
  /// Both: it is another message. One: servers count line ends in different ways, and may change a date; or it is another message
  /// with one of both by chance.
  package func otherLook(of message: RemoteMessage) -> Sameness.Facts {
    Sameness.compare(Trace(self), Trace(message), .inPlace).differing.intersection(.look)
  }
}
