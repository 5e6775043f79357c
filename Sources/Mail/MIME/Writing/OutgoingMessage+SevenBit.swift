package import Octets

// Messages that nothing on the way has a reason to change, so that they can be signed (RFC 3156 §3, RFC 8551 §3.1).
extension OutgoingMessage {
  /// The same message in 7 bits, without lines that end with a blank or begin with `From `.
  ///
  /// An attached message stays as it is where it is in 7 bits, whatever its lines end with, since it may not be encoded; else it
  /// becomes a file of octets.
  ///
  /// - Returns: the message, and the names of attached messages that became files.
  /// - Throws: `SourceError` where what is attached cannot be read.
  package func sevenBit() throws(SourceError) -> (OutgoingMessage, madeFiles: [[UInt8]]) {
    var result = OutgoingMessage(fields: fields, parts: [])
    var madeFiles: [[UInt8]] = []
    for part in parts { result.parts += try part.sevenBit(&madeFiles) }
    return (result, madeFiles)
  }
}

extension OutgoingPart {
  /// The part in 7 bits; several where a container has to be taken apart.
  fileprivate func sevenBit(_ madeFiles: inout [[UInt8]]) throws(SourceError) -> [OutgoingPart] {
    let facts = try TextFacts(body)
    guard !facts.isPlain || facts.hasBlankEnd else { return [self] }
    let whole = fields.flatMap(\.octets) + [ASCII.lineFeed] + (try body.whole())
    let message = StreamedMessage(Message(whole))
    let part = message.message.root
    switch part.kind {
    case .leaf: return [reencoded(part)]
    // What programs of others see is one piece: a file of Outlook, or a structure of S/MIME.
    case .multipart where !part.contentType.isType("multipart"): return [reencoded(part)]
    case .message where facts.isPlain, .multipart where facts.isPlain: return [self]
    case .message:
      let name = part.fileName(.native)
      madeFiles.append(name ?? [])
      let file = try Self.file(
        body,
        type: .unknown,
        name: name ?? [UInt8](ascii: "message.eml"),
        contentID: part.contentID
      )
      return [file]
    case .multipart:
      var parts: [OutgoingPart] = []
      for child in part.children {
        for kept in try Self.kept(child, of: message, .native) {
          parts += try kept.sevenBit(&madeFiles)
        }
      }
      return parts
    }
  }

  private func reencoded(_ part: Part) -> OutgoingPart {
    let isText = part.contentType.isType("text") && part.encoding != .base64
    guard isText else { return reencoded(.base64(part.decoded)) }
    return reencoded(
      OutgoingBody(encoding: .quotedPrintable, octets: QuotedPrintable.encode(part.decoded))
    )
  }
}
