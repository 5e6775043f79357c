package import MIME
package import Platform

/// Something that goes with the text of a draft.
package enum DraftAttachment: Sendable {
  /// A file of this machine; read when the message is made.
  case file(AttachedFile)
  /// A part of another message, or such a message itself.
  case part(OutgoingPart, name: [UInt8])

  /// The name that readers see, in UTF-8.
  package var name: [UInt8] {
    switch self {
    case .file(let file): file.name
    case .part(_, let name): name
    }
  }

  /// About how many octets it has.
  package var size: Int {
    switch self {
    case .file(let file): file.size
    case .part(let part, _): part.size
    }
  }

  /// The file; nil for a part of another message.
  package var path: Path? {
    if case .file(let file) = self { file.path } else { nil }
  }
}

/// A file that is to be attached.
package struct AttachedFile: Hashable, Sendable {
  /// Where it is; absolute.
  package let path: Path
  /// The name that readers see, in UTF-8.
  package let name: [UInt8]
  /// Its media type.
  package let type: FileType
  /// By which HTML shows it; nil for an attachment.
  package let contentID: MessageID?
  /// How many octets it had when it was named.
  package let size: Int
}
