/// Terms or keys in ascending order, or values of keys in the order of these, in one piece of memory, since there may be millions of them.
struct TermList: RandomAccessCollection {
  private let octets: [UInt8]
  /// Where each begins in ``octets``, behind its length.
  private let starts: [UInt32]

  /// No terms.
  init() {
    octets = []
    starts = []
  }

  /// The terms that the library gives: each behind its length in two octets.
  init(_ given: UnsafeRawBufferPointer) {
    var starts: [UInt32] = []
    var place = 0
    while place + 2 <= given.count {
      starts.append(UInt32(place))
      place += 2 + Int(given.loadUnaligned(fromByteOffset: place, as: UInt16.self))
    }
    octets = Array(given)
    self.starts = starts
  }

  var startIndex: Int { 0 }
  var endIndex: Int { starts.count }

  subscript(place: Int) -> [UInt8] { Array(slice(place)) }

  private func slice(_ place: Int) -> ArraySlice<UInt8> {
    let start = Int(starts[place])
    let end = place + 1 < starts.count ? Int(starts[place + 1]) : octets.count
    return octets[(start + 2)..<end]
  }

  /// The place of a term among terms that are in the order of their octets; nil where it is not there.
  func place(of term: [UInt8]) -> Int? {
    var range = 0..<count
    while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
      let found = slice(middle)
      if found.elementsEqual(term) { return middle }
      range =
        found.lexicographicallyPrecedes(term)
        ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}
