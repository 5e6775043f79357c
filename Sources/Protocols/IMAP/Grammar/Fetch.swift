package import MailModel

/// What the server tells about one message (RFC 9051 §7.5.2); `nil` where it told nothing.
///
/// A server may send this at any time, for messages and facts never asked for.
package struct Fetch: Hashable, Sendable {
  /// The message sequence number.
  package let sequence: UInt32

  /// The UID, never 0; `nil` also when the server sent an impossible one.
  package var uid: UInt32?

  /// All flags of the message, in the order of the server.
  package var flags: [Flag]?

  /// When the server received the message, in seconds since 1970; `nil` also when malformed.
  package var internalDate: Int64?

  /// Octets of the message on the wire (`RFC822.SIZE`).
  package var size: UInt64?

  /// The modification sequence (RFC 7162 §3.1.5).
  package var modSequence: UInt64?

  /// The identifier that all copies of the message share (RFC 8474 §5.1).
  package var emailID: [UInt8]?

  /// The labels of the message but that of the open mailbox (X-GM-EXT-1), as on the wire: in modified UTF-7, those of the server
  /// with a backslash first.
  package var labels: [[UInt8]]?

  /// The fields of the header that were asked for, with line ends; several parts are joined.
  package var header: [UInt8]?

  /// What the message is made of; `nil` also where it could not be read.
  package var structure: BodyStructure?
  /// Other sections, such as `1` or `1.MIME`, by their names in small letters.
  package var sections: [[UInt8]: [UInt8]] = [:]
  /// The octet of each at which what is there begins; none where the server gave it as a whole.
  package var origins: [[UInt8]: UInt64] = [:]
  /// Whether `bodyBegin`, `bodyChunk` and `bodyEnd` with this message's body came before.
  package var hasBody = false

  package init(sequence: UInt32) {
    self.sequence = sequence
  }
}

/// A fact about a message that FETCH can ask for (RFC 9051 §6.4.5).
package enum FetchItem: Hashable, Sendable {
  /// The UID, which the server also sends unasked in reply to UID FETCH.
  case uid
  /// All flags.
  case flags
  /// When the server received the message.
  case internalDate
  /// `RFC822.SIZE`: octets of the message on the wire.
  case size
  /// RFC 7162 §3.1.5; needs CONDSTORE.
  case modSequence
  /// `BODY.PEEK[]`: the whole message; does not set \Seen.
  case body
  /// `BODY.PEEK[HEADER.FIELDS (…)]`: these fields of the header; does not set \Seen.
  case header([[UInt8]])
  /// `BODY.PEEK[HEADER]`: the whole header with the empty line behind it; does not set \Seen.
  case wholeHeader
  /// What the message is made of (`BODYSTRUCTURE`).
  case structure
  /// `BODY.PEEK[…]<n.…>`: octets of a section, such as `header`, `1` or `1.mime`, from its octet n on; does not set \Seen.
  case section([UInt8], from: Int = 0, limit: Int)
  /// RFC 8474 §5.1; needs OBJECTID.
  case emailID
  /// `X-GM-LABELS`: the labels; needs X-GM-EXT-1.
  case labels

  /// Whether the server has to read the message to tell it.
  package var isContent: Bool {
    switch self {
    case .body, .header, .wholeHeader, .structure, .section: true
    case .uid, .flags, .internalDate, .size, .modSequence, .emailID, .labels: false
    }
  }
}
