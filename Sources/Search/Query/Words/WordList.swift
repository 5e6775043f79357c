/// Words one after another, in the form that an index takes them in: each with its length, one octet, before it.
package struct WordList: Hashable, Sendable {
  /// Lengths and words.
  package private(set) var octets: [UInt8] = []

  package private(set) var count = 0

  /// No words yet.
  package init() {}

  /// The words as arrays, one by one.
  package var words: [[UInt8]] {
    var result: [[UInt8]] = []
    var index = 0
    while index < octets.count {
      let end = index + 1 + Int(octets[index])
      result.append(Array(octets[(index + 1)..<end]))
      index = end
    }
    return result
  }

  /// Takes a word of 1 to 255 octets.
  mutating func append(_ word: some Collection<UInt8>) {
    octets.append(UInt8(truncatingIfNeeded: word.count))
    octets += word
    count += 1
  }

  /// Forgets all words and keeps the room.
  package mutating func removeAll() {
    octets.removeAll(keepingCapacity: true)
    count = 0
  }
}

extension WordList {
  /// Visits the words in their order.
  package func forEach(_ body: (ArraySlice<UInt8>) -> Void) {
    var index = 0
    while index < octets.count {
      let end = index + 1 + Int(octets[index])
      body(octets[(index + 1)..<end])
      index = end
    }
  }

  /// The words that a body wants to keep.
  package func filtered(_ isKept: (ArraySlice<UInt8>) -> Bool) -> WordList {
    var result = WordList()
    forEach { if isKept($0) { result.append($0) } }
    return result
  }
}
