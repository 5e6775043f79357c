internal import MIME
internal import Octets
internal import Threads

/// What the header of a message tells of its identity and its place among others.
struct MessageHead {
  /// Its Message-ID; for mail without one, an id made of the whole file.
  let id: [UInt8]

  /// When it was written, in seconds since 1970.
  let date: Int64

  /// Its subject, as UTF-8.
  let subject: [UInt8]

  /// What threading needs.
  let member: ThreadMember

  /// Reads a header.
  ///
  /// - Parameters:
  ///   - header: the header.
  ///   - arrived: when the message came, which is the date of mail that has none.
  ///   - decoder: what knows charsets.
  ///   - whole: gives the octets of the whole file; asked only for mail without an id.
  init(
    _ header: Header,
    arrived: Int64,
    _ decoder: CharsetDecoder,
    whole: () -> [UInt8]
  ) {
    id =
      header.messageID?.octets
      ?? [UInt8](ascii: "notmuch-sha1-") + Hex.encode(SHA1.of(whole()))
    date = Self.date(header) ?? arrived
    subject = header.text("Subject", decoder) ?? []
    member = ThreadMember(
      id: id,
      inReplyTo: header.inReplyTo.map(\.octets),
      isPlain: header.isInReplyToPlain,
      references: header.references.map(\.octets),
      subject: subject,
      date: date,
      addresses: ["From", "To", "Cc", "Bcc"].flatMap { (name: StaticString) in
        Person.list(in: header, name, decoder).map(\.address)
      }
    )
  }

  /// The Date field; else the newest Received field.
  private static func date(_ header: Header) -> Int64? {
    if let date = header.date { return date.seconds }
    if let received = header.first("Received")?.body,
      let semicolon = received.lastIndex(of: ASCII.semicolon),
      let date = MessageDate([UInt8](received[(semicolon + 1)...]))
    {
      return date.seconds
    }
    return nil
  }
}
