import MIME
import Octets

/// Asks a message everything that can be asked of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let octets = Array(UnsafeBufferPointer(start: data, count: count))
  let decoder = CharsetDecoder { _, octets in Array(octets) }
  let message = Message(octets)
  precondition(message.octets == octets)
  for part in message.parts {
    precondition(part.octets.startIndex >= 0 && part.octets.endIndex <= count)
    _ = part.decodedSize
    _ = part.estimatedSize
    _ = part.fileName(decoder)
    _ = part.plainText(decoder)
    _ = part.contentID
    for field in part.header.fields {
      _ = field.text(decoder)
      _ = Address.list(field.body[...], decoder).flatMap(\.mailboxes).map(\.address)
      _ = MessageID.list(field.body)
      _ = MessageDate(field.body)?.octets
    }
    for block in Uuencode.blocks(part.body) { _ = block.decode() }
  }
  _ = message.bodies()
  _ = message.attachments
  _ = message.header.isInReplyToPlain
  return 0
}
