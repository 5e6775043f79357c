package import MailModel

/// Finds again which file is which message, where UIDs or records no longer tell.
///
/// One matcher for a changed UIDVALIDITY, for a Maildir that another tool filled, and for a lost or old map. A
/// pure function of what both sides hold. Its rules, in this order:
///
/// 1. A UID that is still known counts if the message under it has the file's Message-ID.
/// 2. A Message-ID that only one file and one message of the rest have joins the two.
///    For both of these size and date have to be those of a file that was on the server, or header and size of the body
///    have to agree; else the hash of the body decides. So it does where the file's name tells another UID.
/// 3. Of several with one Message-ID, or of those without one that agree in From, Date and Subject, the hash of
///    the body decides. With a Message-ID it is not needed where as many files as messages agree in the header and the
///    body's size, and all those files have the same body: any of them is as good as another. Of files that were on the
///    server it is enough where they agree in From, Date and Subject; without a Message-ID the date has to agree, too.
/// 4. Two different Message-IDs are never joined, nor is one with none.
/// 5. Drafts are written anew under one Message-ID, perhaps with as many octets. They are joined where header and body are
///    the same, as both sides agreed on them last, or where the server's header is the one that it gave the draft then.
///
/// What is not known yet about a message never joins it to a file. So ask ``needsHeader(_:_:)``, fill in, ask
/// ``needsBody(_:_:)``, fill in, and so on until both are empty; only then is the result final. A message that
/// went away meanwhile is left out of the list. Time and memory grow with the number of files and messages.
package struct Rematch: Hashable, Sendable {
  /// A file and the message it was found to be.
  package struct Match: Hashable, Sendable {
    /// The base name of the file.
    package let name: [UInt8]
    /// The message's UID.
    package let uid: UInt32
    /// What to take as the flags that both sides agreed on, for the ordinary three-way merge.
    package let base: MessageFlags
  }

  /// The pairs, by UID.
  package let matches: [Match]
  /// The base names of the files left over that were once on the server, in the order given: neither to be
  /// uploaded nor deleted.
  package let detached: [[UInt8]]
  /// The base names of the files left over that never were on the server, in the order given: to be uploaded.
  package let additions: [[UInt8]]
  /// The UIDs of the messages left over, ascending: to be fetched.
  package let fresh: [UInt32]

  /// Matches the files of a Maildir with the messages of its mailbox; no name and no UID comes twice.
  package init(_ locals: [Local], _ remotes: [Remote]) {
    let matcher = RematchMatcher(locals, remotes)
    var matches: [Match] = []
    var detached: [[UInt8]] = []
    var additions: [[UInt8]] = []
    for (local, partner) in zip(locals, matcher.partners) {
      if let partner {
        matches.append(Match(local, remotes[partner].message))
      } else if local.wasSynced {
        detached.append(local.name)
      } else {
        additions.append(local.name)
      }
    }
    self.matches = matches.sorted { $0.uid < $1.uid }
    self.detached = detached
    self.additions = additions
    fresh = matcher.unmatched.map { remotes[$0].message.uid }.sorted()
  }

  /// The outcome with further pairs, of files and messages that are left over.
  package init(_ outcome: Rematch, joining pairs: [(local: Local, remote: Remote)]) {
    let added = pairs.map { Match($0.local, $0.remote.message) }
    let (names, uids) = (Set(added.map(\.name)), Set(added.map(\.uid)))
    matches = (outcome.matches + added).sorted { $0.uid < $1.uid }
    detached = outcome.detached.filter { !names.contains($0) }
    additions = outcome.additions.filter { !names.contains($0) }
    fresh = outcome.fresh.filter { !uids.contains($0) }
  }

  /// The UIDs, ascending, of the messages whose whole header is needed to decide; empty when no more are.
  ///
  /// These are the messages without a Message-ID where there are such files too, and those whose Message-ID
  /// several have, or whose size is another: `headerKey`, `headerSize` and `header` are to be filled in.
  package static func needsHeader(_ locals: [Local], _ remotes: [Remote]) -> [UInt32] {
    uids(RematchMatcher(locals, remotes).headersWanted, remotes)
  }

  /// The UIDs, ascending, of the messages whose `bodyHash` is needed to decide; empty when no more are.
  ///
  /// A message whose header is still missing is not among them.
  package static func needsBody(_ locals: [Local], _ remotes: [Remote]) -> [UInt32] {
    uids(RematchMatcher(locals, remotes).bodiesWanted, remotes)
  }

  private static func uids(_ indices: [Int], _ remotes: [Remote]) -> [UInt32] {
    Set(indices.map { remotes[$0].message.uid }).sorted()
  }

  /// The base for a pair that has none.
  ///
  /// With it, the three-way merge unites S, R, P and F of both sides. It takes `\Draft` and keywords from the server, and keeps
  /// `\Deleted` only where both sides have it.
  ///
  /// Of a flag in the base, the side without it wins; of one that is not, the side with it. What both sides have is in
  /// it: else the server's flags would look changed, and a removal here would be taken back for them.
  package static func base(_ local: SystemFlags, _ remote: MessageFlags) -> MessageFlags {
    let draft = local.intersection(.draft)
    let deleted = local.union(remote.system).intersection(.deleted)
    let shared = local.intersection(remote.system)
    return MessageFlags(shared.union(draft).union(deleted), keywords: remote.keywords)
  }
}

