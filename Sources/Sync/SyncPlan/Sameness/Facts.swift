extension Sameness {
  /// What may be known of a message.
  package struct Facts: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The Message-ID; that neither has one is the same, too.
    package static let messageID = Facts(rawValue: 1)
    /// The Message-ID, which both have.
    package static let named = Facts(rawValue: 2)
    /// The Message-ID; the body where there is none.
    package static let name = Facts(rawValue: 4)
    /// The header except for fields that are added on the way.
    package static let header = Facts(rawValue: 8)
    package static let body = Facts(rawValue: 16)
    /// Octets on the wire.
    package static let size = Facts(rawValue: 32)
    /// The internal date.
    package static let date = Facts(rawValue: 64)

    /// All that a content consists of.
    package static let content: Facts = [.messageID, .header, .body]
    /// What is left where header fields are rewritten.
    package static let text: Facts = [.messageID, .body]
    /// What any copy on a server has in common with the message.
    package static let look: Facts = [.size, .date]
    /// What a message on a server keeps when it is moved, except for a body that need not be read.
    package static let mark: Facts = [.name, .header, .size, .date]
    /// What remains of that where the body is not known.
    package static let bodiless: Facts = [.named, .size, .date]

    /// The facts that are the same and those that are not.
    static func compare(_ one: Trace, _ other: Trace) -> (same: Facts, other: Facts) {
      var (same, different) = (Facts(), Facts())
      func compareFact<Value: Equatable>(_ fact: Facts, _ one: Value?, _ other: Value?) {
        guard let one, let other else { return }
        if one == other { same.insert(fact) } else { different.insert(fact) }
      }
      compareFact(.messageID, one.messageID, other.messageID)
      compareFact(.header, one.header, other.header)
      compareFact(.body, one.body, other.body)
      compareFact(.size, one.size, other.size)
      compareFact(.date, one.date, other.date)
      if same.contains(.messageID), one.messageID != 0 { same.insert([.named, .name]) }
      if same.isSuperset(of: .text) { same.insert(.name) }
      return (same, different)
    }
  }
}
