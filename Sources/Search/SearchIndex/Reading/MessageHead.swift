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
  ///   - fileName: the name of the file, whose number tells the date of mail that has none.
  ///   - decoder: what knows charsets.
  ///   - whole: gives the octets of the whole file; asked only for mail without an id.
  init(
    _ header: Header,
    fileName: [UInt8],
    _ decoder: CharsetDecoder,
    whole: () -> [UInt8]
  ) {
    id =
      header.messageID?.octets
      ?? [UInt8](ascii: "notmuch-sha1-") + Hex.encode(SHA1.of(whole()))
    date = Self.date(header, fileName)
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

  /// The Date field; else the newest Received field; else when the file was named.
  private static func date(_ header: Header, _ fileName: [UInt8]) -> Int64 {
    if let date = header.date { return date.seconds }
    if let received = header.first("Received")?.body,
      let semicolon = received.lastIndex(of: ASCII.semicolon),
      let date = MessageDate([UInt8](received[(semicolon + 1)...]))
    {
      return date.seconds
    }
    let digits = fileName.prefix { ASCII.isDigit($0) }
    guard (9...10).contains(digits.count) else { return 0 }
    return Int64(String(decoding: digits, as: UTF8.self)) ?? 0
  }
}
