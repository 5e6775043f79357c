internal import Query

/// A message made ready for the index.
struct MessageContent {
  /// What will be kept with it, but for its files.
  var record: Record

  /// Its words by field, in stretches across which no phrase reaches.
  var words: [(prefix: UInt8, words: WordList)] = []

  /// Terms besides words: types of parts, lists.
  var terms: [[UInt8]] = []
}
