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
