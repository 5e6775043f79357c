internal import Hashing
internal import MIME
internal import Octets
package import SyncPlan

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

/// The fields of a message's header as a whole (RFC 5322 §2.2).
package enum HeaderFields {
  /// Fields that servers and programs write into a message without making it another one.
  private static let added: [StaticString] = [
    "Received:", "Delivered-To:", "Return-Path:", "X-Original-To:", "Lines:", "Content-Length:",
    "Status:", "X-Status:", "X-Keywords:", "X-UID:", "X-TUID:", "X-OfflineIMAP:",
    "X-Mozilla-Status:",
    "X-Mozilla-Status2:", "X-Mozilla-Keys:", "X-Magnum-Partial:",
  ]

  /// The SHA-256 of the fields, which have LF line ends, without those that tools add.
  package static func digest(_ header: ArraySlice<UInt8>) -> [UInt8] {
    var hash = SHA256()
    var isLeftOut = false
    var rest = header
    while !rest.isEmpty {
      let end = rest.firstIndex(of: ASCII.lineFeed) ?? rest.endIndex
      let line = rest[..<end]
      if let first = line.first, first != ASCII.space, first != ASCII.tab {
        isLeftOut = added.contains { line.startsCaseless(with: $0) }
      }
      if !isLeftOut, !line.isEmpty {
        hash.update(line)
        hash.update([ASCII.lineFeed])
      }
      rest = end == rest.endIndex ? [] : rest[(end + 1)...]
    }
    return hash.finish()
  }
}
