internal import Glibc

/// A regular expression (POSIX extended), compiled.
package final class TextPattern {
  private var compiled = regex_t()

  /// - Throws: `pattern` where it is none, with the system's words.
  package init(_ pattern: [UInt8]) throws(IndexError) {
    let text = pattern.map { CChar(bitPattern: $0) } + [0]
    let code = regcomp(&compiled, text, REG_EXTENDED | REG_NOSUB)
    guard code == 0 else {
      var words = [CChar](repeating: 0, count: 200)
      regerror(code, &compiled, &words, words.count)
      let octets = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw .pattern(String(decoding: octets, as: UTF8.self))
    }
  }

  deinit {
    regfree(&compiled)
  }

  /// Whether it fits somewhere in a text.
  package func fits(_ text: [UInt8]) -> Bool {
    // What lies behind a NUL is not seen.
    regexec(&compiled, text.map { CChar(bitPattern: $0) } + [0], 0, nil, 0) == 0
  }
}
