extension RandomAccessCollection where Index == Int {
  /// The position of the first element for which the condition holds, by binary search; the end where it holds for none.
  ///
  /// The condition has to hold for all elements behind one for which it does.
  @inlinable
  package func firstPosition(where isBehind: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension RandomAccessCollection<ClosedRange<UInt32>> where Index == Int {
  /// Whether one of the ranges has that number; they ascend and do not overlap.
  package func hold(_ number: UInt32) -> Bool {
    let position = firstPosition { $0.upperBound >= number }
    return position < endIndex && self[position].contains(number)
  }
}
