internal import Query
internal import SearchIndex

/// Which messages a search leaves out, as notmuch's search.exclude_tags and --exclude have it.
struct Exclusion: Hashable {
  /// What becomes of messages with a tag that is left out.
  enum Mode: String {
    /// They are not found, but shown in the threads of others.
    case match = "true"
    /// They are not even shown.
    case all
    /// They are found like any other.
    case off = "false"
    /// They are found, but not counted among the messages found of a thread.
    case flag
  }

  /// The values of the option: modes, the last of which counts, and tags.
  var words: [String] = []

  private var mode: Mode { words.last { Mode(rawValue: $0) != nil }.flatMap(Mode.init) ?? .match }

  /// The tags that are left out of what a query finds, unless it names them; `usual` are those of the configuration.
  func tags(beside query: Query, usual: [String]) -> [[UInt8]] {
    let named = words.filter { Mode(rawValue: $0) == nil }
    return query.unnamed((named + (mode == .off ? [] : usual)).map { Array($0.utf8) })
  }

  /// The query that finds what is wanted.
  func query(_ query: Query, without tags: [[UInt8]]) -> Query {
    mode == .flag ? query : query.excluding(tags)
  }

  /// A thread as it is shown.
  func shown(_ thread: FoundThread, without tags: [[UInt8]]) -> FoundThread {
    guard mode == .all, !tags.isEmpty else { return thread }
    var thread = thread
    thread.messages.removeAll { $0.hasTag(tags) }
    return thread
  }

  /// The tags of messages that are not counted among those found of a thread.
  func uncounted(_ tags: [[UInt8]]) -> [[UInt8]] { mode == .flag ? tags : [] }
}
