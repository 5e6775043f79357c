internal import Octets

/// Who is meant by names without a domain, as a text file says it.
///
///     # a comment
///     root:     me@example.org, partner@example.org
///     www-data: root
///     default:  me@example.org
///
/// Commands, files and `:include:` are not followed.
package struct Aliases: Hashable, Sendable {
  private var targets: [[UInt8]: [[UInt8]]] = [:]

  /// Nobody but those who have an address.
  package init() {}

  /// The aliases of a file; lines that are none are passed over.
  package init(_ file: [UInt8]) {
    for line in Self.lines(file) {
      guard let colon = line.firstIndex(of: ASCII.colon) else { continue }
      let name = Self.trimmed(line[..<colon]).map(ASCII.lowercased)
      let all = line[(colon + 1)...].split(separator: ASCII.comma).map(Self.trimmed)
      targets[name] = all.filter { target in
        guard let first = target.first else { return false }
        return first != ASCII.slash && first != UInt8(ascii: "|") && first != ASCII.colon
      }
    }
  }

  /// The names that stand behind a name; `nil` when nothing is said about it.
  func targets(of name: [UInt8]) -> [[UInt8]]? {
    let name = name.map(ASCII.lowercased)
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

  private static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var text = text.drop { ASCII.isBlank($0) || $0 == ASCII.quote }
    while let last = text.last, ASCII.isBlank(last) || last == ASCII.quote { text.removeLast() }
    return [UInt8](text)
  }
}
