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

  /// A line for a shell without line ends in it, which does the same.
  package static func oneLine(_ line: String) -> String {
    guard line.utf8.contains(where: ASCII.isControl) else { return line }
    let octets = line.utf8.flatMap { octet -> [UInt8] in
      guard ASCII.isControl(octet) || "\\%'".utf8.contains(octet) else { return [octet] }
      let digits = Array(String(octet, radix: 8).utf8)
      return [ASCII.backslash] + [UInt8](repeating: ASCII.zero, count: 3 - digits.count) + digits
    }
    return "eval \"$(printf '\(String(decoding: octets, as: UTF8.self))')\""
  }

  /// A command of these words, each in single quotes.
  package static func command(_ words: [String]) -> String {
    words.map(inQuotes).joined(separator: " ")
  }
}

/// Octets from strangers as words of other languages, in which they are data whatever they are.
package enum ScriptWord {
  /// A string of mutt's commands, of Vim's scripts, and of Emacs Lisp, which read this form alike.
  ///
  /// It is in double quotes. Each octet below 128 is written as `\` and three octal digits, except for letters, digits and
  /// `/._-+,:@%`.
  package static func octalQuoted(_ octets: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [ASCII.quote]
    for octet in octets {
      if isPlain(octet) {
        result.append(octet)
      } else {
        let digits = [octet >> 6, octet >> 3 & 7, octet & 7].map { $0 + UInt8(ascii: "0") }
        result += [ASCII.backslash] + digits
      }
    }
    return result + [ASCII.quote]
  }

  /// A word of sh, bash, zsh and fish: in single quotes, each of which in the word stands outside of them behind a `\`.
  package static func shellQuoted(_ octets: [UInt8]) -> [UInt8] {
    let mark = UInt8(ascii: "'")
    return [mark] + octets.flatMap { $0 == mark ? [mark, ASCII.backslash, mark, mark] : [$0] } + [
      mark
    ]
  }

  private static func isPlain(_ octet: UInt8) -> Bool {
    octet >= 0x80 || ASCII.isLetter(octet) || ASCII.isDigit(octet)
      || "/._-+,:@%".utf8.contains(octet)
  }
}
