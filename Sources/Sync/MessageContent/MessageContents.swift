package import MIME
internal import Octets
package import Platform
package import SyncPlan

/// What one reading of a message file tells of its content.
package struct MessageContents: Hashable {
  /// What makes it this message.
  package var identity: ContentIdentity
  /// The identity as it may be on record, by a version that did not leave out what servers add or drop; nil where both are the
  /// same.
  package var former: ContentIdentity?
  /// What its header tells.
  package var header: HeaderFacts
  /// What it has of the marks of a partial file.
  package var marks: PartialMarks
  /// Octets of the whole message with line ends as CRLF.
  package var wireSize: UInt64
  /// Whether it holds an octet 0, which IMAP cannot carry (RFC 9051 §4.3).
  package var containsNUL: Bool
  /// When the file was last changed, in seconds since 1970.
  package var date: Int64
  /// What would show that it was written anew.
  package var version: FileVersion

  /// Octets of the body with line ends as CRLF.
  package var bodySize: UInt64 { wireSize - min(wireSize, header.size) }

  /// Octets that are read at once.
  private static let runLength = 64 << 10

  /// Reads the file; nil when there is none of that name.
  package init?(of path: Path) throws(SystemError) {
    guard let file = try FileSystem.openIfPresent(path) else { return nil }
    let status = try file.status()
    var reading = ContentReading()
    while true {
      let run = try file.read(atMost: Self.runLength)
      if run.isEmpty { break }
      reading.readOctets(run[...])
    }
    self.init(
      reading.finish(),
      date: status.fingerprint.modified / 1_000_000_000,
      version: FileVersion(status)
    )
  }

  private init(_ facts: ContentReading.Facts, date: Int64, version: FileVersion) {
    identity = facts.identity
    former = facts.former
    header = facts.header
    marks = facts.marks
    wireSize = facts.wireSize
    containsNUL = facts.containsNUL
    self.date = date
    self.version = version
  }
}

extension MessageContents {
  private var read: ReadContent { ReadContent(identity: identity, former: former) }

  /// What is known of the message that the file holds.
  package var trace: Trace { read.trace(size: wireSize) }

  /// Whether it is the content of a record.
  package func holds(_ recorded: ContentIdentity) -> Bool { read.holds(recorded) }

  /// Whether it is the content of a record except for header fields.
  package func holdsText(of recorded: ContentIdentity) -> Bool { read.holdsText(of: recorded) }

  /// What a record says of the content, as it is known now.
  package func current(_ recorded: ContentIdentity) -> ContentIdentity {
    holds(recorded) ? identity : recorded
  }
}

extension PartialMarks {
  /// Octets of a file in which the field of its header is looked for.
  private static let headLength = 64 << 10

  /// What a file says of itself in its header; nil where it says nothing.
  package static func field(ofFile path: Path) throws(SystemError) -> Field? {
    let start = try Descriptor.open(path, .read).read(atMost: headLength)
    return PartialDetector.marks(in: start).fields.first { !$0.isInside }
  }
}
