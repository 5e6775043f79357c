/// What is known of a message, or of the message that a file holds; nil where it is not known.
package struct Trace: Hashable, Sendable {
  /// As in `ContentIdentity`: 0 says that there is none.
  package var messageID: UInt64?
  /// The hash of the header, as in `ContentIdentity`.
  package var header: UInt64?
  package var body: BodyHash?
  /// The content as older versions recorded it; nil where it is the same, or not known.
  package var former: ContentIdentity?
  /// Octets on the wire.
  package var size: UInt64?
  /// The internal date, in seconds since 1970.
  package var date: Int64?
  /// Whether it is a draft: its versions share a Message-ID, and perhaps the body.
  package var isDraft = false

  /// A trace of nothing but a content, size and date.
  package init(_ content: ContentIdentity? = nil, size: UInt64? = nil, date: Int64? = nil) {
    (messageID, header) = (content?.messageID, content?.header)
    body = content.map { BodyHash($0) }
    (self.size, self.date) = (size, date)
  }

  package init(messageID: UInt64?, header: UInt64? = nil, size: UInt64? = nil, date: Int64? = nil) {
    (self.messageID, self.header, self.size, self.date) = (messageID, header, size, date)
  }

  /// A message of the server, as far as it was read.
  package init(_ message: RemoteMessage) {
    self.init(message.identity, size: message.size, date: message.date)
    messageID = messageID ?? message.key?.messageID
    header = header ?? message.key?.header
  }

  /// What the server has of a message on record: its header may have more fields than the file's, and of one whose file is
  /// partial the body is not known.
  package init(_ record: BaseRecord) {
    self.init(record.identity, size: record.size, date: record.date)
    header = record.serverHeader ?? header
    if record.completeness.isPartial { body = nil }
  }

  /// What the file of a message on record held when both sides agreed on it.
  package init(fileOf record: BaseRecord) { self.init(record.identity, size: record.size) }

  /// What a file holds, as far as it was read.
  init(_ file: LocalFile, isDraft: Bool = false) {
    self.init(file.identity)
    self.isDraft = isDraft
  }

  /// The values of these facts, by which the message is looked up; nil where one of them is not known.
  package func key(_ facts: Sameness.Facts) -> Sameness.Key? {
    let known = Sameness.Facts.compare(self, self).same
    return known.isSuperset(of: facts) ? Sameness.Key(self, facts) : nil
  }
}

extension BaseRecord {
  /// How sure it is that a file which has its name, or a name with its UID, is that of the message.
  func sameness(to file: LocalFile, isDraft: Bool = false) -> Sameness.Level {
    Sameness.compare(Trace(fileOf: self), Trace(file, isDraft: isDraft), .inPlace).level
  }

  /// Whether two messages on record are known to be one, whose file was moved.
  package func holdsSame(as other: BaseRecord) -> Bool {
    Sameness.compare(Trace(fileOf: self), Trace(fileOf: other), .movedHere).level == .certain
  }
}

/// The hash of a message's body.
package struct BodyHash: Hashable, Sendable {
  /// The first half.
  package let high: UInt64
  /// The second half.
  package let low: UInt64

  /// A hash of two halves.
  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  package init(_ content: ContentIdentity) { (high, low) = (content.bodyHigh, content.bodyLow) }
}

extension Trace {
  /// Which of several files, all of which have the name of the message, is most like it: the first of those that are so equally;
  /// nil where there are none.
  ///
  /// Its content counts more than its size, which a server may have changed with the header. A file that cannot be read is nil,
  /// and like nothing.
  package func likest(among files: [Trace?]) -> Int? {
    let likenesses = files.map { file -> Int in
      guard let file else { return -1 }
      let same = Sameness.compare(self, file, .inPlace)
      return 2 * same.level.rawValue + (same.agreeing.contains(.size) ? 1 : 0)
    }
    return likenesses.max().flatMap { likenesses.firstIndex(of: $0) }
  }
}
