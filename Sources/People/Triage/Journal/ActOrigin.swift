internal import Octets

/// Who asked for an act.
package enum ActOrigin: Hashable, Sendable {
  /// A person, by a command.
  case person
  /// The agent of that name, by `magnum mcp`.
  case agent(String)
  /// The rule of that name, for a message that came.
  case rule(String)
  /// A part of the program that acts by itself, by its word in the journal; those of later versions, too.
  case program([UInt8])

  private static let (agentMark, ruleMark) = ([UInt8](ascii: "mcp:"), [UInt8](ascii: "rule:"))

  /// The origin of a word in the journal.
  init(word: [UInt8]) {
    func name(behind mark: [UInt8]) -> String? {
      guard word.starts(with: mark) else { return nil }
      return String(decoding: word.dropFirst(mark.count), as: UTF8.self)
    }
    self =
      name(behind: Self.agentMark).map { .agent($0) }
      ?? name(behind: Self.ruleMark).map { .rule($0) } ?? .program(word)
  }

  /// Its word in the journal, and in JSON; nil for a person.
  package var word: [UInt8]? {
    switch self {
    case .person: nil
    case .agent(let name): Self.agentMark + name.utf8
    case .rule(let name): Self.ruleMark + name.utf8
    case .program(let word): word
    }
  }
}
