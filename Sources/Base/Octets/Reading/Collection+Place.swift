// Swift's own searches for several elements in a row are in the library that has regular expressions, a megabyte in the program:
// Package.swift leaves it out.

extension Collection where Element: Equatable {
  /// Where the elements of another stand in a row for the first time: nothing stands at the start, and nil is nowhere.
  @inlinable
  package func firstPlace(of sought: some Collection<Element>) -> Range<Index>? {
    guard let first = sought.first else { return startIndex..<startIndex }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[rest.index(after: start)...]
      var end = rest.startIndex
      let isHere = sought.dropFirst().allSatisfy { element in
        guard end < endIndex, self[end] == element else { return false }
        formIndex(after: &end)
        return true
      }
      if isHere { return start..<end }
    }
    return nil
  }

  /// Whether the elements of another stand in a row somewhere.
  @inlinable
  package func holds(_ sought: some Collection<Element>) -> Bool {
    firstPlace(of: sought) != nil
  }
}

extension RangeReplaceableCollection where Element: Equatable {
  /// All with other elements wherever some stand in a row, from the left.
  @inlinable
  package func exchanging(
    _ sought: some Collection<Element>,
    for others: some Collection<Element>
  ) -> Self {
    var result = Self()
    var rest = self[...]
    while let place = rest.firstPlace(of: sought), !place.isEmpty {
      result += rest[..<place.lowerBound]
      result += others
      rest = rest[place.upperBound...]
    }
    return result + rest
  }
}
