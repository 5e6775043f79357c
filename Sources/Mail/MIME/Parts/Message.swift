internal import Octets

/// A message taken apart, every octet of it kept (RFC 5322, RFC 2045).
///
/// Every sequence of octets is a message; what is malformed is read as far as it goes. The header and
/// the parts are slices of the octets, so that writing them out gives what was read.
package struct Message: Sendable {
  /// The message as received.
  package let octets: [UInt8]

  /// The root of the tree of parts; its header is that of the message.
  package let root: Part

  /// Whether the limits left something whole that could have been taken apart.
  package let exceedsLimits: Bool

  /// Takes a message apart in one skip it.
  ///
  /// The time grows with the size alone; nothing is decoded but messages in base64.
  ///
  /// - Parameters:
  ///   - octets: the message.
  ///   - limits: how much of it is taken apart.
  ///   - isPartialFile: whether it is a partial file, in which parts stand for others that are only on the server. In any other
  ///     message the same parts are content.
  package init(
    _ octets: [UInt8],
    limits: MessageLimits = .standard,
    isPartialFile: Bool = false
  ) {
    var parser = PartParser(octets, limits: limits)
    var place = PartPlace.root
    place.isOfPartialFile = isPartialFile
    self.octets = octets
    root = parser.parse(at: place)
    exceedsLimits = parser.exceedsLimits
  }

  /// The fields of the outermost part.
  package var header: Header { root.header }

  /// All parts, each before those below it; the root comes first.
  package var parts: [Part] { root.flattened }

  /// The part with that number; `nil` when there is none.
  package func part(_ section: Section) -> Part? {
    parts.first { $0.section == section }
  }

  /// The part that others refer to by that Content-ID, as `cid:` links do; `nil` when there is none.
  package func part(contentID: MessageID) -> Part? {
    parts.first { $0.contentID == contentID }
  }

  /// The texts to show, in order: of each multipart/alternative the best one only.
  ///
  /// Those of messages inside are not among them.
  package func bodies(preferring preference: BodyPreference = .plain) -> [Part] {
    root.readable(preferring: preference).filter { $0.kind == .leaf }
  }

  /// Whether it has marks of a partial file: without any it is none.
  package var hasPartialMarks: Bool {
    header.first(PartialMark.field) != nil
      || parts.contains {
        $0.contentType.isPartialPlaceholder || $0.header.first(PartialMark.field) != nil
      }
  }

  /// What can be saved: attachments, parts shown within a body, and messages inside.
  ///
  /// The parts of messages inside are not among them.
  package var attachments: [Part] { root.attachments }
}

/// Bounds on what a message may make us do; what lies beyond them is kept, but not taken apart.
package struct MessageLimits: Sendable, Hashable {
  /// How many multiparts and messages may lie in one another, default 50.
  ///
  /// Real mail stays below 10; the parser and the release of the tree recurse this deep.
  package var nesting: Int

  /// How many parts one message may have, default 10,000, containers counted.
  package var parts: Int

  package init(nesting: Int = 50, parts: Int = 10_000) {
    self.nesting = nesting
    self.parts = parts
  }

  /// The limits that all mail is read with.
  package static let standard = MessageLimits()
}
