package import Octets
package import SMTP

/// A message as a caller of sendmail gives it, taken apart: the fields of its header, and its body.
///
/// Line ends are LF. What `octets` gives is what every receiver sees alike: a header of nothing but
/// fields, an empty line, the body.
package struct Letter: Sendable {
  /// The fields, as they were given or added.
  private(set) var fields: [LetterField]

  /// What follows the empty line.
  var body: any OctetSource

  /// How many lines the caller gave before the body.
  let linesBeforeBody: Int

  /// Whether it is one of a stream of patches, as git writes them.
  private let isOfPatches: Bool

  /// Takes a message apart; its lines end with LF or CR LF.
  ///
  /// Only its header is in memory then.
  /// Lines that begin with `From ` or `>From ` above the header, which mail folders have, go. The header ends before the first line
  /// that can be none of its own; a message that does not begin with a field has no header.
  /// - Throws: `LetterError` when the header has octets or lines that no header may have.
  package init(_ given: any OctetSource) throws(LetterError) {
    try self.init(
      lines: try LetterError.reading { () throws(SourceError) in try LineFeeds.only(given) }
    )
  }

  /// Takes a message apart whose lines end with LF alone.
  ///
  /// - Throws: `LetterError`, as above, and where it cannot be read.
  private init(lines octets: any OctetSource) throws(LetterError) {
    let reader = try LetterReader.header(of: octets)
    fields = reader.fields
    linesBeforeBody = reader.lines
    isOfPatches = reader.isOfPatches
    body = octets.part(reader.bodyStart..<octets.count)
  }

  /// The line, counted from 1 in what was given, that begins another message in a stream of patches; `nil` where this is all.
  package var secondMessage: Int? {
    get throws(LetterError) {
      guard isOfPatches else { return nil }
      let line = try LetterError.reading { () throws(SourceError) in
        try PatchStream.secondMessage(in: body)
      }
      return line.map { $0 + linesBeforeBody }
    }
  }

  /// The message.
  package var octets: any OctetSource {
    JoinedOctets([fields.flatMap(\.sent) + [ASCII.lineFeed], body])
  }
}

// Fields.
extension Letter {
  /// The value of the first field of that name, folds undone; `nil` when there is none.
  package func value(_ name: StaticString) -> [UInt8]? {
    fields.first { $0.isNamed(name) }?.value
  }

  /// The values of all fields of that name, folds undone.
  func values(_ name: StaticString) -> [[UInt8]] {
    fields.filter { $0.isNamed(name) }.map(\.value)
  }

  func has(_ name: StaticString) -> Bool {
    fields.contains { $0.isNamed(name) }
  }

  /// Whether the message was sent before, and is sent on (RFC 5322 §3.6.6).
  package var isResent: Bool {
    fields.contains(where: \.isResent)
  }

  /// The fields of the topmost block of Resent fields, up to one that is there already, or to what a server wrote above
  /// an older block.
  var firstResentBlock: [LetterField] {
    let all = fields.drop { !$0.isResent }.prefix { !$0.isTrace }.filter(\.isResent)
    var block: [LetterField] = []
    for (index, field) in all.enumerated() {
      if block.contains(where: { $0.isNamed(like: field) }) {
        guard field.isResentRecipient else { break }
        // A block that begins with its recipients is followed by one that does so too; several fields of recipients
        // in one block are all seen.
        let begun = block.filter { !$0.isResentRecipient }
        let isNext = all[index...].contains { later in begun.contains { $0.isNamed(like: later) } }
        if block[0].isNamed(like: field), isNext { break }
      }
      block.append(field)
    }
    return block
  }

  mutating func add(_ name: StaticString, _ value: [UInt8]) {
    fields.append(LetterField(name, value))
  }

  /// Adds a field to the block of Resent fields on top.
  mutating func addResent(_ name: StaticString, _ value: [UInt8]) {
    let index = fields.firstIndex(where: \.isResent) ?? 0
    fields.insert(LetterField(name, value), at: index)
  }

  mutating func remove(_ name: StaticString) {
    fields.removeAll { $0.isNamed(name) }
  }

  /// Removes those that say nothing.
  mutating func removeEmpty(_ name: StaticString) {
    fields.removeAll { $0.isNamed(name) && $0.value.isEmpty }
  }

  mutating func replaceFields(_ new: (LetterField) -> LetterField) { fields = fields.map(new) }

  mutating func replace(_ name: StaticString, with value: [UInt8]) {
    guard let index = fields.firstIndex(where: { $0.isNamed(name) }) else {
      return add(name, value)
    }
    fields[index] = LetterField(name, value)
  }

  /// Those of the recipients whom neither To, Cc and Bcc of the message name nor the values of Bcc fields that it had, as
  /// they were given; each once.
  package func unnamed(among recipients: [Recipient], hidden: [UInt8]?) -> [EnvelopeAddress] {
    var named = Set(names(hidden).map(Self.folded))
    var unnamed: [EnvelopeAddress] = []
    for recipient in recipients where !named.contains(Self.folded(recipient.address.octets)) {
      let given = recipient.original ?? recipient.address
      if named.insert(Self.folded(given.octets)).inserted { unnamed.append(given) }
    }
    return unnamed
  }

  /// The first address that is none of the recipients, neither as they are nor as they were given; nil where all are.
  ///
  /// The addresses are those in To, Cc and Bcc of the message, and in Bcc fields that it had.
  ///
  /// Names without a domain do not count: several of them may mean one recipient.
  package func firstNamed(besides recipients: [Recipient], hidden: [UInt8]?) -> [UInt8]? {
    let addresses = recipients.flatMap { [$0.address, $0.original].compactMap(\.self) }
    let known = Set(addresses.map { Self.folded($0.octets) })
    return names(hidden).first { $0.contains(ASCII.at) && !known.contains(Self.folded($0)) }
  }

  /// The first address that only the message names, or only the envelope.
  ///
  /// - Parameters:
  ///   - recipients: those of the envelope.
  ///   - hidden: the values of Bcc fields that it had.
  /// - Returns: nil where a program that reads the recipients from the message gets those of the envelope.
  package func firstDifference(
    from recipients: [EnvelopeAddress],
    hidden: [UInt8]?
  ) -> [UInt8]? {
    let (named, known) = (names(hidden), recipients.map(\.octets))
    let (names, addresses) = (Set(named.map(Self.folded)), Set(known.map(Self.folded)))
    return named.first { !addresses.contains(Self.folded($0)) }
      ?? known.first { !names.contains(Self.folded($0)) }
  }

  /// The message with the Bcc field that it had.
  package func withBlindCopies(_ hidden: [UInt8]?) -> Letter {
    guard let hidden else { return self }
    var letter = self
    letter.add("Bcc", hidden)
    return letter
  }

  /// Whom To, Cc and Bcc name, and the values of Bcc fields that it had.
  private func names(_ hidden: [UInt8]?) -> [[UInt8]] {
    let values = values("To") + values("Cc") + values("Bcc") + (hidden.map { [$0] } ?? [])
    return values.flatMap { RecipientList($0).items }.flatMap(\.names)
  }

  private static func folded(_ address: [UInt8]) -> [UInt8] { address.map(ASCII.lowercased) }
}

/// A message ready for the spool.
package struct PreparedLetter: Sendable {
  /// The message, lines ended by LF; no Bcc in it.
  package let message: any OctetSource

  /// From whom and to whom.
  package let envelope: Envelope

  /// The Message-ID, with its brackets.
  package let messageID: [UInt8]?

  /// The values of the Bcc fields that were taken out; `nil` for none.
  package let blindCopies: [UInt8]?
}
