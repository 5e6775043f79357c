package import Octets

// Messages that nothing on the way has a reason to change, so that they can be signed (RFC 3156 §3, RFC 8551 §3.1).
extension OutgoingMessage {
  /// The same message in 7 bits, without lines that end with a blank or begin with `From `.
  ///
  /// An attached message stays as it is where it is so already; else it becomes a file of octets, since it may not be encoded
  /// (RFC 2046 §5.2.1), and a blank at the end of a line is not to be signed (RFC 3156 §3).
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
    if let group {
      var parts: [OutgoingPart] = []
      for part in group.parts { parts += try part.sevenBit(&madeFiles) }
      return [try OutgoingPart(group.with(parts))]
    }
    let facts = try TextFacts(body)
    guard !facts.isPlain || facts.hasBlankEnd else { return [self] }
    let header = fields.flatMap(\.octets) + [ASCII.lineFeed]
    let message = try StreamedMessage(reading: JoinedOctets([header, body]))
    let part = message.message.root
    switch part.kind {
    case .leaf: return [try reencoded(part, of: message)]
    // What programs of others see is one piece: a file of Outlook, or a structure of S/MIME.
    case .multipart where !part.contentType.isType("multipart"):
      return [try reencoded(part, of: message)]
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

  private func reencoded(
    _ part: Part,
    of message: StreamedMessage
  ) throws(SourceError) -> OutgoingPart {
    let decoded = try message.decoded(part)
    let isText = part.contentType.isType("text") && part.encoding != .base64
    guard isText else { return reencoded(.base64(decoded)) }
    let octets = try ConvertedOctets(decoded, QuotedPrintableEncoder())
    return reencoded(OutgoingBody(encoding: .quotedPrintable, octets: octets))
  }
}
