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

  /// How many ids of one message count; those nearest to it do.
  package static let linkLimit = 2500

  /// A message from what an index keeps of it.
  package init(id: LinkKey, links: [LinkKey], subject: SubjectLink?, date: Int64) {
    self.id = id
    self.links = links
    self.subject = links.isEmpty ? subject : nil
    self.date = date
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
  package init(
    id: [UInt8],
    inReplyTo: [[UInt8]],
    isPlain: Bool = true,
    references: [[UInt8]],
    subject: [UInt8],
    date: Int64
  ) {
    let key = LinkKey(id: id)
    let answered = inReplyTo.map { LinkKey(id: $0) }
    let before = references.reversed().map { LinkKey(id: $0) }
    let ordered = isPlain && answered.count == 1 ? answered + before : before + answered
    var seen: Set<LinkKey> = [key]
    let links = ordered.filter { seen.insert($0).inserted }.prefix(Self.linkLimit)
    self.init(id: key, links: Array(links), subject: SubjectLink(subject), date: date)
  }

  /// Whether it comes before another one wherever messages are put in order: by date, then by id.
  package func precedes(_ other: ThreadMember) -> Bool {
    (date, id) < (other.date, other.id)
  }
}
