package import MIME
internal import Octets
internal import Sendmail

/// A draft as a person edits it: some fields, an empty line, the text.
package enum DraftText {
  /// What was made of the text of a draft.
  package struct Edited: Sendable {
    /// The draft with what was written.
    package var draft: Draft
    /// The files that lines `Attach:` name, as they were typed.
    package var files: [[UInt8]]
  }

  /// Why a text is no draft.
  package enum Problem: Error, Hashable, Sendable {
    /// The line, from 1, is no field, and comes before the empty line.
    case noField(line: Int)
    /// A field of this name cannot be set.
    case reserved(name: [UInt8], line: Int)
    /// What is to be one recipient may be several, as where a comma is missing.
    case badRecipient([UInt8])
    /// A field that can be there once stands there again: which of them counts is not guessed.
    case repeated(name: [UInt8], line: Int)
    /// A line `Attached:` names no attachment of the draft, or one of several.
    case notAttached([UInt8], line: Int)
    /// There is no field at all, as in an empty file.
    case noHeader
    /// The line is neither `Protect: sign`, `Protect: encrypt`, both, nor `Protect: none`.
    case badProtection(line: Int)
    /// The text is not UTF-8.
    case notUTF8
  }

  /// The text of a draft.
  ///
  /// Attachments are lines `Attached:`, which can be deleted; no line of it names a file to be read.
  package static func render(_ draft: Draft) -> [UInt8] {
    var text: [UInt8] = []
    let from = draft.from.map { [Address.mailbox($0)] } ?? []
    let lists: [(StaticString, [Address], Bool)] = [
      ("From", from, true), ("To", draft.to, true), ("Cc", draft.cc, true),
      ("Bcc", draft.bcc, true), ("Reply-To", draft.replyTo, false),
    ]
    for (name, list, isAlways) in lists where isAlways || !list.isEmpty {
      append([UInt8](ascii: name), AddressText.text(list), to: &text)
    }
    append([UInt8](ascii: "Subject"), draft.subject, to: &text)
    if let protection = draft.protection {
      append([UInt8](ascii: "Protect"), protection.text, to: &text)
    }
    for field in draft.extra { append(field.name, field.value, to: &text) }
    for value in AttachedLines(of: draft.attachments).values {
      append([UInt8](ascii: "Attached"), value, to: &text)
    }
    return text + [ASCII.lineFeed] + draft.text
  }

  /// The text of a draft for programs: with the ids that make it an answer.
  ///
  /// `magnum compose -` reads it back.
  package static func template(_ draft: Draft) -> [UInt8] {
    let text = render(draft)
    let end = text.indices.first { index in
      text[index] == ASCII.lineFeed && index + 1 < text.count && text[index + 1] == ASCII.lineFeed
    }
    var header = [UInt8](text[...(end ?? text.count - 1)])
    for (name, ids) in [("In-Reply-To", draft.inReplyTo), ("References", draft.references)]
    where !ids.isEmpty {
      header += OutgoingField([UInt8](name.utf8), ids: ids).octets
    }
    if let origin = draft.origin { header += DraftMessage.field(origin).octets }
    if let concern = DraftMessage.concernField(draft) { header += concern.octets }
    return header + text[header.startIndex.advanced(by: (end ?? text.count - 1) + 1)...]
  }

  /// Whether an editor left nothing: no person empties a draft to send it.
  package static func isMissing(_ text: [UInt8]) -> Bool { text.allSatisfy { $0 <= ASCII.space } }

  private static func checkRecipients(_ value: [UInt8]) throws(Problem) {
    do throws(LetterError) {
      try AddressBook.checkRecipients(in: value)
    } catch {
      guard case .badAddress(let text) = error else { throw .badRecipient(value) }
      throw .badRecipient(text)
    }
  }

  /// What a text says, put into the draft that it was made of.
  ///
  /// A line `Protect:` that is taken out changes nothing: what is to be encrypted stays so.
  /// - Throws: `Problem` where it is no draft.
  package static func parse(
    _ text: [UInt8],
    into base: Draft,
    _ decoder: CharsetDecoder
  ) throws(Problem) -> Edited {
    guard String(validating: text, as: UTF8.self) != nil else { throw .notUTF8 }
    var reader = FieldReader(text)
    var draft = base
    (draft.from, draft.to, draft.cc, draft.bcc, draft.replyTo) = (nil, [], [], [], [])
    (draft.subject, draft.extra) = ([], [])
    var files: [[UInt8]] = []
    var attached = AttachedLines(of: base.attachments)
    var single = SingleFields()
    while let field = try reader.next() {
      try single.check(field.name, line: field.line)
      let isName = { (name: StaticString) in field.name.equalsCaseless(name) }
      let addresses = { Address.list(field.value[...], decoder) }
      if isName("From") {
        draft.from = addresses().flatMap(\.mailboxes).first ?? draft.from
      } else if isName("To") {
        try checkRecipients(field.value)
        draft.to += addresses()
      } else if isName("Cc") {
        try checkRecipients(field.value)
        draft.cc += addresses()
      } else if isName("Bcc") {
        try checkRecipients(field.value)
        draft.bcc += addresses()
      } else if isName("Reply-To") {
        draft.replyTo += addresses()
      } else if isName("Subject") {
        draft.subject = field.value
      } else if isName("Protect") {
        guard let protection = DraftProtection(text: field.value) else {
          throw .badProtection(line: field.line)
        }
        draft.protection = protection
      } else if isName("Attach") {
        if !field.value.isEmpty { files.append(field.value) }
      } else if isName("Attached") {
        guard attached.keep(field.value) else {
          throw .notAttached(field.value, line: field.line)
        }
      } else if let extra = Draft.ExtraField(field.name, field.value) {
        draft.extra.append(extra)
      } else {
        throw .reserved(name: field.name, line: field.line)
      }
    }
    guard !single.areNone else { throw .noHeader }
    draft.attachments = attached.kept
    draft.text = reader.rest
    return Edited(draft: draft, files: files)
  }

  private static func append(_ name: [UInt8], _ value: [UInt8], to text: inout [UInt8]) {
    // A value that was made by a stranger is one line.
    let line = value.map { ASCII.isControl($0) ? ASCII.space : $0 }
    text += name + [ASCII.colon, ASCII.space] + line + [ASCII.lineFeed]
  }
}

