package import Octets

/// A message of a text and what is attached to it, without the HTML that was made of the text.
///
/// That HTML is known by the boundary beside it, so that a message needs no record of it.
package struct TextMessage {
  /// Whether such HTML was taken out.
  package let hadHTML: Bool

  /// The text in UTF-8.
  package let text: [UInt8]

  private let fields: [OutgoingField]
  private let attached: [OutgoingPart]
  private let names: [[UInt8]]

  /// A message of that kind; nil for one that has HTML of its own, or is of other parts.
  ///
  /// - Parameters:
  ///   - content: the message.
  ///   - decoder: for its text, and for names.
  /// - Throws: `SourceError` where it cannot be read.
  package init?(
    _ content: StreamedMessage,
    _ decoder: CharsetDecoder
  ) throws(SourceError) {
    let root = content.message.root
    var (first, rest) = (root, [Part]())
    if root.contentType.isType("multipart", "mixed"), let child = root.children.first {
      (first, rest) = (child, [Part](root.children.dropFirst()))
    }
    hadHTML = Self.isMadeOfText(first)
    if hadHTML {
      let page = first.children[1]
      let pictures =
        page.contentType.isType("multipart", "related") ? page.children.dropFirst() : []
      (first, rest) = (first.children[0], pictures + rest)
    }
    guard first.contentType.isType("text", "plain"), let text = first.text(decoder) else {
      return nil
    }
    self.text = text
    fields = root.header.fields.filter {
      !$0.name.startsCaseless(with: "content-") && !$0.isNamed("MIME-Version")
    }.map { OutgoingField(kept: $0) }
    var attached: [OutgoingPart] = []
    var names: [[UInt8]] = []
    for part in rest {
      let kept = try OutgoingPart.kept(part, of: content, decoder)
      let name = part.fileName(decoder) ?? []
      attached += kept
      names += kept.map { _ in name }
    }
    (self.attached, self.names) = (attached, names)
  }

  private static func isMadeOfText(_ part: Part) -> Bool {
    let start = OutgoingMultipart.boundaryStart + OutgoingPart.HTMLSource.madeOfText.mark
    guard part.contentType.isType("multipart", "alternative"), part.children.count == 2,
      let boundary = part.contentType.parameters.octets("boundary")
    else { return false }
    return boundary.starts(with: start)
  }

  /// The parts that HTML may show.
  package var pictures: [OutgoingHTML.Picture] {
    zip(names, attached).compactMap { name, part in
      part.contentID.map { OutgoingHTML.Picture(name: name, id: $0) }
    }
  }

  /// The message with its text alone.
  ///
  /// - Throws: `SourceError` where what is attached cannot be read.
  package func octets() throws(SourceError) -> any OctetSource {
    try message([.text(text)] + attached)
  }

  /// The message with HTML that was made of its text.
  ///
  /// - Throws: `SourceError` where what is attached cannot be read.
  package func octets(with html: OutgoingHTML) throws(SourceError) -> any OctetSource {
    try message(
      try OutgoingPart.bodies(.text(text), html, .madeOfText, attached: attached, token: Self.token)
    )
  }

  /// The same for each version, so that one is known to be unchanged.
  private static let token = [UInt8](ascii: "version")

  private func message(_ parts: [OutgoingPart]) throws(SourceError) -> any OctetSource {
    try OutgoingMessage(fields: fields, parts: parts).octets(token: Self.token)
  }
}
