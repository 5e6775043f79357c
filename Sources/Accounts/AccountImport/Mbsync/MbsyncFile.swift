internal import Octets

/// The sections of an mbsyncrc, read as isync does: words with quotes and backslashes, an empty line ends a section.
struct MbsyncFile {
  /// What begins a section.
  enum Kind: String, CaseIterable {
    case account = "imapaccount"
    case imapStore = "imapstore"
    case maildirStore = "maildirstore"
    case channel
    case group
  }

  /// A section with its name.
  struct Section {
    let kind: Kind
    let head: Directive
    var set = DirectiveSet()
    var name: String { head.value }
  }

  /// What stands outside of all sections.
  private(set) var global = DirectiveSet()
  private(set) var sections: [Section] = []
  private(set) var remarks: [Remark] = []

  init(_ file: ForeignFile) {
    var open: Section?
    for (number, line) in file.lines {
      let words: [String]
      switch Self.words(line) {
      case .comment: continue
      case .blank:
        close(&open)
        continue
      case .broken(let reason):
        remarks.append(file.malformed(number, reason))
        continue
      case .words(let found): words = found
      }
      let directive = Directive(
        file: file.name,
        line: number,
        name: words[0],
        arguments: Array(words.dropFirst())
      )
      if let kind = Kind(rawValue: directive.name.lowercased()),
        kind != .channel || open?.kind != .group
      {
        close(&open)
        open = Section(kind: kind, head: directive)
      } else if open != nil {
        open?.set.append(directive)
      } else {
        global.append(directive)
      }
    }
    close(&open)
  }

  private mutating func close(_ section: inout Section?) {
    if let section { sections.append(section) }
    section = nil
  }

  /// The last section of that kind and name; names of different case are different.
  func section(_ kind: Kind, _ name: String) -> Section? {
    sections.last { $0.kind == kind && $0.name.utf8.elementsEqual(name.utf8) }
  }

  // MARK: - Lines

  private enum Line {
    case blank
    case comment
    case broken(String)
    case words([String])
  }

  private static func words(_ line: ArraySlice<UInt8>) -> Line {
    var cursor = Cursor(line)
    var words: [String] = []
    while true {
      _ = cursor.take(while: isSpace)
      guard let first = cursor.peek, first != ASCII.hash else { break }
      guard let word = word(&cursor) else { return .broken("a quote or an escape does not end") }
      guard let text = ForeignFile.text(word) else { return .broken(ForeignFile.notText) }
      words.append(text)
    }
    if !words.isEmpty { return .words(words) }
    return cursor.isAtEnd ? .blank : .comment
  }

  private static func isSpace(_ octet: UInt8) -> Bool {
    octet == ASCII.space || (9...13).contains(octet)
  }

  /// The next word; nil where its quote or escape does not end.
  private static func word(_ cursor: inout Cursor) -> [UInt8]? {
    var word: [UInt8] = []
    var isQuoted = false
    var isEscaped = false
    while let octet = cursor.peek {
      if isEscaped {
        word.append(octet)
        isEscaped = false
      } else if octet == ASCII.backslash {
        isEscaped = true
      } else if octet == ASCII.quote {
        isQuoted.toggle()
      } else if !isQuoted, isSpace(octet) {
        break
      } else {
        word.append(octet)
      }
      _ = cursor.next()
    }
    return isQuoted || isEscaped ? nil : word
  }
}
