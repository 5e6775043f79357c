internal import Octets

/// Which of several renderings of one text is wanted (RFC 2046 §5.1.4).
package enum BodyPreference: Sendable, Hashable {
  /// Plain text if there is any with something in it.
  case plain
  /// HTML if there is any.
  case html

  /// What is to be read of the part, in order: texts, of alternatives one, and messages inside.
  func readable(_ part: Part) -> [Part] {
    switch part.role {
    case .body: [part]
    case .container where part.contentType.isType("multipart", "alternative"): choose(part)
    case .container: joined(part.children)
    case .attachment where part.kind == .message: [part]
    case .inline, .attachment, .signature: []
    }
  }

  /// What is to be read of parts that stand side by side: Outlook writes the text into its own file once more.
  private func joined(_ parts: [Part]) -> [Part] {
    let texts = parts.map { readable($0) }
    guard parts.contains(where: \.isTNEF) else { return texts.flatMap { $0 } }
    let hasOther = zip(parts, texts).contains { part, texts in
      !part.isTNEF && texts.contains { $0.kind == .leaf && !isBlank($0) }
    }
    return zip(parts, texts).flatMap { part, texts in
      hasOther && part.isTNEF ? texts.filter { $0.kind != .leaf } : texts
    }
  }

  private func choose(_ part: Part) -> [Part] {
    let choices = part.children.map { readable($0) }.filter { !$0.isEmpty }
    let found = choices.last { choice in
      choice.contains { isWanted($0.contentType) && !isBlank($0) }
    }
    return found ?? choices.last { !$0.allSatisfy(isBlank) } ?? choices.last ?? []
  }

  private func isWanted(_ type: ContentType) -> Bool {
    self == .plain ? type.isType("text", "plain") : type.isHTML
  }

  /// Whether a text has nothing to see: white space, no-break spaces among it, in whatever encoding.
  private func isBlank(_ part: Part) -> Bool {
    guard part.kind == .leaf else { return false }
    if part.contentType.isHTML { return isBlankPage(part) }
    // Of what is long, the beginning tells mostly.
    let start = part.encoding.decode(part.body.prefix(1000))
    guard start.allSatisfy(Self.isBlank) else { return false }
    return part.body.count <= 1000 || part.decoded.allSatisfy(Self.isBlank)
  }

  /// Pages longer than this have something to see; octets.
  private static let pageLimit = 1 << 16

  private func isBlankPage(_ part: Part) -> Bool {
    guard part.body.count <= Self.pageLimit else { return false }
    return PlainText.render(part.decoded, links: .omitted).isEmpty
  }

  /// No-break space is A0 in most charsets of one octet, and C2 A0 in UTF-8.
  private static func isBlank(_ octet: UInt8) -> Bool {
    octet <= ASCII.space || octet == 0xA0 || octet == 0xC2
  }
}
