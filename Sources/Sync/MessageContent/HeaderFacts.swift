internal import MIME
internal import Octets
package import SyncPlan
internal import Hashing

/// What a message's header tells of its identity.
package struct HeaderFacts: Hashable {
  /// The hash of the Message-ID with its angle brackets; 0 when there is none.
  package var messageID: UInt64
  /// The hash of From, Date and Subject as they are, for messages without a Message-ID.
  package var headerKey: UInt64
  /// Octets of the header with line ends as CRLF, the empty line included.
  package var size: UInt64
  /// The hash of all fields but those that tools add, as in `ContentIdentity`.
  package var fields: UInt64

  /// The facts of a header with LF line ends.
  package init(_ header: ArraySlice<UInt8>) {
    messageID =
      HeaderSearch.value("Message-ID:", in: header).map { Self.hash(ofMessageID: $0) } ?? 0
    let fields: [StaticString] = ["From:", "Date:", "Subject:"]
    let values = fields.map { HeaderSearch.value($0, in: header) ?? [] }
    headerKey = UInt64(octets: Hashes.sha256(Array(values.joined(separator: [ASCII.lineFeed]))))
    let lineEnds = header.reduce(0) { $0 + ($1 == ASCII.lineFeed ? 1 : 0) }
    size = UInt64(header.count + lineEnds)
    self.fields = UInt64(octets: HeaderFields.digest(header))
  }

  /// The facts of a header as it came over the wire.
  package init(wire header: [UInt8]) {
    self.init(header.filter { $0 != ASCII.carriageReturn }[...])
    size = UInt64(header.count)
  }

  /// What `messageID` is for a message with that Message-ID, which has its angle brackets.
  package static func hash(ofMessageID value: [UInt8]) -> UInt64 {
    UInt64(octets: Hashes.sha256(value))
  }
}

extension HeaderFacts {
  /// What is known of a message with that header.
  package func trace(of message: RemoteMessage) -> Trace {
    Trace(messageID: messageID, header: fields, size: message.size, date: message.date)
  }
}
