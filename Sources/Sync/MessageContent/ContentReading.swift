package import MIME
internal import Octets
package import SyncPlan

/// Reads a message's content once, run by run, whatever its line ends.
package struct ContentReading: ~Copyable {
  /// What it tells.
  package struct Facts {
    /// What makes it this message.
    package var identity: ContentIdentity
    /// The identity as it was recorded before it left out what servers add or drop; nil where both are the same.
    package var former: ContentIdentity?
    /// What its header tells.
    package var header: HeaderFacts
    /// What it has of the marks of a partial file.
    package var marks: PartialMarks
    /// Octets of the whole message with line ends as CRLF.
    package var wireSize: UInt64
    /// Whether it holds an octet 0, which IMAP cannot carry (RFC 9051 §4.3).
    package var containsNUL: Bool
  }

  private var reader = ContentReader()
  private var lineEnds = LineEnds()
  private var detector = PartialDetector()
  private var size = 0

  /// Nothing was read yet.
  package init() {}

  /// Reads the next octets.
  package mutating func readOctets(_ run: ArraySlice<UInt8>) {
    add(lineEnds.convert(run))
  }

  /// What was read.
  package consuming func finish() -> Facts {
    add(lineEnds.finish())
    let contents = reader.finishContents()
    return Facts(
      identity: contents.identity,
      former: contents.former,
      header: contents.header,
      marks: detector.finish(),
      wireSize: UInt64(size),
      containsNUL: lineEnds.containsNUL
    )
  }

  private mutating func add(_ text: [UInt8]) {
    size += text.count + text.reduce(0) { $0 + ($1 == ASCII.lineFeed ? 1 : 0) }
    text.withUnsafeBytes {
      reader.readOctets($0)
      detector.readOctets($0)
    }
  }
}

/// What was read of the content of a message, as it is known now and as older versions recorded it.
package struct ReadContent: Hashable, Sendable {
  /// What makes it this message.
  package var identity: ContentIdentity
  /// The identity as it may be on record, by a version that did not leave out what servers add or drop; nil where both are the
  /// same.
  package var former: ContentIdentity?
  /// What a server that rewrites messages leaves of it; nil where that was not asked for.
  package var essential: EssentialContent?

  package init(
    identity: ContentIdentity,
    former: ContentIdentity?,
    essential: EssentialContent? = nil
  ) {
    (self.identity, self.former, self.essential) = (identity, former, essential)
  }

  /// What is known of the message.
  package var trace: Trace { trace() }

  /// What is known of the message that has that size and date.
  package func trace(size: UInt64? = nil, date: Int64? = nil) -> Trace {
    var trace = Trace(identity, size: size, date: date)
    trace.former = former
    return trace
  }

  /// Whether it is the content of a record.
  package func holds(_ recorded: ContentIdentity) -> Bool {
    Sameness.compare(Trace(recorded), trace, .inPlace).level == .certain
  }

  /// Whether it is the content of a record except for header fields.
  package func holdsText(of recorded: ContentIdentity) -> Bool {
    Sameness.compare(Trace(recorded), trace, .inPlace).level >= .likely
  }
}
