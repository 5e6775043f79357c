internal import Octets

/// Which smaller databases belong to which state of the main one.
///
/// A line for each state: "epoch recent", or "epoch recent middle" with `-` where there is no recent one. A change of the main
/// database is preceded by a file with a line for the state before it and one for the state behind it, so that the change
/// itself decides which of them counts.
struct RecentPointer: Hashable {
  /// The numbers of the smaller databases that are read with a main one; nil for those that are not there.
  struct Parts: Hashable {
    var middle: Int?
    var recent: Int?

    /// Whether the main database is alone.
    var isEmpty: Bool { middle == nil && recent == nil }
  }

  /// What belongs to each epoch of the main database.
  private var parts: [UInt64: Parts] = [:]

  init() {}

  /// The pointer of a file's content; lines that are none are left out.
  init(_ octets: [UInt8]) {
    for line in octets.split(separator: ASCII.lineFeed) {
      let words = line.split(separator: ASCII.space).map { String(decoding: $0, as: UTF8.self) }
      guard 2...3 ~= words.count, let epoch = UInt64(words[0]) else { continue }
      self[epoch] = Parts(middle: words.count > 2 ? Int(words[2]) : nil, recent: Int(words[1]))
    }
  }

  /// What belongs to an epoch.
  subscript(epoch: UInt64) -> Parts {
    get { parts[epoch] ?? Parts() }
    set { parts[epoch] = newValue.isEmpty ? nil : newValue }
  }

  /// The content of the file.
  var octets: [UInt8] {
    parts.sorted { $0.key < $1.key }.flatMap { epoch, parts in
      let recent = parts.recent.map { "\($0)" } ?? "-"
      return Array("\(epoch) \(recent)\(parts.middle.map { " \($0)" } ?? "")\n".utf8)
    }
  }
}
