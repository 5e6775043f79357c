internal import Octets
internal import Query

/// A message made ready for the index.
struct MessageContent {
  /// What will be kept with it, except for its files.
  var record: Record

  /// Its words by field, in stretches across which no phrase reaches.
  var words: [(prefix: UInt8, words: WordList)] = []

  /// Terms besides words: types of parts, lists.
  var terms: [[UInt8]] = []

  /// What tells it from other files of the same message: a checksum of all that its own copy of the header brings.
  var variant: UInt32 = 0

  /// About how many postings it makes: what the library's memory grows with.
  private(set) var cost = 0

  /// How many different words of one message are indexed.
  ///
  /// Mail that people write has some thousands; beyond are tables of numbers, and what was made to do harm.
  static let wordLimit = 100_000

  /// Messages of fewer words are not worth counting exactly.
  private static let countingLimit = 2000

  /// Counts its words, and leaves out new ones beyond the limit.
  mutating func bound() {
    cost = words.reduce(terms.count) { $0 + $1.words.count }
    guard cost > Self.countingLimit else { return }
    var known: Set<UInt64> = []
    for index in words.indices {
      let salt = UInt64(words[index].prefix) &* 0x9E37_79B9_7F4A_7C15
      words[index].words = words[index].words.filtered { word in
        let key = Hash64.of(word) ^ salt
        if known.count >= Self.wordLimit { return known.contains(key) }
        known.insert(key)
        return true
      }
    }
    cost = known.count + terms.count
  }
}

// The files of one message may differ in what their ways added to the header: lists, recipients, sizes.
extension MessageContent {
  /// What tells these words and facts from those of other files of the message.
  func checkedVariant() -> UInt32 {
    var hash = Hash64()
    var bare = record
    (bare.files, bare.variants, bare.keywords) = ([], [:], [])
    hash.update(bare.octets)
    for (prefix, words) in words where Self.isOfHeader(prefix) {
      hash.update(UInt64(prefix))
      hash.update(words.octets)
    }
    for term in terms {
      hash.update(UInt64(term.count))
      hash.update(term)
    }
    return UInt32(truncatingIfNeeded: hash.value)
  }

  /// Whether words of a prefix come from the header: all others are the same in all files of a message.
  private static func isOfHeader(_ prefix: UInt8) -> Bool {
    prefix != 0 && prefix != Schema.Prefix.attachment
  }

  /// One content of those of all files of a message, each variant once, with the words, terms and recipients of all; the same in
  /// whatever order they are given.
  ///
  /// What only one can be is taken from the smallest file, the nearest to what its author wrote.
  static func merged(_ contents: [MessageContent]) -> MessageContent? {
    let sorted = contents.sorted {
      ($0.record.size, $0.variant) < ($1.record.size, $1.variant)
    }
    guard var merged = sorted.first, sorted.count > 1 else { return sorted.first }
    for other in sorted.dropFirst() { merged.addVariant(other) }
    merged.bound()
    return merged
  }

  private mutating func addVariant(_ other: MessageContent) {
    record.size = max(record.size, other.record.size)
    record.features.formUnion(other.record.features)
    record.to = Self.union(record.to, other.record.to)
    record.cc = Self.union(record.cc, other.record.cc)
    terms = Self.union(terms, other.terms)
    for (prefix, list) in other.words where Self.isOfHeader(prefix) {
      let isKnown = words.contains { $0.prefix == prefix && $0.words == list }
      if !isKnown { words.append((prefix, list)) }
    }
  }

  private static func union<Item: Hashable>(_ one: [Item], _ other: [Item]) -> [Item] {
    let known = Set(one)
    return one + other.filter { !known.contains($0) }
  }
}
