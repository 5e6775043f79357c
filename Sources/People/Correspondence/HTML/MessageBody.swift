package import MIME
package import Octets

/// What a message has in place of the text of its draft.
package enum MessageBody: Sendable {
  /// The text alone.
  case text
  /// The text and the same as HTML.
  case page(OutgoingHTML, OutgoingPart.HTMLSource)
  /// What a program wrote, as it is.
  case given([OutgoingPart])

  /// The body of a message that a program wrote, with all that is attached to it.
  ///
  /// - Parameters:
  ///   - content: the message.
  ///   - decoder: for names.
  /// - Throws: `SourceError` where it cannot be read.
  package init(
    of content: StreamedMessage,
    _ decoder: CharsetDecoder
  ) throws(SourceError) {
    self = .given(try OutgoingPart.bodies(of: content, decoder, token: [UInt8](ascii: "given")))
  }

  /// How many octets it has besides the text of the draft and its attachments.
  var givenSize: Int {
    guard case .given(let parts) = self else { return 0 }
    return parts.reduce(0) { $0 + $1.size }
  }

  /// The parts of the message.
  ///
  /// - Parameters:
  ///   - parts: those of the draft: its text, and what is attached.
  ///   - token: letters and digits for boundaries.
  /// - Returns: its parts.
  /// - Throws: `SourceError` where what is attached cannot be read.
  func parts(
    beside parts: [OutgoingPart],
    token: [UInt8]
  ) throws(SourceError) -> [OutgoingPart] {
    switch self {
    case .text: return parts
    case .given(let given): return given + parts.dropFirst()
    case .page(let html, let source):
      guard let text = parts.first else { return parts }
      let attached = [OutgoingPart](parts.dropFirst())
      return try OutgoingPart.bodies(text, html, source, attached: attached, token: token)
    }
  }
}
