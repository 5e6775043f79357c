internal import Octets
internal import Query
internal import SearchIndex

/// What of a query says which files of a message are meant, and not only which messages.
struct QueryScope {
  /// The files that it means.
  enum Copies {
    /// It says nothing about files.
    case any
    /// Those that it names.
    case named(CopyTest)
    /// It names places, but does not say of each message which of its files is meant.
    case unclear
  }

  let copies: Copies

  /// The files that it names anywhere but in what it denies.
  let places: [CopyTest]

  /// Whether it asks for threads, and for nothing else.
  let isThread: Bool

  init(_ query: Query) {
    copies = Self.copies(query)
    places = Self.places(query, isDenied: false)
    isThread = Self.isThread(query)
  }

  private static func places(_ query: Query, isDenied: Bool) -> [CopyTest] {
    switch query {
    case .and(let parts), .or(let parts), .xor(let parts):
      parts.flatMap { places($0, isDenied: isDenied) }
    case .not(let part): places(part, isDenied: !isDenied)
    case .everything, .nothing, .word, .phrase, .near, .beginning, .wordless, .pattern, .exact,
      .date, .size, .revision, .thread:
      if !isDenied, case .named(let test) = copies(query) { [test] } else { [] }
    }
  }

  private static func copies(_ query: Query) -> Copies {
    switch query {
    case .exact(.folder, let name): return .named(.folder(name))
    case .exact(.path, let path): return .named(.path(path))
    case .exact(.file, let name): return .named(.file(name))
    case .exact(.tag, let name):
      return name == inboxTag ? .named(.folder([UInt8](ascii: "INBOX"))) : .any
    case .pattern(let text, .folder), .pattern(let text, .path):
      return (try? TextPattern(text)).map { .named(.pattern($0)) } ?? .unclear
    case .and(let parts): return copies(ofAll: parts)
    case .or(let parts): return copies(ofAny: parts)
    case .xor(let parts): return parts.contains { namesPlaces($0) } ? .unclear : .any
    // What is found has no file in such a place.
    case .not(let part): return isInvolved(part) ? .unclear : .any
    case .everything, .nothing, .word, .phrase, .near, .beginning, .wordless, .pattern, .exact,
      .date, .size, .revision, .thread:
      return .any
    }
  }

  private static func copies(ofAll parts: [Query]) -> Copies {
    var tests: [CopyTest] = []
    for part in parts {
      switch copies(part) {
      case .any: continue
      case .named(let test): tests.append(test)
      case .unclear: return .unclear
      }
    }
    guard let first = tests.first else { return .any }
    return .named(tests.count == 1 ? first : .all(tests))
  }

  /// Where some of the parts name places, and others do not, it is not known which of them a message was found by.
  private static func copies(ofAny parts: [Query]) -> Copies {
    var tests: [CopyTest] = []
    var isUnclear = false
    for part in parts {
      switch copies(part) {
      case .any: continue
      case .named(let test):
        tests.append(test)
        if namesPlaces(part) { isUnclear = true }
      case .unclear: isUnclear = true
      }
    }
    if tests.count == parts.count { return .named(.any(tests)) }
    return isUnclear ? .unclear : .any
  }

  private static let inboxTag = [UInt8](ascii: "inbox")

  /// Whether there are folders, paths or files in it; the tag of the inbox is as good as any other tag.
  private static func namesPlaces(_ query: Query) -> Bool {
    switch query {
    case .exact(.folder, _), .exact(.path, _), .exact(.file, _), .pattern(_, .folder),
      .pattern(_, .path):
      true
    case .and(let parts), .or(let parts), .xor(let parts): parts.contains { namesPlaces($0) }
    case .not(let part): namesPlaces(part)
    case .everything, .nothing, .word, .phrase, .near, .beginning, .wordless, .pattern, .exact,
      .date, .size, .revision, .thread:
      false
    }
  }

  /// Whether places are named in it in another way than as what is found, and so as it may be where it is denied.
  private static func isInvolved(_ query: Query) -> Bool {
    switch query {
    case .and(let parts), .or(let parts): parts.contains { isInvolved($0) }
    case .xor, .not: namesPlaces(query)
    case .everything, .nothing, .word, .phrase, .near, .beginning, .wordless, .pattern, .exact,
      .date, .size, .revision, .thread:
      false
    }
  }

  private static func isThread(_ query: Query) -> Bool {
    switch query {
    case .exact(.thread, _), .thread: true
    case .or(let parts): parts.allSatisfy { isThread($0) }
    default: false
    }
  }
}
