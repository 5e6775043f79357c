internal import Octets

/// What is done to a message when it is sent, so that others can neither forge nor read it.
package struct DraftProtection: Hashable, Sendable {
  /// One of these things, as people and programs write it.
  package enum Word: String, CaseIterable, Sendable {
    case sign, encrypt
    case ifPossible = "if-possible"
  }

  /// Whether it is signed.
  package var signs: Bool
  /// Whether it is encrypted.
  package var encrypts: Bool
  /// Whether it is still to be decided whether it is encrypted: it is if all recipients have a certified key.
  package var isOpen = false

  package init(signs: Bool = false, encrypts: Bool = false) {
    self.signs = signs
    self.encrypts = encrypts
  }

  /// What a line `Protect: sign, encrypt` or `Protect: sign, if-possible` asks for; nil where it holds any other word.
  ///
  /// An empty line and the word `none` ask for neither.
  package init?(text: [UInt8]) {
    self.init()
    let words = text.split(separator: ASCII.comma, omittingEmptySubsequences: false)
      .map { $0.trimmingBlanks }
    if words.count == 1, words[0].isEmpty || words[0].equalsCaseless("none") { return }
    for word in words {
      guard let word = Word.allCases.first(where: { word.equalsCaseless($0.rawValue.utf8) }) else {
        return nil
      }
      add(word)
    }
  }

  /// What an array of words in JSON asks for; nil where one of them is neither.
  package init?(words: [String]) {
    self.init()
    for word in words {
      guard let word = Word(rawValue: word) else { return nil }
      add(word)
    }
  }

  private mutating func add(_ word: Word) {
    switch word {
    case .sign: signs = true
    case .encrypt: (encrypts, isOpen) = (true, false)
    case .ifPossible: isOpen = !encrypts
    }
  }

  /// What is done, in the order in which it is written.
  package var words: [Word] {
    (signs ? [.sign] : []) + (encrypts ? [.encrypt] : isOpen ? [.ifPossible] : [])
  }

  /// Whether nothing is done for certain.
  package var isEmpty: Bool { !signs && !encrypts }

  /// The value of a line that asks for this.
  package var text: [UInt8] {
    let words = words.isEmpty ? ["none"] : words.map(\.rawValue)
    return [UInt8](words.joined(separator: ", ").utf8)
  }
}
