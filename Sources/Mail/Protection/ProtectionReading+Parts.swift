package import MIME

// Which parts of a message may be shown or quoted, and how: one answer for all that do.
extension ProtectionReading {
  /// Whether nothing of a part is to be shown.
  package func isHidden(_ part: Part) -> Bool { contains(part, in: hidden) }

  /// What becomes of links in a part.
  package func links(in part: Part) -> PlainText.Links {
    contains(part, in: unauthenticated) ? .omitted : .shown
  }

  /// The text of a part for reading; nil for a part that is no text, or is hidden.
  ///
  /// `limit` is how many octets of the body are read, as it is written.
  package func plainText(
    of part: Part,
    _ decoder: CharsetDecoder,
    limit: Int = .max
  ) -> [UInt8]? {
    isHidden(part) ? nil : part.plainText(decoder, links: links(in: part), limit: limit)
  }

  /// What is attached to a message, or to one inside: without what is hidden, or only says how the next part is encrypted.
  package func attachments(of root: Part) -> [Part] {
    root.attachments.filter { !isHidden($0) && !isControl($0) }
  }

  private func isControl(_ part: Part) -> Bool {
    guard part.contentType.isType("application", "pgp-encrypted") else { return false }
    return encryptions.contains { encryption in
      message.part(at: encryption.part.path)?.children.contains { $0.section == part.section }
        ?? false
    }
  }

  private func contains(_ part: Part, in sections: Set<Section>) -> Bool {
    part.section.map(sections.contains) ?? false
  }
}
