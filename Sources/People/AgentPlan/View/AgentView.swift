internal import Octets
package import Query

/// A folder of an account, as a view takes it: each file lies in one.
package struct ViewedFolder: Hashable, Sendable {
  package let account: [UInt8]
  /// Its directory below the Maildir of the account.
  package let path: [UInt8]
  /// Whether only a query that names it means it: Trash, Junk, Drafts.
  package let needsName: Bool

  package init(account: [UInt8], path: [UInt8], needsName: Bool) {
    (self.account, self.path, self.needsName) = (account, path, needsName)
  }

  /// Finds what lies in it.
  fileprivate var query: Query { .exact(.folder, path) }
}

/// The mail that an agent may see, as queries.
///
/// A message is in it if one of its files fits `read`, and none fits `never`. Files differ in their folders alone, so that each
/// query is taken apart by folders: what it says of places is known of each, and the rest is about the message.
package struct AgentView: Sendable {
  /// Whether a term that names a place means a folder; nil for all other terms.
  package typealias Meaning = (_ term: Query, _ folder: ViewedFolder) -> Bool?

  /// What finds all of it.
  package let query: Query
  /// What has to be found of a message, too, that a file in a folder of the view may be read.
  private let rest: [ViewedFolder: Query]

  /// The view of two queries.
  ///
  /// - Parameters:
  ///   - read: what may be seen.
  ///   - never: what may not, whatever else says.
  ///   - folders: all folders of the accounts.
  ///   - meaning: what terms that name places mean.
  package init(
    read: Query,
    never: Query,
    folders: [ViewedFolder],
    _ meaning: @escaping Meaning
  ) {
    var (rest, kept): ([ViewedFolder: Query], [ViewedFolder: Query]) = ([:], [:])
    for folder in folders {
      let left = never.settled(folder, meaning)
      if left != .nothing { kept[folder] = left }
      guard !folder.needsName || read.names(folder, meaning) else { continue }
      let allowed = read.settled(folder, meaning)
      if allowed != .nothing { rest[folder] = allowed }
    }
    self.rest = rest
    let found = Self.joined(rest, all: folders)
    let hidden = Self.joined(kept, all: folders)
    query = hidden == .nothing ? found : .and([found, .not(hidden)])
  }

  /// Whether a file in a folder may be read, of a message that is in the view: `everything` and `nothing` say it, any other
  /// query has to find the message.
  package func condition(_ folder: ViewedFolder) -> Query { rest[folder] ?? .nothing }

  /// What finds those messages of the view that a query finds, and tells nothing of what lies outside.
  ///
  /// - Throws: `query` where it asks for what is not offered.
  package func within(_ asked: Query, _ meaning: Meaning) throws(ToolFailure) -> Query {
    .and([query, try confined(asked, meaning)])
  }

  private func confined(_ asked: Query, _ meaning: Meaning) throws(ToolFailure) -> Query {
    switch asked {
    case .exact(.path, _), .exact(.file, _), .pattern(_, .path), .revision: throw .query
    case .pattern(let text, _) where Self.isCostly(text): throw .query
    case .thread(let inner): return .thread(.and([query, try confined(inner, meaning)]))
    case .and(let parts): return .and(try confined(parts, meaning))
    case .or(let parts): return .or(try confined(parts, meaning))
    case .xor(let parts): return .xor(try confined(parts, meaning))
    case .not(let part): return .not(try confined(part, meaning))
    case .word(let word, let field, let isExact):
      return Self.openly(field) { .word(word, $0, isExact: isExact) }
    case .phrase(let words, let field): return Self.openly(field) { .phrase(words, $0) }
    case .near(let words, let field, let distance, let isOrdered):
      return Self.openly(field) { .near(words, $0, distance: distance, isOrdered: isOrdered) }
    case .beginning(let word, let field): return Self.openly(field) { .beginning(word, $0) }
    case .everything, .nothing, .wordless, .pattern, .exact, .date, .size:
      return place(asked, meaning) ?? asked
    }
  }

  /// What asks for words in a field, except for those of hidden recipients.
  private static func openly(_ field: TextField?, _ query: (TextField) -> Query) -> Query {
    switch field {
    case nil: .or([.body, .subject, .from, .openTo, .attachment].map(query))
    case .to?: query(.openTo)
    case .cc?: query(.openCc)
    case .bcc?: .nothing
    case let field?: query(field)
    }
  }

  /// Whether a regular expression may take any time and memory: with counts, references to what it found, or very long.
  private static func isCostly(_ pattern: [UInt8]) -> Bool {
    pattern.count > 200 || pattern.contains(ASCII.openBrace)
      || zip(pattern, pattern.dropFirst()).contains { $0 == ASCII.backslash && ASCII.isDigit($1) }
  }

  private func confined(
    _ parts: [Query],
    _ meaning: Meaning
  ) throws(ToolFailure) -> [Query] {
    var result: [Query] = []
    for part in parts { result.append(try confined(part, meaning)) }
    return result
  }

  /// A term that names a place, as the folders of the view that it means; nil for any other term.
  private func place(_ term: Query, _ meaning: Meaning) -> Query? {
    var isPlace = false
    let meant = rest.filter { folder, _ in
      guard let isMeant = meaning(term, folder) else { return false }
      isPlace = true
      return isMeant
    }
    return isPlace ? Self.places(meant.keys) : nil
  }

  // MARK: Folders as queries

  /// Folders with what has to be found in each, as one query.
  private static func joined(_ rest: [ViewedFolder: Query], all: [ViewedFolder]) -> Query {
    let groups = Dictionary(grouping: rest.keys) { rest[$0] ?? .nothing }
    if groups.count == 1, rest.count == all.count, let only = groups.keys.first { return only }
    let parts = groups.map { rest, folders -> (first: ViewedFolder?, query: Query) in
      let places = places(folders)
      return (folders.min(by: precedes), rest == .everything ? places : .and([places, rest]))
    }
    // In an order of their own, so that the same view is the same query.
    let sorted = parts.sorted { one, other in
      guard let left = one.first, let right = other.first else { return false }
      return precedes(left, right)
    }
    return sorted.isEmpty
      ? .nothing : sorted.count == 1 ? sorted[0].query : .or(sorted.map(\.query))
  }

  private static func places(_ folders: some Collection<ViewedFolder>) -> Query {
    let accounts = Dictionary(grouping: folders, by: \.account)
    let parts = accounts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
      account,
      folders in
      Query.and([
        .exact(.account, account), .or(folders.sorted(by: precedes).map(\.query)),
      ])
    }
    return parts.isEmpty ? .nothing : parts.count == 1 ? parts[0] : .or(parts)
  }

  private static func precedes(_ left: ViewedFolder, _ right: ViewedFolder) -> Bool {
    left.account == right.account
      ? left.path.lexicographicallyPrecedes(right.path)
      : left.account.lexicographicallyPrecedes(right.account)
  }
}