extension Rematch.Match {
  fileprivate init(_ local: Rematch.Local, _ message: RemoteMessage) {
    name = local.name
    uid = message.uid
    let isKnown = local.baseUID.map { $0 == message.uid } ?? true
    base = (isKnown ? local.base : nil) ?? Rematch.base(local.flags, message.flags)
  }
}

extension Rematch {
  /// A file of the Maildir.
  package struct Local: Hashable, Sendable {
    /// Its base name, without `:2,` and flags.
    package var name: [UInt8]
    /// The flags of its name.
    package var flags: SystemFlags
    /// Its Message-ID and the hash of its body.
    package var identity: ContentIdentity
    /// A hash over the values of From, Date and Subject as they are: used where there is no Message-ID.
    package var headerKey: UInt64
    /// The octets of the body with CRLF line ends, without the header and the empty line; nil where only a record
    /// tells of the message, whose file is not here.
    package var bodySize: UInt64?
    /// The octets of the whole message with CRLF line ends; nil where only a record tells of it, which does not know them.
    package var wireSize: UInt64?
    /// The file's time in seconds since 1970; nil where only a record tells of the message, which does not know it.
    package var date: Int64?
    /// The flags both sides agreed on, where an old map or another tool's state still knows them; else nil.
    package var base: MessageFlags?
    /// The UID of the message that ``base`` is about, where that is another tool's and it tells; else nil.
    ///
    /// Of another message it says nothing.
    package var baseUID: UInt32?
    /// The UID that a name of ours under the current UIDVALIDITY or another tool's state gives it; else nil.
    ///
    /// Only a hint: it counts if the Message-ID is the same.
    package var expectedUID: UInt32?
    /// Whether anything shows that it was once on the server: an old map, a key in its name, another tool.
    package var wasSynced: Bool
    /// The size that the server told of it when it was recorded; nil where nothing is recorded.
    package var recordedSize: UInt64?
    /// Its INTERNALDATE when it was recorded, in seconds since 1970; nil where nothing is recorded.
    package var recordedDate: Int64?
    /// What it held when both sides agreed on it; nil where nothing is recorded.
    package var agreed: ContentIdentity?
    /// What the server's header hashed to then, where that was another one; nil where it was not, or nothing is recorded.
    package var serverHeader: UInt64?
    /// Whether it is a draft, which may be written anew under its Message-ID.
    package var isDraft: Bool

    package init(
      name: [UInt8],
      flags: SystemFlags,
      identity: ContentIdentity,
      headerKey: UInt64,
      bodySize: UInt64?,
      wireSize: UInt64?,
      date: Int64?,
      base: MessageFlags? = nil,
      baseUID: UInt32? = nil,
      expectedUID: UInt32? = nil,
      wasSynced: Bool = false,
      recordedSize: UInt64? = nil,
      recordedDate: Int64? = nil,
      agreed: ContentIdentity? = nil,
      serverHeader: UInt64? = nil,
      isDraft: Bool = false
    ) {
      self.name = name
      self.flags = flags
      self.identity = identity
      self.headerKey = headerKey
      self.bodySize = bodySize
      self.wireSize = wireSize
      self.date = date
      self.base = base
      self.baseUID = baseUID
      self.expectedUID = expectedUID
      self.wasSynced = wasSynced
      self.recordedSize = recordedSize
      self.recordedDate = recordedDate
      self.agreed = agreed
      self.serverHeader = serverHeader
      self.isDraft = isDraft
    }

    /// What the server had of it, as far as that is known: only a draft may hold something else by now.
    var sent: ContentIdentity { isDraft ? agreed ?? identity : identity }

    var bodyHash: BodyHash { BodyHash(identity) }
  }
}
