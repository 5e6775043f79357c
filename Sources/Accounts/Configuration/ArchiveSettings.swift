internal import Octets

/// A section `[archive.NAME]`: mail on another machine that searches find too.
package struct ArchiveSettings: Hashable, Sendable {
  package let name: String

  /// The command that is connected to it by its standard input and output: `magnum-search --serve` there.
  package internal(set) var command: [String] = []

  /// Seconds to wait for a sign of it.
  package internal(set) var timeout = 10

  static let section = "archive"
  static let commandRemedy =
    "write command = [\"ssh\", \"HOST\", \"magnum-search\", \"--serve\"]"

  init(name: String) {
    self.name = name
  }

  /// Reads an entry of the section.
  mutating func readEntry(_ entry: TOMLEntry) throws(Mistake) {
    switch entry.key {
    case "command": command = try Self.command(entry.value)
    case "timeout": timeout = try Self.seconds(entry.value)
    case let other:
      let near = Suggestion.nearest(to: other, among: ["command", "timeout"])
      throw Mistake(.unknownKey, remedy: near.map { "did you mean \"\($0)\"?" })
    }
  }

  private static func seconds(_ value: TOMLNode) throws(Mistake) -> Int {
    guard case .integer(let number) = value else {
      throw Mistake(.wrongType(expected: "an integer", found: value.typeName))
    }
    guard (1...3600).contains(number) else {
      throw .badValue("must be 1 to 3600, not \(number)")
    }
    return number
  }

  private static func command(_ value: TOMLNode) throws(Mistake) -> [String] {
    let words = try value.words()
    guard let program = words.first, !program.isEmpty else {
      throw .badValue("must name a program")
    }
    return words
  }
}
