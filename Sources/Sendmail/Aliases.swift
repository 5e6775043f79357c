internal import Octets

/// Who is meant by names without a domain, as a text file says it.
///
///     # a comment
///     root:     me@example.org, partner@example.org
///     www-data: root
///     default:  me@example.org
///
/// A file `/dev/null` is nobody at all; a name behind a backslash is not looked up again. Commands, other files and
/// `:include:` are not followed.
package struct Aliases: Hashable, Sendable {
  private var targets: [[UInt8]: [[UInt8]]] = [:]

  /// Names whose mail nobody gets.
  private var discarded: Set<[UInt8]> = []

  /// Nobody but those who have an address.
  package init() {}

  /// The aliases of a file; lines that are none are passed over.
  package init(_ file: [UInt8]) {
    for line in Self.lines(file) {
      guard let colon = line.firstIndex(of: ASCII.colon) else { continue }
      let name = Self.unquoted(Self.trimmed(line[..<colon])).map(ASCII.lowercased)
      let all = Self.split(line[(colon + 1)...]).map { Self.unquoted(Self.trimmed($0)) }
      if all == [[UInt8](ascii: "/dev/null")] { discarded.insert(name) }
      targets[name] = all.filter { target in
        guard let first = target.first else { return false }
        return first != ASCII.slash && first != UInt8(ascii: "|") && first != ASCII.colon
      }
    }
  }

  /// The names that stand behind a name, none where its mail is thrown away; `nil` when nothing is said about it.
  func targets(of name: [UInt8]) -> [[UInt8]]? {
    let name = name.map(ASCII.lowercased)
    if discarded.contains(name) { return [] }
    return [name, [UInt8](ascii: "default"), [ASCII.asterisk]].lazy
      .compactMap { targets[$0] }.first { !$0.isEmpty }
  }

  /// Lines with those that go on behind them, comments cut.
  private static func lines(_ file: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for line in file.split(separator: ASCII.lineFeed) {
      let text = line.prefix { $0 != ASCII.hash && $0 != ASCII.carriageReturn }
      if let first = text.first, ASCII.isBlank(first), !lines.isEmpty {
        lines[lines.count - 1] += text
      } else {
        lines.append([UInt8](text))
      }
    }
    return lines
  }

  /// What stands between commas that are not in quotes.
  private static func split(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var isQuoted = false
    return text.split { octet in
      if octet == ASCII.quote { isQuoted.toggle() }
      return octet == ASCII.comma && !isQuoted
    }
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text.drop(while: ASCII.isBlank)
    while let last = text.last, ASCII.isBlank(last) { text.removeLast() }
    return text
  }

  /// A text that is in quotes as a whole, without them.
  private static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let isWhole =
      text.count > 1 && text.first == ASCII.quote && text.last == ASCII.quote
      && !text.dropFirst().dropLast().contains(ASCII.quote)
    return [UInt8](isWhole ? text.dropFirst().dropLast() : text)
  }
}
