internal import Octets

/// Which recent database belongs to which state of the main one.
///
/// A line for each state, "epoch number". A change of the main database is preceded by a file with a line for the state
/// before it and one for the state behind it, so that the change itself decides which of them counts.
struct RecentPointer: Hashable {
  /// The number of the recent database, by epoch of the main one.
  var numbers: [UInt64: Int] = [:]

  init(_ numbers: [UInt64: Int]) {
    self.numbers = numbers
  }

  /// The pointer of a file's content; lines that are none are left out.
  init(_ octets: [UInt8]) {
    for line in octets.split(separator: ASCII.lineFeed) {
      let words = line.split(separator: ASCII.space).map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 2, let epoch = UInt64(words[0]), let number = Int(words[1]) else {
        continue
      }
      numbers[epoch] = number
    }
  }

  /// The content of the file.
  var octets: [UInt8] {
    numbers.sorted { $0.key < $1.key }.flatMap { Array("\($0.key) \($0.value)\n".utf8) }
  }
}
