internal import Octets

/// Words for a shell that a person copies.
package enum ShellWord {
  /// The word in quotes where it needs some; a leading `~/` keeps its meaning.
  package static func quoted(_ word: String) -> String {
    let isHome = word.hasPrefix("~/")
    let rest = isHome ? String(word.dropFirst(2)) : word
    let isPlain = rest.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "/._-+,:@%".utf8.contains($0)
    }
    let text =
      isPlain && !rest.isEmpty
      ? rest
      : "'\(rest.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    return (isHome ? "~/" : "") + text
  }
}
