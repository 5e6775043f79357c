/// Whether two traces are of one message: nothing else decides that.
///
/// How sure that is depends on the way that the message took, since servers and clients change other things on each.
/// What is not known makes it `possible`, never `no` and never more. Who acts asks for more than that, in most places for
/// `certain`; who holds something back asks for `possible`. Who asks what is told by the fixture of the tests.
///
/// Fields and line ends that programs add on the way are no part of a content (`ContentIdentity`).
package struct Sameness: Sendable {
  /// How sure it is that they are one message.
  package enum Level: Int, Comparable, Sendable {
    /// What they tell excludes it.
    case no
    /// Too little is known to exclude it.
    case possible
    /// Something else differs that may differ on this way, or was never seen.
    case likely
    /// All that a message keeps on this way is the same.
    case certain

    package static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
  }

  /// What is known of both and the same.
  package let agreeing: Facts
  /// What is known of both and not the same.
  package let differing: Facts
  /// How sure it is.
  package let level: Level

  /// Compares a message that is known with what was found, which may be it if it came this way.
  package static func compare(_ known: Trace, _ found: Trace, _ way: Way) -> Sameness {
    let now = Sameness(known, found, way)
    guard let former = found.former else { return now }
    var before = Trace(former, size: found.size, date: found.date)
    before.isDraft = found.isDraft
    let then = Sameness(known, before, way)
    return then.level > now.level ? then : now
  }

  /// What a message is looked up by that came this way: two that are at least that sure to be one share a key.
  package static func keys(_ trace: Trace, _ way: Way, atLeast level: Level) -> [Key] {
    way.rules.filter { $0.level >= level }.compactMap { trace.key($0.facts) }
  }

  private init(_ known: Trace, _ found: Trace, _ way: Way) {
    (agreeing, differing) = Facts.compare(known, found)
    level = way.level(agreeing, differing, isDraft: known.isDraft || found.isDraft)
  }

  /// What a message is looked up by: the values of some facts.
  package struct Key: Hashable, Sendable {
    private let facts: Facts
    private let messageID: UInt64?
    private let header: UInt64?
    /// The hash of the body; nil where it does not count.
    package let body: BodyHash?
    private let size: UInt64?
    private let date: Int64?

    init(_ trace: Trace, _ facts: Facts) {
      self.facts = facts
      messageID = facts.isDisjoint(with: [.messageID, .named, .name]) ? nil : trace.messageID
      let isName = facts.contains(.name) && trace.messageID == 0
      body = isName || facts.contains(.body) ? trace.body : nil
      header = facts.contains(.header) ? trace.header : nil
      size = facts.contains(.size) ? trace.size : nil
      date = facts.contains(.date) ? trace.date : nil
    }
  }
}