/// Refuses a second field of a kind of which there is one.
private struct SingleFields {
  private static let names: [StaticString] = ["From", "Subject", "Protect"]

  private var seen: Set<Int> = []
  /// Whether no field was looked at.
  private(set) var areNone = true

  mutating func check(_ name: [UInt8], line: Int) throws(DraftText.Problem) {
    areNone = false
    guard let index = Self.names.firstIndex(where: { name.equalsCaseless($0) }) else { return }
    guard seen.insert(index).inserted else { throw .repeated(name: name, line: line) }
  }
}

/// Reads the fields above the empty line.
private struct FieldReader {
  private var cursor: Cursor
  private var line = 0

  init(_ text: [UInt8]) {
    cursor = Cursor(text.filter { $0 != ASCII.carriageReturn })
  }

  /// What follows the empty line.
  var rest: [UInt8] { [UInt8](cursor.remaining) }

  /// The next field; nil behind the last.
  mutating func next() throws(DraftText.Problem) -> (name: [UInt8], value: [UInt8], line: Int)? {
    guard let first = takeLine() else { return nil }
    let start = line
    guard !first.isEmpty else { return nil }
    guard let colon = first.firstIndex(of: ASCII.colon), !ASCII.isBlank(first[0]), colon > 0,
      first[..<colon].allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw .noField(line: line) }
    var value = [UInt8](first[(colon + 1)...])
    while let octet = cursor.peek, ASCII.isBlank(octet), let more = takeLine() {
      value += [ASCII.space] + more.drop(while: ASCII.isBlank)
    }
    return ([UInt8](first[..<colon]), [UInt8](value[...].trimmingBlanks), start)
  }

  private mutating func takeLine() -> [UInt8]? {
    guard !cursor.isAtEnd else { return nil }
    line += 1
    let text = cursor.take { $0 != ASCII.lineFeed }
    _ = cursor.skip(ASCII.lineFeed)
    return [UInt8](text)
  }
}

extension ArraySlice<UInt8> {
  /// Without blanks at both ends.
  var trimmingBlanks: ArraySlice<UInt8> {
    var rest = drop(while: ASCII.isBlank)
    while let last = rest.last, ASCII.isBlank(last) { rest.removeLast() }
    return rest
  }
}
