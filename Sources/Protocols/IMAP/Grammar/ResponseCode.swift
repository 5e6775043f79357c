package import MailModel
internal import Octets

/// What a status response says to the program rather than to people (RFC 9051 §7.1, RFC 5530).
package enum ResponseCode: Hashable, Sendable {
  /// The text must be shown to the user.
  case alert
  /// What the server can do now.
  case capability(Capabilities)
  /// RFC 9051 §2.3.1.1; as the server sent it, so possibly an invalid 0.
  case uidValidity(UInt32)
  /// RFC 9051 §2.3.1.1; as the server sent it, so possibly an invalid 0.
  case uidNext(UInt32)
  /// RFC 7162 §3.1.2.1.
  case highestModSequence(UInt64)
  /// RFC 7162 §3.1.2.2: the mailbox has no modification sequences.
  case noModSequence
  /// The flags that can be changed for good; `.any` when new keywords can be made.
  case permanentFlags([Flag])
  /// The mailbox is open for reading only.
  case readOnly
  /// The mailbox is open for reading and writing.
  case readWrite
  /// The sequence number of the first message without \Seen.
  case unseen(UInt32)
  /// RFC 7162 §3.2.11: what follows is about the mailbox selected next, no longer the last one.
  case closed
  /// RFC 5530: wrong name or secret, or the server does not tell.
  case authenticationFailed
  /// RFC 5530: the secret is right, but may not act for this user.
  case authorizationFailed
  /// RFC 5530: the password is too old.
  case expired
  /// RFC 5530: not without encryption.
  case privacyRequired
  /// RFC 5530: only an administrator can help.
  case contactAdministrator
  /// RFC 5530: something behind the server is down; it may work later.
  case unavailable
  /// RFC 5530: another process holds the mailbox; it may work later.
  case inUse
  /// RFC 5530: a limit of the server was hit, such as too many connections.
  case limit
  /// RFC 5530: the user has no space left.
  case overQuota
  /// RFC 5530: the server blames itself.
  case serverBug
  /// RFC 5530: the server blames us.
  case clientBug
  /// RFC 5530: this can never work.
  case cannot
  /// RFC 5530: the user may not do this.
  case noPermission
  /// RFC 5530: what was to be made is there.
  case alreadyExists
  /// RFC 5530: what was named is not there.
  case nonexistent
  /// RFC 4469, RFC 7889: the message is larger than the server takes.
  case tooBig
  /// RFC 6154 §3: the special use is not known, or not for this mailbox.
  case useAttribute
  /// RFC 9051 §7.1: the mailbox cannot be deleted as long as it has children.
  case hasChildren
  /// The mailbox is not there, but could be made.
  case tryCreate
  /// RFC 5530: the message was removed meanwhile.
  case expungeIssued
  /// The server could not parse a message.
  case parse
  /// The server does not know the character set of a SEARCH.
  case badCharset
  /// RFC 4315 §4: the mailbox gives new UIDs each time.
  case uidNotSticky
  /// RFC 8474 §4.1: the identifier that stays with the mailbox when it is renamed.
  case mailboxID([UInt8])
  /// RFC 7162 §3.1.3: the messages that a conditional STORE did not change.
  case modified(UIDSet)
  /// RFC 4315 §3: where appended messages went, in the order of the APPEND; see `appended(_:)`.
  case appendUID(validity: UInt32, uids: [ClosedRange<UInt32>])
  /// RFC 4315 §3: where copied messages went; both lists in the order of the server; see `copied`.
  case copyUID(
    validity: UInt32,
    source: [ClosedRange<UInt32>],
    destination: [ClosedRange<UInt32>]
  )
  /// Any other code, or one whose arguments make no sense: name in large letters, rest verbatim.
  case other(name: [UInt8], arguments: [UInt8])
}

extension ResponseCode {
  /// The pairs of a COPYUID, with the UIDVALIDITY of the mailbox that the messages went to.
  ///
  /// `nil` for other codes and for sets that cannot be paired, from which nothing may be concluded.
  package var copied: (validity: UInt32, pairs: UIDPairs)? {
    guard case .copyUID(let validity, let source, let destination) = self,
      let pairs = UIDPairs(source: source, destination: destination)
    else { return nil }
    return (validity, pairs)
  }

  /// The UIDs of an APPENDUID for an APPEND of `count` messages, in their order, with the
  /// UIDVALIDITY of the mailbox.
  ///
  /// `nil` for other codes, for another number of UIDs, and when one comes twice. Some servers do
  /// not name all: then nothing tells whose UID is whose.
  package func appended(_ count: Int) -> (validity: UInt32, uids: [UInt32])? {
    guard case .appendUID(let validity, let uids) = self,
      uids.reduce(0, { $0 + $1.count }) == count, UIDSet(uids).count == count
    else { return nil }
    return (validity, uids.flatMap { $0 })
  }
}

/// How the server says that something went well or did not (RFC 9051 §7.1).
package struct StatusResponse: Hashable, Sendable {
  /// The word that begins the response.
  package enum Kind: Hashable, Sendable {
    /// `OK`, `NO`, `BAD`, `PREAUTH`, `BYE`.
    case ok, no, bad, preauth, bye
  }

  /// The word that begins the response.
  package let kind: Kind

  /// The code in brackets; `nil` when there is none.
  package let code: ResponseCode?

  /// The words for people, as the server wrote them; may be empty, may hold anything.
  ///
  /// Not fit for a terminal as it is. Secrets of a login under way are cut out of it.
  package let text: [UInt8]

  package init(kind: Kind, code: ResponseCode? = nil, text: [UInt8] = []) {
    self.kind = kind
    self.code = code
    self.text = text
  }
}

extension StatusResponse {
  /// The messages of a UID STORE that this, its tagged reply, says were changed if they exist.
  ///
  /// After OK: all but those that `[MODIFIED …]` names (RFC 7162 §3.1.3). After NO or BAD, or a
  /// MODIFIED that cannot be read, the reply vouches for none: with CONDSTORE each FETCH response
  /// that has a UID and a MODSEQ then still tells of one that was changed.
  package func stored(of uids: UIDSet) -> UIDSet {
    guard kind == .ok else { return UIDSet() }
    switch code {
    case .modified(let modified): return uids.subtracting(modified)
    case .other(let name, _) where name.equalsCaseless("MODIFIED"): return UIDSet()
    default: return uids
    }
  }
}
