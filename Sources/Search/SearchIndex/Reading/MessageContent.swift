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
