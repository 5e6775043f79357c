/// What a message or a part of one is made of, as a server tells it (BODYSTRUCTURE, RFC 9051 §7.5.2).
package struct BodyStructure: Hashable, Sendable {
  /// What may lie below.
  package indirect enum Content: Hashable, Sendable {
    /// Nothing: the body is content.
    case leaf
    /// Parts between boundaries.
    case parts([BodyStructure])
    /// The message inside.
    case message(BodyStructure)
  }

  /// The type in small letters, such as `text`.
  package let type: [UInt8]
  /// The subtype in small letters, such as `plain`.
  package let subtype: [UInt8]
  /// Octets of the body as it is written; 0 for a multipart.
  package let size: UInt64
  /// The word of Content-Disposition in small letters; nil where there is none.
  package let disposition: [UInt8]?
  /// The names of files that it tells, as they are written.
  package let fileNames: [[UInt8]]
  /// What lies below.
  package let content: Content

  package init(
    type: [UInt8],
    subtype: [UInt8],
    size: UInt64,
    disposition: [UInt8]?,
    fileNames: [[UInt8]],
    content: Content
  ) {
    self.type = type
    self.subtype = subtype
    self.size = size
    self.disposition = disposition
    self.fileNames = fileNames
    self.content = content
  }

  /// What lies directly below: the parts, or the message inside.
  package var children: [BodyStructure] {
    switch content {
    case .leaf: []
    case .parts(let parts): parts
    case .message(let message): [message]
    }
  }
}
