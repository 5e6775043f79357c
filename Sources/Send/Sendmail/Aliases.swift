internal import Octets

/// Who is meant by names without a domain, as a text file says it.
///
///     # a comment
///     root:     me@example.org, partner@example.org
///     www-data: root
///     admins:   :include:/etc/magnum/admins
///     default:  me@example.org
///
/// What goes to `/dev/null` is thrown away; a name behind a backslash is not looked up again. Commands and other files
/// are not followed.
package struct Aliases: Hashable, Sendable {
  private var targets: [[UInt8]: [AliasTarget]] = [:]

  /// Names whose mail is thrown away.
  private var discarded: Set<[UInt8]> = []

  /// No aliases.
  package init() {}

  /// The aliases of a file, which is named in errors by its path; lines that are none are skipped.
  package init(_ file: [UInt8], path: [UInt8] = [UInt8](ascii: "aliases")) {
    for (number, line) in Self.lines(file) {
      guard let colon = line.firstIndex(of: ASCII.colon) else { continue }
      let name = AliasTarget.unquoted(AliasTarget.trimmed(line[..<colon])).map(ASCII.lowercased)
      let value = line[(colon + 1)...]
      let whole = AliasTarget.unquoted(AliasTarget.trimmed(value))
      // The last line about a name counts.
      if whole.elementsEqual("/dev/null".utf8) {
        discarded.insert(name)
      } else {
        discarded.remove(name)
      }
      targets[name] = AliasTarget.all(in: value, at: AliasPlace(file: path, line: number))
    }
  }

  /// What stands behind a name, nothing where its mail is thrown away; `nil` when nothing is said about it.
  func targets(of name: [UInt8]) -> [AliasTarget]? {
    let name = name.map(ASCII.lowercased)
    if discarded.contains(name) { return [] }
    return [name, [UInt8](ascii: "default"), [ASCII.asterisk]].lazy
      .compactMap { targets[$0] }.first { !$0.isEmpty }
  }

  /// Lines by the number of their first, with those that go on behind them, comments cut.
  ///
  /// Lines that are blank except for a comment end none.
  private static func lines(_ file: [UInt8]) -> [(number: Int, text: [UInt8])] {
    var lines: [(number: Int, text: [UInt8])] = []
    let all = file.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
    for (index, line) in all.enumerated() {
      let text = AliasTarget.uncommented(line)
      guard !AliasTarget.trimmed(text).isEmpty else { continue }
      if let last = lines.last, goesOn(last.text, in: text) {
        lines[lines.count - 1].text += text
      } else {
        lines.append((index + 1, [UInt8](text)))
      }
    }
    return lines
  }

  /// Whether a line begins with a blank, or is no alias itself and follows one that ends with a comma.
  private static func goesOn(_ last: [UInt8], in line: ArraySlice<UInt8>) -> Bool {
    if let first = line.first, ASCII.isBlank(first) { return true }
    return AliasTarget.trimmed(last[...]).last == ASCII.comma && !isAlias(line)
  }

  /// Whether a line begins with a name and a colon, and not with an address or a list that is included.
  private static func isAlias(_ line: ArraySlice<UInt8>) -> Bool {
    guard let colon = line.firstIndex(of: ASCII.colon), colon > line.startIndex else {
      return false
    }
    return !line[..<colon].contains {
      $0 == ASCII.comma || $0 == ASCII.at || $0 == ASCII.openBracket
    }
  }
}

/// A line of a file of aliases, or of a list that one includes.
package struct AliasPlace: Hashable, Sendable {
  /// The path of the file.
  package let file: [UInt8]

  /// The number of the line, from 1.
  package let line: Int

  package init(file: [UInt8], line: Int) {
    self.file = file
    self.line = line
  }
}

/// Why a file of aliases, or a list that one includes, is not used.
package enum AliasFileProblem: Error, Hashable, Sendable {
  /// The path does not begin with a slash.
  case relative

  /// There is no such file.
  case missing

  /// The system does not let it be read, in its words.
  case unreadable(String)

  /// It is a directory, a pipe or the like.
  case notAFile

  /// It is longer than so many octets.
  case tooLong(limit: Int)

  /// A user who is neither root nor the sender could have written it or put it there: how, and a command that helps.
  case untrusted(String, remedy: String?)

  /// A list without any address.
  case empty

  /// A list that includes itself, or lists in lists too deep.
  case loop
}
