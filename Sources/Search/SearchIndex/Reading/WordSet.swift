internal import Octets
internal import Query

/// Words that were seen, by their checksums.
struct WordSet {
  private var known: Set<UInt64> = []

  mutating func insert(_ words: WordList) {
    words.forEach { known.insert(Hash64.of($0)) }
  }

  /// Takes a word; false where it was known.
  mutating func insert(_ word: ArraySlice<UInt8>) -> Bool {
    known.insert(Hash64.of(word)).inserted
  }
}
