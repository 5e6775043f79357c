package import MailModel
internal import Octets

/// What a mail program keeps of a message beside its file.
package struct MailNotes: Hashable, Sendable {
  /// Flags, `.seen` among them if the message was read.
  package var flags: SystemFlags
  /// Whether it was deleted, and its file only not removed yet.
  package var isDeleted = false
  /// When it arrived, in seconds since 1970; nil where that is not kept.
  package var arrival: Int64?

  package init(flags: SystemFlags, isDeleted: Bool = false, arrival: Int64? = nil) {
    (self.flags, self.isDeleted, self.arrival) = (flags, isDeleted, arrival)
  }
}

/// The file `.mh_sequences` of a folder of MH: named lists of messages by their numbers.
package struct MHSequences: Hashable, Sendable {
  private var sequences: [[UInt8]: [ClosedRange<Int>]] = [:]

  /// Reads lines such as `unseen: 1 3-5 8`; what is none is skipped.
  package init(_ octets: [UInt8]) {
    for line in octets.split(separator: ASCII.lineFeed) {
      guard let colon = line.firstIndex(of: ASCII.colon) else { continue }
      let name = line[..<colon].map { ASCII.lowercased($0) }
      let words = line[(colon + 1)...].split { $0 <= ASCII.space }
      sequences[name, default: []] += words.compactMap { Self.range($0) }
    }
  }

  private static func range(_ word: ArraySlice<UInt8>) -> ClosedRange<Int>? {
    let ends = word.split(separator: ASCII.minus, omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
      0 <= first, first <= last
    else { return nil }
    return first...last
  }

  /// What is kept of the message of a number: it was read unless it is in the list `unseen`.
  package func notes(of number: Int) -> MailNotes {
    var flags: SystemFlags = holds("unseen", number) ? [] : .seen
    if holds("flagged", number) { flags.insert(.flagged) }
    if holds("replied", number) || holds("answered", number) { flags.insert(.answered) }
    return MailNotes(flags: flags)
  }

  private func holds(_ name: StaticString, _ number: Int) -> Bool {
    sequences[[UInt8](ascii: name)]?.contains { $0.contains(number) } ?? false
  }
}
