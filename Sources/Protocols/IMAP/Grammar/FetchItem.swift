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

  /// Whether the server has to read the message to tell it.
  package var isContent: Bool {
    switch self {
    case .body, .header, .wholeHeader, .structure, .section: true
    case .uid, .flags, .internalDate, .size, .modSequence, .emailID: false
    }
  }
}
