// Two pools compared.
extension OctetPool {
  /// What stands for no string among numbers.
  package static let absent = UInt32.max

  /// The number of the string here that has the key of each string of another pool, in the order of these; `absent` where
  /// there is none.
  ///
  /// Takes the strings in parts, and each step for the whole part: memory that lies far apart is then waited for all at
  /// once, and not for one key after the other, which takes three times as long in a large pool.
  package func numbers(of other: OctetPool) -> [UInt32] {
    var numbers = [UInt32](repeating: Self.absent, count: other.count)
    guard count > 0 else { return numbers }
    var part = [Candidate](repeating: Candidate(), count: 64)
    var first = 0
    while first < other.count {
      let size = min(part.count, other.count - first)
      for index in 0..<size {
        part[index].hash = other.withKey(first + index) { Self.hash($0) }
      }
      for index in 0..<size { part[index].mark = firstMark(of: part[index].hash) }
      for index in 0..<size { part[index].start = start(of: part[index].mark) }
      for index in 0..<size where part[index].mark != 0 {
        numbers[first + index] = other.withKey(first + index) { number($0, part[index]) }
      }
      first += size
    }
    return numbers
  }

  /// A key on its way to its number.
  private struct Candidate {
    var hash: UInt32 = 0
    /// What stands at the first slot for the hash.
    var mark: UInt64 = 0
    /// Where the string of that mark begins.
    var start = 0
  }

  private func number(_ key: UnsafeRawBufferPointer, _ candidate: Candidate) -> UInt32 {
    let isFirst =
      candidate.mark >> 32 == UInt64(candidate.hash)
      && isKey(Self.number(candidate.mark), at: candidate.start, key)
    if isFirst { return UInt32(Self.number(candidate.mark)) }
    return number(of: key).map { UInt32($0) } ?? Self.absent
  }
}
