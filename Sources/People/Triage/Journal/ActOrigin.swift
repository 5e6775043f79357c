internal import Octets

/// Who asked for an act.
package enum ActOrigin: Hashable, Sendable {
  /// A person, by a command.
  case person
  /// The agent of that name, by `magnum mcp`.
  case agent(String)
  /// A part of the program that acts by itself, by its word in the journal; those of later versions, too.
  case program([UInt8])

  private static let agentMark = [UInt8](ascii: "mcp:")

  /// The origin of a word in the journal.
  init(word: [UInt8]) {
    let isAgent = word.starts(with: Self.agentMark)
    let name = String(decoding: word.dropFirst(Self.agentMark.count), as: UTF8.self)
    self = isAgent ? .agent(name) : .program(word)
  }

  /// Its word in the journal, and in JSON; nil for a person.
  package var word: [UInt8]? {
    switch self {
    case .person: nil
    case .agent(let name): Self.agentMark + name.utf8
    case .program(let word): word
    }
  }
}
