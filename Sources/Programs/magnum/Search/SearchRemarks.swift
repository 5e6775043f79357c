internal import MailModel
internal import Configuration
internal import Octets
internal import Query
internal import SearchIndex
internal import Terminal

/// What is said where a query finds nothing: that a word in it may not mean what it was meant to.
struct SearchRemarks {
  private let set: SearchSet

  /// Remarks on queries that this set has no answer to.
  init(_ set: SearchSet) {
    self.set = set
  }

  /// A line for each word that is to blame.
  func lines(_ text: String, _ query: Query) -> [String] {
    let octets = Array(text.utf8)
    return UnknownField.all(in: octets).map(line) + OddTerm.all(in: octets, query).map(line)
      + terms(in: query).compactMap(line)
  }

  private func line(_ term: OddTerm) -> String {
    switch term {
    case .wordless(let text):
      "\"\(Printable.text(text.utf8))\" has no word in it that could be found"
    case .backward(let field): "the range of \"\(field):\" ends before it begins"
    }
  }

  private func line(_ field: UnknownField) -> String {
    let near = Suggestion.nearest(to: field.name, among: UnknownField.known).map { "\($0):" }
    let name = Printable.text(field.name.utf8)
    return "\"\(name):\" is no field, and was taken for a word" + meant(field.meaning ?? near)
  }

  /// What is said of a name that nothing has; nil for one that only has no messages now.
  private func line(_ field: ExactField, _ value: [UInt8]) -> String? {
    guard (try? set.count(.exact(field, value))) == 0 else { return nil }
    let name = String(decoding: value, as: UTF8.self)
    let shown = Printable.text(value)
    switch field {
    case .folder, .path:
      // It is there, and what is looked for does not lie in it.
      if (try? set.vocabulary().folders)?.contains(value) == true { return nil }
      return "there is no folder \"\(shown)\"" + meant(folder(near: name).map(Self.quoted))
    case .account:
      let known = set.readers.compactMap(\.account)
      let explanation = Explanation(unknownAccount: shown, known: known)
      let parts = [explanation.what, explanation.hint].compactMap(\.self)
      return known.contains(name) ? nil : parts.joined(separator: "; ")
    case .tag where !Tag.known.contains(name.lowercased()):
      return "no message has the tag \"\(shown)\"" + meant(tag(near: name))
    default: return nil
    }
  }

  /// The words of other programs for tags.
  private static let synonyms = [
    "starred": "flagged", "star": "flagged", "marked": "flagged", "important": "flagged",
    "new": "unread", "unseen": "unread", "recent": "unread", "trash": "trashed",
    "forward": "forwarded", "reply": "replied", "attachments": "attachment",
  ]

  private func tag(near name: String) -> String? {
    let tags = ((try? set.vocabulary().tags) ?? []).map(\.rawValue).sorted()
    return Self.synonyms[name.lowercased()] ?? Suggestion.nearest(to: name, among: Tag.known + tags)
  }

  /// A folder of that name in other letters, one of that name further down, or one of nearly that name.
  private func folder(near name: String) -> String? {
    let folders = ((try? set.vocabulary().folders) ?? [])
      .map { String(decoding: $0, as: UTF8.self) }.sorted()
    let small = name.lowercased()
    return folders.first { $0.lowercased() == small }
      ?? folders.first { $0.lowercased().hasSuffix("/" + small) }
      ?? Suggestion.nearest(to: name, among: folders)
  }

  private static func quoted(_ name: String) -> String {
    let shown = Printable.text(name.utf8)
    return name.utf8.contains(ASCII.space) ? "\"\(shown)\"" : shown
  }

  private func meant(_ word: String?) -> String { word.map { "; did you mean \($0)?" } ?? "" }

  private func terms(in query: Query) -> [(ExactField, [UInt8])] {
    switch query {
    case .exact(let field, let value): [(field, value)]
    case .and(let parts), .or(let parts), .xor(let parts): parts.flatMap(terms)
    case .thread(let inner): terms(in: inner)
    default: []
    }
  }
}
