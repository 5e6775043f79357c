package import MailModel
internal import Octets
package import SyncPlan

/// What the octets of a message on the server were found to be.
package struct WireContent: Hashable, Sendable {
  /// All its octets.
  package let digest: WireDigest
  /// Its Message-ID, header and body.
  package let identity: ContentIdentity

  package init(digest: WireDigest, identity: ContentIdentity) {
    self.digest = digest
    self.identity = identity
  }
}

/// The messages of a mailbox, as far as they are known.
package struct PresentMessages: Sendable {
  /// The UIDs of all of them, none twice.
  package var uids: [UInt32]
  /// The hashes of their Message-IDs, by UID, 0 for a message without one, as far as they were asked for.
  package var identifiers: [UInt32: UInt64]
  /// What they hold, by UID, as far as they were fetched.
  package var contents: [UInt32: WireContent]

  package init(
    _ uids: [UInt32],
    identifiers: [UInt32: UInt64] = [:],
    contents: [UInt32: WireContent] = [:]
  ) {
    self.uids = uids
    self.identifiers = identifiers
    self.contents = contents
  }
}

/// The SHA-256 of a message's octets as they go over the wire, line ends as CRLF.
package struct WireDigest: Hashable, Sendable {
  private let parts: (UInt64, UInt64, UInt64, UInt64)

  /// A digest of its 32 octets; nil where there are more or fewer.
  package init?(_ octets: some Collection<UInt8>) {
    guard octets.count == 32 else { return nil }
    let all = Array(octets)
    parts = (
      UInt64(octets: all[0..<8]), UInt64(octets: all[8..<16]), UInt64(octets: all[16..<24]),
      UInt64(octets: all[24..<32])
    )
  }

  /// The digest that 64 hexadecimal digits stand for; nil where they are no such.
  package init?(hex: some Collection<UInt8>) {
    guard hex.count == 64, let octets = Hex.decode(hex) else { return nil }
    self.init(octets)
  }

  /// The digest as four numbers.
  var numbers: (UInt64, UInt64, UInt64, UInt64) { parts }

  /// The digest as 64 hexadecimal digits.
  package var hex: [UInt8] {
    Hex.digits(parts.0) + Hex.digits(parts.1) + Hex.digits(parts.2) + Hex.digits(parts.3)
  }

  package static func == (left: WireDigest, right: WireDigest) -> Bool {
    left.parts == right.parts
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(parts.0)
    hasher.combine(parts.1)
  }
}

/// A message file as a restore read it.
package struct RestoredFile: Hashable, Sendable {
  /// All its octets.
  package let digest: WireDigest
  /// Its Message-ID, header and body.
  package let identity: ContentIdentity
  /// The hash of From, Date and Subject.
  package let headerKey: UInt64
  /// Octets on the wire.
  package let wireSize: UInt64
  /// When the file was last changed, in seconds since 1970: the date of the message.
  package let date: Int64
  /// The flags of its name and its keywords.
  package var flags: MessageFlags

  package init(
    digest: WireDigest,
    identity: ContentIdentity,
    headerKey: UInt64,
    wireSize: UInt64,
    date: Int64,
    flags: MessageFlags
  ) {
    self.digest = digest
    self.identity = identity
    self.headerKey = headerKey
    self.wireSize = wireSize
    self.date = date
    self.flags = flags
  }
}
