internal import Octets

/// What threading needs to know of a message.
package struct ThreadMember: Hashable, Sendable {
  /// The key of its Message-ID.
  package let id: LinkKey

  /// The keys of the messages it answers, the likeliest parent first, without doubles and itself.
  ///
  /// At most ``linkLimit``.
  package let links: [LinkKey]

  /// Its subject, where that may link it; nil for a message with links, and for an empty subject.
  package let subject: SubjectLink?

  /// When it was written, in seconds since 1970.
  package let date: Int64

  /// The key of the one or two people that it is between; nil where there are more.
  package let parties: LinkKey?

  /// How many ids of one message count; those nearest to it do.
  package static let linkLimit = 2500

  /// A message from what an index keeps of it.
  package init(
    id: LinkKey,
    links: [LinkKey],
    subject: SubjectLink?,
    date: Int64,
    parties: LinkKey? = nil
  ) {
    self.id = id
    self.links = links
    self.subject = links.isEmpty ? subject : nil
    self.date = date
    self.parties = parties
  }

  /// The key of the people with these addresses, in any order; nil where they are more than two.
  package static func parties(_ addresses: some Sequence<[UInt8]>) -> LinkKey? {
    let all = Set(addresses.map { $0.map { ASCII.lowercased($0) } })
    guard all.count <= 2 else { return nil }
    let sorted = all.sorted { $0.lexicographicallyPrecedes($1) }
    return LinkKey(id: sorted.joined(separator: [ASCII.lineFeed]))
  }

  /// A message from its header.
  ///
  /// - Parameters:
  ///   - id: its Message-ID, without angle brackets.
  ///   - inReplyTo: the ids of In-Reply-To. A single one is the parent; several are the work of a program that
  ///     answers many at once, and count after the references.
  ///   - isPlain: whether In-Reply-To holds nothing else; prose counts after the references too, since what it names
  ///     may be an address.
  ///   - references: the ids of References, the parent last.
  ///   - subject: the text of Subject, UTF-8.
  ///   - date: seconds since 1970.
  ///   - addresses: those of its authors and receivers.
  package init(
    id: [UInt8],
    inReplyTo: [[UInt8]],
    isPlain: Bool = true,
    references: [[UInt8]],
    subject: [UInt8],
    date: Int64,
    addresses: @autoclosure () -> [[UInt8]] = []
  ) {
    let key = LinkKey(id: id)
    let answered = inReplyTo.map { LinkKey(id: $0) }
    let before = references.reversed().map { LinkKey(id: $0) }
    let ordered = isPlain && answered.count == 1 ? answered + before : before + answered
    var seen: Set<LinkKey> = [key]
    let links = ordered.filter { seen.insert($0).inserted }.prefix(Self.linkLimit)
    let subject = links.isEmpty ? SubjectLink(subject) : nil
    self.init(
      id: key,
      links: Array(links),
      subject: subject,
      date: date,
      parties: subject == nil ? nil : Self.parties(addresses())
    )
  }

  /// Whether it comes before another one wherever messages are put in order: by date, then by id.
  package func precedes(_ other: ThreadMember) -> Bool {
    (date, id) < (other.date, other.id)
  }
}

/// The name of a thread: 64 bits, shown as 16 hexadecimal digits.
package struct ThreadID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The bits.
  package let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The name of the thread whose oldest message has an id of this key.
  ///
  /// Messages of one id are in one thread, so that no two threads have the same name, and an index made anew, or that of another
  /// account, has the same names. A thread that gets or loses its oldest message is found by its former names too, as long as a
  /// message has or names that id.
  package init(oldest id: LinkKey) {
    rawValue = id.rawValue
  }

  /// The name that 16 hexadecimal digits show; nil for anything else.
  package init?(_ digits: some Collection<UInt8>) {
    guard digits.count == 16, let value = Hex.value([UInt8](digits)) else { return nil }
    rawValue = value
  }

  /// The number in hexadecimal digits.
  package var digits: [UInt8] { Hex.digits(rawValue) }

  package var description: String { String(decoding: digits, as: UTF8.self) }

  package static func < (left: ThreadID, right: ThreadID) -> Bool {
    left.rawValue < right.rawValue
  }
}
