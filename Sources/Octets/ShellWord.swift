/// Words for a shell.
package enum ShellWord {
  /// The word as a person would write it: in quotes where it needs some; a leading `~/` keeps its meaning.
  package static func quoted(_ word: String) -> String {
    let isHome = word.hasPrefix("~/")
    let rest = isHome ? String(word.dropFirst(2)) : word
    let isPlain = rest.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "/._-+,:@%".utf8.contains($0)
    }
    return (isHome ? "~/" : "") + (isPlain && !rest.isEmpty ? rest : inQuotes(rest))
  }

  /// The word in single quotes, whatever it is, as sh, bash, zsh and fish read them.
  package static func inQuotes(_ word: String) -> String {
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "'\\''") + "'"
  }

  /// A command of these words, each in single quotes.
  package static func command(_ words: [String]) -> String {
    words.map(inQuotes).joined(separator: " ")
  }
}
