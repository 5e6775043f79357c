extension Sameness {
  /// How a message came from where it was known to where it was found.
  package struct Way: Sendable {
    /// What a message keeps: two that differ in it are two.
    private let kept: Facts
    /// What is enough, best first.
    let rules: [Rule]

    private init(keeps kept: Facts, _ rules: Rule...) { (self.kept, self.rules) = (kept, rules) }

    /// Not at all: the UID or the name of the file is the one that it has on record.
    ///
    /// Programs write header fields into a file. Of a message that is here in part the body was never seen.
    package static let inPlace = Way(
      keeps: .text,
      .init(.certain, .content),
      .init(.likely, .text),
      .init(.likely, [.messageID, .header]),
      .init(.likely, [.messageID, .size])
    )

    /// Its file was moved or copied here; a client that does so may write it anew.
    package static let movedHere = Way(
      keeps: [.text, .size],
      .init(.certain, .content),
      .init(.likely, .text),
      .init(.likely, [.named, .header, .size])
    )

    /// The server moved or copied it, with another header and size where it rewrites what it copies.
    package static let movedByServer = Way(
      keeps: [.text, .date],
      .init(.certain, .mark),
      .init(.likely, [.named, .body, .date]),
      .init(.likely, .bodiless),
      .init(.possible, .look),
      .init(.possible, [.named, .date])
    )

    /// It was sent from here, or may not have been.
    ///
    /// One that came another way may have its body, but hardly its other header fields too, nor its date.
    package static let begun = Way(
      keeps: .body,
      .init(.certain, .content),
      .init(.certain, .body, unless: .date),
      .init(.certain, [.body, .size]),
      .init(.likely, [.messageID, .header, .size])
    )

    /// The same of a draft, of which another client may have sent versions of any size.
    package static let begunVersion = Way(
      keeps: .body,
      .init(.certain, .content),
      .init(.certain, .body, unless: .date)
    )

    /// The server said that it took it, and may have changed it then.
    package static let taken = Way(keeps: [], .init(.certain, .body), .init(.possible, .size))

    func level(_ agreeing: Facts, _ differing: Facts, isDraft: Bool) -> Level {
      let kept = isDraft ? kept.union(.header) : kept
      guard differing.isDisjoint(with: kept) else { return .no }
      if let rule = rules.first(where: { $0.holds(agreeing, differing) }) { return rule.level }
      return differing.isDisjoint(with: .look) ? .possible : .no
    }
  }

  /// Facts that are enough for a level where they agree, unless others differ.
  struct Rule {
    let level: Level
    let facts: Facts
    private let exceptions: Facts

    init(_ level: Level, _ facts: Facts, unless exceptions: Facts = []) {
      (self.level, self.facts, self.exceptions) = (level, facts, exceptions)
    }

    func holds(_ agreeing: Facts, _ differing: Facts) -> Bool {
      agreeing.isSuperset(of: facts) && differing.isDisjoint(with: exceptions)
    }
  }
}
