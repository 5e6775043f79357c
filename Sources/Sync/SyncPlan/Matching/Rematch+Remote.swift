extension Rematch {
  /// A message of the server.
  package struct Remote: Hashable, Sendable {
    /// Its UID, flags, size and date; without a size or a date it only matches less well.
    package var message: RemoteMessage
    /// The hash of its Message-ID as in `ContentIdentity`; 0 means that it has none.
    package var messageID: UInt64
    /// A hash over the values of From, Date and Subject as they are; nil until asked for.
    package var headerKey: UInt64?
    /// The octets of its header with the empty line (`BODY[HEADER]`); nil until asked for.
    package var headerSize: UInt64?
    /// The hash of its header as in `ContentIdentity`; nil until asked for.
    package var header: UInt64?
    /// The hash of its body; nil until asked for.
    package var bodyHash: BodyHash?
    /// Its content as older versions recorded it, where that is something else.
    package var former: ContentIdentity?

    package init(
      message: RemoteMessage,
      messageID: UInt64,
      headerKey: UInt64? = nil,
      headerSize: UInt64? = nil,
      header: UInt64? = nil,
      bodyHash: BodyHash? = nil,
      former: ContentIdentity? = nil
    ) {
      self.message = message
      self.messageID = messageID
      self.headerKey = headerKey
      self.headerSize = headerSize
      self.header = header
      self.bodyHash = bodyHash
      self.former = former
    }

    /// What it holds; nil until its body was asked for.
    var identity: ContentIdentity? {
      guard let bodyHash, let header else { return nil }
      return ContentIdentity(
        messageID: messageID,
        bodyHigh: bodyHash.high,
        bodyLow: bodyHash.low,
        header: header
      )
    }

    /// The message as it is on record, where what older versions recorded has one of these bodies.
    func recognised(among bodies: Set<BodyHash>) -> Self {
      guard let former, let bodyHash, !bodies.contains(bodyHash), bodies.contains(BodyHash(former))
      else { return self }
      var message = self
      (message.bodyHash, message.header) = (BodyHash(former), former.header)
      return message
    }

    /// The octets of the body; nil where they are not known, or where the server's numbers contradict each other.
    var bodySize: UInt64? {
      guard let size = message.size, let headerSize, headerSize <= size else { return nil }
      return size - headerSize
    }
  }
}
