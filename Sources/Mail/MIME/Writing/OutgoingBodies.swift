package import Octets

// The text of a message in two forms.
extension OutgoingPart {
  /// From what the HTML of a message is.
  package enum HTMLSource: Hashable, Sendable {
    /// It was made of the text, so that another text has another one.
    case madeOfText
    /// It was given as it is.
    case given

    /// What the boundary between text and HTML begins with.
    var mark: [UInt8] {
      switch self {
      case .madeOfText: [UInt8](ascii: "made_")
      case .given: [UInt8](ascii: "page_")
      }
    }
  }

  /// The text of a message, its HTML, and all that is attached.
  ///
  /// - Parameters:
  ///   - text: the part of the text.
  ///   - html: the same as HTML.
  ///   - source: from what it is; it can be read from the message again.
  ///   - attached: the other parts; those that the HTML shows go with it.
  ///   - token: letters and digits for boundaries.
  /// - Returns: the parts of the message.
  /// - Throws: `SourceError` where what is attached cannot be read.
  package static func bodies(
    _ text: OutgoingPart,
    _ html: OutgoingHTML,
    _ source: HTMLSource,
    attached: [OutgoingPart],
    token: [UInt8]
  ) throws(SourceError) -> [OutgoingPart] {
    let isShown = { (part: OutgoingPart) in part.contentID.map(html.shown.contains) ?? false }
    var page = OutgoingPart.html(html.octets)
    let pictures = attached.filter(isShown)
    if !pictures.isEmpty {
      let related = OutgoingMultipart(
        [UInt8](ascii: "multipart/related"),
        [[UInt8](ascii: "type=\"text/html\"")],
        [page] + pictures,
        token: [UInt8](ascii: "pictures_") + token
      )
      page = try OutgoingPart(related)
    }
    let both = OutgoingMultipart(
      [UInt8](ascii: "multipart/alternative"),
      [],
      [text, page],
      token: source.mark + token
    )
    return [try OutgoingPart(both)] + attached.filter { !isShown($0) }
  }

  /// The parts of a message that another program wrote, as they are there, in the same structure.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - decoder: for names.
  ///   - token: letters and digits for boundaries.
  /// - Returns: the parts of a message that has them.
  /// - Throws: `SourceError` where it cannot be read.
  package static func bodies(
    of message: StreamedMessage,
    _ decoder: CharsetDecoder,
    token: [UInt8]
  ) throws(SourceError) -> [OutgoingPart] {
    let root = message.message.root
    guard root.kind == .multipart, root.contentType.isType("multipart", "mixed") else {
      return try bodies(of: root, in: message, decoder, token)
    }
    return try bodies(below: root, in: message, decoder, token)
  }

  private static func bodies(
    below part: Part,
    in message: StreamedMessage,
    _ decoder: CharsetDecoder,
    _ token: [UInt8]
  ) throws(SourceError) -> [OutgoingPart] {
    var parts: [OutgoingPart] = []
    for (number, child) in part.children.enumerated() {
      // None begins as that of what holds it.
      let token = [UInt8](decimal: number + 1) + [ASCII.underscore] + token
      parts += try bodies(of: child, in: message, decoder, token)
    }
    return parts
  }

  private static func bodies(
    of part: Part,
    in message: StreamedMessage,
    _ decoder: CharsetDecoder,
    _ token: [UInt8]
  ) throws(SourceError) -> [OutgoingPart] {
    let isDivided = ["alternative", "related", "mixed"].contains {
      part.contentType.octets.equalsCaseless("multipart/\($0)".utf8)
    }
    guard part.kind == .multipart, isDivided else { return try kept(part, of: message, decoder) }
    let parts = try bodies(below: part, in: message, decoder, token)
    let parameters = part.contentType.parameters.written.compactMap { name, value -> [UInt8]? in
      guard !name.equalsCaseless("boundary"), OctetScan.isASCII(value[...]) else { return nil }
      return OutgoingParameter.kept(name, value)
    }
    let group = OutgoingMultipart(part.contentType.octets, parameters, parts, token: token)
    return [try OutgoingPart(group)]
  }
}
