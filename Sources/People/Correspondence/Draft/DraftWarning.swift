internal import Octets

/// What a person may have forgotten.
package enum DraftWarning: Hashable, Sendable, CaseIterable {
  /// The text speaks of an attachment, and there is none.
  case noAttachment
  /// There is no subject.
  case noSubject

  /// What is to be said about it.
  package var text: String {
    switch self {
    case .noAttachment: "the text mentions an attachment, but none is attached"
    case .noSubject: "the message has no subject"
    }
  }

  /// What may have been forgotten in a draft.
  package static func all(in draft: Draft) -> [DraftWarning] {
    var warnings: [DraftWarning] = []
    if draft.attachments.isEmpty, speaksOfAttachment(draft.text) { warnings.append(.noAttachment) }
    if draft.subject.allSatisfy(ASCII.isBlank) { warnings.append(.noSubject) }
    return warnings
  }

  /// Words for what is attached, in small letters, in the languages with most mail.
  private static let words: [[UInt8]] = [
    "attached", "attachment", "enclosed", "anhang", "angehängt", "anbei", "beigefügt",
    "ci-joint", "pièce jointe", "adjunto", "adjunta", "allegato", "allego", "bijlage", "em anexo",
    "прикреп", "вложени", "załącz", "bifogar", "bifogad", "vedlagt", "liitteenä",
  ].map { Array($0.utf8) }

  /// Only what the person wrote counts: not what is quoted or passed on, nor the signature.
  private static func speaksOfAttachment(_ text: [UInt8]) -> Bool {
    for line in text.split(separator: ASCII.lineFeed) where line.first != ASCII.greaterThan {
      if line.elementsEqual("-- ".utf8) || line.starts(with: "---------- Forwarded".utf8) { break }
      let small = [UInt8](String(decoding: line, as: UTF8.self).lowercased().utf8)
      if words.contains(where: { holds(small, $0) }) { return true }
    }
    return false
  }

  /// Whether a word is in a line; a text may have many lines.
  private static func holds(_ line: [UInt8], _ word: [UInt8]) -> Bool {
    var rest = line[...]
    while let start = OctetScan.firstIndex(of: word[0], in: rest) {
      if line[start...].starts(with: word) { return true }
      rest = line[(start + 1)...]
    }
    return false
  }
}
