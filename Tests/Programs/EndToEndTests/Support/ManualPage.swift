import TestSupport
import Testing

/// A page of the manual, read as far as tests need it.
struct ManualPage: Sendable, CustomTestStringConvertible {
  static let folder = Fixtures.project("man")

  /// The pages by the names of their files, which end in their sections, in order.
  static let all = Files.names(in: folder).map { String(decoding: $0, as: UTF8.self) }
    .filter { $0.last?.isNumber == true }
    .map(ManualPage.init).sorted { $0.name < $1.name }

  /// The name of the file: `magnum-sync.1`.
  let name: String

  /// The lines of mdoc, empty where there is no such file.
  let lines: [String]

  init(_ name: String) {
    self.name = name
    let text = Files.text("\(Self.folder)/\(name)") ?? ""
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)" }
  }

  var testDescription: String { name }

  /// The titles of the sections.
  var sections: [String] {
    lines.filter { $0.hasPrefix(".Sh ") }.map { String($0.dropFirst(4)) }
  }

  /// The lines of one section.
  func section(_ title: String) -> [String] {
    Array(lines.drop { $0 != ".Sh \(title)" }.dropFirst().prefix { !$0.hasPrefix(".Sh ") })
  }

  /// What stands between `.Bd -literal` and `.Ed`, and in each `.Dl`, as a reader sees it.
  var displays: [String] {
    var displays: [String] = []
    var open: [String]?
    for line in lines {
      if line.hasPrefix(".Bd -literal") {
        open = []
      } else if line == ".Ed", let block = open {
        displays.append(block.joined(separator: "\n"))
        open = nil
      } else if line.hasPrefix(".Dl ") {
        displays.append(Self.shown(line.dropFirst(4)))
      } else {
        open?.append(Self.shown(line[...]))
      }
    }
    return displays
  }

  /// The flags that the lines name: `n` for `Fl n`, `-dry-run` for `Fl -dry-run`.
  static func flags(_ lines: [String]) -> Set<String> {
    Set(
      lines.flatMap { line -> [String] in
        let words = line.split(separator: " ").map { $0.hasPrefix(".") ? $0.dropFirst() : $0 }
        return zip(words, words.dropFirst()).filter { $0.0 == "Fl" }.map { String($0.1) }
      }
    )
  }

  /// The page as one text, escapes undone, to look for words.
  var words: Set<String> {
    let separators: Set<Character> = [" ", "\n", ",", "(", ")", "\"", ":", "{", "}"]
    let text = lines.map { Self.shown($0[...]) }.joined(separator: "\n")
    return Set(text.split { separators.contains($0) }.map { "\($0)" })
  }

  private static func shown(_ line: Substring) -> String {
    var result = ""
    var rest = line
    while let slash = rest.firstIndex(of: "\\") {
      result += rest[..<slash]
      rest = rest[slash...]
      let escapes = [("\\(dq", "\""), ("\\e", "\\"), ("\\&", ""), ("\\-", "-"), ("\\~", " ")]
      guard let (escape, text) = escapes.first(where: { rest.hasPrefix($0.0) }) else {
        result.append(rest.removeFirst())
        continue
      }
      result += text
      rest = rest.dropFirst(escape.count)
    }
    return result + rest
  }
}