extension Query {
  /// What remains of it for a file in a folder, once its terms about places are known.
  ///
  /// What it says of threads is about other messages, and stays.
  fileprivate func settled(_ folder: ViewedFolder, _ meaning: AgentView.Meaning) -> Query {
    switch self {
    case .and(let parts):
      let rest = parts.map { $0.settled(folder, meaning) }.filter { $0 != .everything }
      if rest.contains(.nothing) { return .nothing }
      return rest.isEmpty ? .everything : rest.count == 1 ? rest[0] : .and(rest)
    case .or(let parts):
      let rest = parts.map { $0.settled(folder, meaning) }.filter { $0 != .nothing }
      if rest.contains(.everything) { return .everything }
      return rest.isEmpty ? .nothing : rest.count == 1 ? rest[0] : .or(rest)
    case .xor(let parts):
      let rest = parts.map { $0.settled(folder, meaning) }.filter { $0 != .nothing }
      let isOdd = rest.count { $0 == .everything } % 2 == 1
      let open = rest.filter { $0 != .everything }
      if open.isEmpty { return isOdd ? .everything : .nothing }
      let joined: Query = open.count == 1 ? open[0] : .xor(open)
      return isOdd ? .not(joined) : joined
    case .not(let part):
      let rest = part.settled(folder, meaning)
      return rest == .everything ? .nothing : rest == .nothing ? .everything : .not(rest)
    case .everything, .nothing, .word, .phrase, .near, .beginning, .wordless, .pattern, .exact,
      .date, .size, .revision, .thread:
      return meaning(self, folder).map { $0 ? .everything : .nothing } ?? self
    }
  }

  /// Whether it names a folder anywhere but in what it denies.
  fileprivate func names(
    _ folder: ViewedFolder,
    _ meaning: AgentView.Meaning,
    isDenied: Bool = false
  ) -> Bool {
    switch self {
    case .and(let parts), .or(let parts), .xor(let parts):
      parts.contains { $0.names(folder, meaning, isDenied: isDenied) }
    case .not(let part): part.names(folder, meaning, isDenied: !isDenied)
    case .everything, .nothing, .word, .phrase, .near, .beginning, .wordless, .pattern, .exact,
      .date, .size, .revision, .thread:
      !isDenied && namesPlace && meaning(self, folder) == true
    }
  }

  /// The account of a folder is not its name.
  private var namesPlace: Bool { if case .exact(.account, _) = self { false } else { true } }
}
