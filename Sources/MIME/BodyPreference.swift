internal import Octets

/// Which of several renderings of one text is wanted (RFC 2046 §5.1.4).
package enum BodyPreference: Sendable, Hashable {
  /// Plain text if there is any with something in it.
  case plain
  /// HTML if there is any.
  case html

  /// The texts below the part, of alternatives one.
  func bodies(_ part: Part) -> [Part] {
    switch part.role {
    case .body: [part]
    case .container where part.contentType.isType("multipart", "alternative"): choose(part)
    case .container: part.children.flatMap { bodies($0) }
    case .inline, .attachment, .signature: []
    }
  }

  private func choose(_ part: Part) -> [Part] {
    let choices = part.children.map { bodies($0) }.filter { !$0.isEmpty }
    let wanted: StaticString = self == .plain ? "plain" : "html"
    let found = choices.last { choice in
      choice.contains { $0.contentType.isType("text", wanted) && !Self.isBlank($0) }
    }
    return found ?? choices.last { !$0.allSatisfy(Self.isBlank) } ?? choices.last ?? []
  }

  private static func isBlank(_ part: Part) -> Bool {
    part.body.allSatisfy { $0 <= ASCII.space }
  }
}
