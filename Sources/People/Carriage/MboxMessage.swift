package import MIME
internal import Mbox
internal import Octets

/// A message as an mbox has it: separator, fields of flags and tags, the message, an empty line.
package enum MboxMessage {
  /// Writes a message, piece by piece.
  package static func write(
    _ message: ExportedMessage,
    _ decoder: CharsetDecoder,
    _ write: ([UInt8]) throws -> Void
  ) throws {
    let fields = MboxWriter.fields(message.flags, tags: message.tags)
    var reader = MboxReader(single: ())
    var writer = MboxWriter()
    var pieces = message.octets.pieces
    var isDone = false
    while !isDone {
      let piece = try pieces.next()
      isDone = piece == nil
      for event in piece.map({ reader.read($0) }) ?? reader.finish() {
        switch event {
        case .head(let head):
          try write(MboxWriter.separator(sender: sender(head.octets, decoder), date: message.date))
          try write(writer.write(fields[...]))
          try write(writer.write(ContainerFields.withoutNotes(head.octets)[...]))
        case .body(let octets): try write(writer.write(octets))
        case .end: break
        }
      }
    }
    try write(writer.finish())
  }

  /// The address of Return-Path, else of From; nil where there is none.
  private static func sender(_ header: [UInt8], _ decoder: CharsetDecoder) -> [UInt8]? {
    let fields = Message(header).header
    for name: StaticString in ["Return-Path", "From"] {
      let address = fields.addresses(name, decoder).flatMap(\.mailboxes).first?.address
      if let address, !address.isEmpty { return address }
    }
    return nil
  }
}
