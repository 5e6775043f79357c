package import MailModel

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
