/// What the octets of a message have that a partial file has.
///
/// Anybody can write it into a message: it decides nothing by itself.
package struct PartialMarks: Hashable, Sendable {
  /// A field X-Magnum-Partial that can be read.
  package struct Field: Hashable, Sendable {
    /// What it says.
    package let mark: PartialMark
    /// The Message-ID in the same header, with its angle brackets; nil where there is none.
    package let messageID: [UInt8]?
    /// Whether it stands in a message inside, and not in the header of the message itself.
    package let isInside: Bool
  }

  /// The fields, that of the message itself first.
  package internal(set) var fields: [Field] = []
  /// Whether a part, at any depth, has the form of one that stands for another on the server.
  package internal(set) var hasPlaceholder = false

  /// None.
  package init() {}

  /// Whether there are none, so that the message cannot be a partial file.
  package var isEmpty: Bool { fields.isEmpty && !hasPlaceholder }
}
