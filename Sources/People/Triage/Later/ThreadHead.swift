internal import Correspondence
internal import MIME
internal import Octets
internal import Platform

/// What the header of a message of a thread tells.
struct ThreadHead {
  /// How much of a file is read, in octets.
  private static let limit = 1 << 18

  let reply: ThreadReply

  /// Reads a message of the thread of that with the id; nil where it cannot be read.
  init?(_ path: Path, of id: [UInt8], _ own: OwnAddresses) {
    guard let file = try? Descriptor.open(path, .read),
      let head = try? file.read(atMost: Self.limit)
    else { return nil }
    let header = Message(head).header
    let senders = header.mailboxes("From", .native)
    let type = header.first("Content-Type")?.body ?? []
    let submitted = header.first("Auto-Submitted")?.body ?? []
    reply = ThreadReply(
      date: header.date?.seconds,
      isOwn: senders.contains { own.contains($0) },
      isAutomatic: Self.begins(type, "multipart/report")
        || !submitted.isEmpty && !Self.begins(submitted, "no"),
      isReference: (header.inReplyTo + header.references).contains { $0.octets == id }
    )
  }

  private static func begins(_ value: [UInt8], _ word: StaticString) -> Bool {
    let trimmed = value.drop { $0 <= ASCII.space }
    let word = [UInt8](ascii: word)
    return trimmed.prefix(word.count).map(ASCII.lowercased).elementsEqual(word)
  }
}
