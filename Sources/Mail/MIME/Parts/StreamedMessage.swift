package import Octets

/// A message without most of what its attachments hold, which is read from its source where it is needed.
///
/// A gap begins within a line, ends before one, and has no line that can be a boundary. Within the body of an attachment it
/// does not change the tree of parts. A gap elsewhere, in a text or a header, is closed again. Nothing is left out of a text to
/// be read.
package struct StreamedMessage: Sendable {
  /// The message, with gaps in the bodies of attachments.
  package let message: Message

  private let source: any OctetSource
  private let gaps: [StreamedMessageReader.Gap]

  /// How often gaps may be closed: what is found then may show others to be wrong.
  private static let attempts = 4

  /// A message that is in memory as a whole.
  package init(_ message: Message) {
    self.message = message
    source = message.octets
    gaps = []
  }

  /// Reads a message; the source is needed for as long as its attachments are.
  ///
  /// `isPartialFile` says whether parts of it stand for others that are only on the server.
  /// - Throws: `SourceError` where it cannot be read.
  package init(
    reading source: any OctetSource,
    isPartialFile: Bool = false
  ) throws(SourceError) {
    self.source = source
    var reader = try StreamedMessageReader(source)
    for _ in 0..<Self.attempts {
      let streamed = Message(reader.kept, isPartialFile: isPartialFile)
      let bodies = Self.attachedBodies(streamed.root)
      if try !reader.closeGaps(outside: bodies) {
        (message, gaps) = (streamed, reader.gaps)
        return
      }
    }
    (message, gaps) = (Message(try source.whole(), isPartialFile: isPartialFile), [])
  }

  /// Where the bodies are of which octets may be left out, in the order of the message.
  private static func attachedBodies(_ part: Part) -> [Range<Int>] {
    // What is read of it is read from all of it.
    if part.holdsCopies || part.secured == .signed { return [] }
    return switch part.kind {
    case .leaf: part.role == .body ? [] : [part.body.indices]
    case .message, .multipart: part.children.flatMap { attachedBodies($0) }
    }
  }

  /// All octets of the message.
  package var whole: any OctetSource { source }

  /// All octets of a part of the message, of which it may have only some.
  ///
  /// - Parameter part: a slice of the octets of the message, as its parts have them.
  /// - Returns: the octets, which are read as they are asked for.
  package func octets(of part: ArraySlice<UInt8>) -> any OctetSource {
    var result = JoinedOctets()
    var rest = part
    for gap in gaps where part.indices.contains(gap.position) {
      result.append(OctetSlice(rest[..<gap.position]))
      result.append(source.part(gap.source))
      rest = rest[gap.position...]
    }
    result.append(OctetSlice(rest))
    return result
  }

  /// The body of a part as the message has it.
  func body(of part: Part) -> any OctetSource {
    isCopied(part) ? OctetSlice(part.body) : octets(of: part.body)
  }

  /// What a part is as a file of its own: a message as it is, everything else with its encoding undone.
  ///
  /// - Throws: `SourceError` where it cannot be read.
  package func content(of part: Part) throws(SourceError) -> any OctetSource {
    guard let inside = part.messageInside else { return try decoded(part) }
    // One that is encoded is not where the message has it, and has no gaps.
    return part.encoding == .identity && !isCopied(part)
      ? octets(of: inside.octets) : OctetSlice(inside.octets)
  }

  /// A part that is no container, with its octets in memory; nothing else of the message is read for that.
  ///
  /// - Parameters:
  ///   - part: the part, which may have only some of its octets.
  ///   - limit: octets of its body that are wanted, as it is written; more may be there.
  /// - Returns: the part as the root of a message.
  /// - Throws: `SourceError` where it cannot be read.
  package func filled(_ part: Part, limit: Int = .max) throws(SourceError) -> Part {
    guard hasGap(part) else { return part }
    let source = octets(of: part.octets)
    let header = part.body.startIndex - part.octets.startIndex
    let end = min(limit, source.count - header) + header
    return Message([UInt8](try source.octets(in: 0..<end))).root
  }

  /// Whether octets of a part are not in memory.
  private func hasGap(_ part: Part) -> Bool {
    gaps.contains { part.body.indices.contains($0.position) } && !isCopied(part)
  }

  /// Whether a part is not where the message has it: its octets were made of some that the message has.
  private func isCopied(_ part: Part) -> Bool {
    guard !gaps.isEmpty else { return false }
    return message.parts.contains { container in
      container.holdsCopies
        && container.children.contains { $0.flattened.contains { $0.section == part.section } }
    }
  }

  /// What of a part could not be read; takes the time of decoding it.
  ///
  /// - Throws: `SourceError` where it cannot be read.
  package func losses(of part: Part) throws(SourceError) -> [PartLoss] {
    guard part.encoding == .uuencode else { return part.losses }
    return PartLoss.ofUuencode(try body(of: part).whole()[...])
  }

  /// What is in a part, its encoding undone: of a long one as it is read.
  ///
  /// - Throws: `SourceError` where it cannot be read.
  func decoded(_ part: Part) throws(SourceError) -> any OctetSource {
    guard hasGap(part) || part.body.count > [UInt8].pieceSize else { return part.decoded }
    let octets = body(of: part)
    switch part.encoding {
    case .identity: return octets
    case .base64: return try ConvertedOctets(octets, Base64Converter())
    case .quotedPrintable: return try ConvertedOctets(octets, QuotedPrintableConverter())
    case .uuencode: return part.encoding.decode(try octets.whole()[...])
    }
  }
}
