internal import Correspondence
internal import MIME
internal import Octets
internal import Platform
internal import SearchIndex

/// What the header of a message of a thread tells.
struct ThreadHead {
  let reply: ThreadReply

  /// Reads a message of the thread of that with the id; nil where it cannot be read.
  init?(_ path: Path, of id: [UInt8], _ own: OwnAddresses) {
    guard let header = Header(ofFile: path) else { return nil }
    let senders = header.mailboxes("From", .native)
    let type = header.first("Content-Type")?.body ?? []
    let submitted = header.first("Auto-Submitted")?.body ?? []
    reply = ThreadReply(
      date: header.date?.seconds,
      isOwn: senders.contains { own.contains($0) },
      isAutomatic: Self.value(type).startsCaseless(with: "multipart/report")
        || !submitted.isEmpty && !Self.value(submitted).startsCaseless(with: "no"),
      isReference: (header.inReplyTo + header.references).contains { $0.octets == id }
    )
  }

  private static func value(_ body: [UInt8]) -> ArraySlice<UInt8> {
    body.drop { $0 <= ASCII.space }
  }
}
