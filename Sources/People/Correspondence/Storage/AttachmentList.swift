package import MailModel
internal import Octets
package import Platform

/// The attachments of a draft that is kept, in their order, which the numbers in its text count.
///
/// Files are named by their paths; parts of the kept message follow each other there, and need no name.
package struct AttachmentList: Hashable, Sendable {
  /// An attachment.
  private enum Entry: Hashable, Sendable {
    case file(Path)
    /// The next part of the message.
    case part
  }

  private static let partWord = [UInt8](ascii: "part")

  private let entries: [Entry]

  init(_ attachments: [DraftAttachment]) {
    entries = attachments.map { $0.path.map { .file($0) } ?? .part }
  }

  /// The list of these lines, each an escaped path or `part`.
  init(lines: [ArraySlice<UInt8>]) {
    entries = lines.compactMap { line in
      if line.elementsEqual(Self.partWord) { return .part }
      return PercentEscape.unescape(line).map { .file(Path($0)) }
    }
  }

  /// A word for each attachment, which needs no encoding in a field: a path as it is escaped, or `part`.
  var words: [[UInt8]] {
    entries.map { entry in
      switch entry {
      case .file(let path):
        PercentEscape.escape(path.octets) {
          ASCII.isControl($0) || $0 == ASCII.space || $0 > 0x7E
        }
      case .part: Self.partWord
      }
    }
  }

  /// The attachments that it names.
  ///
  /// - Parameters:
  ///   - parts: those in the kept message; none of them is left out.
  ///   - file: the attachment that a file is.
  /// - Returns: the attachments in their order.
  /// - Throws: what `file` throws.
  package func attachments(
    _ parts: [DraftAttachment],
    file: (Path) throws(Explanation) -> AttachedFile
  ) throws(Explanation) -> [DraftAttachment] {
    let count = entries.count { $0 == .part }
    var parts = parts[...]
    var attachments = [DraftAttachment](parts.prefix(max(0, parts.count - count)))
    parts = parts.dropFirst(attachments.count)
    for entry in entries {
      switch entry {
      case .file(let path): attachments.append(.file(try file(path)))
      case .part: if let part = parts.popFirst() { attachments.append(part) }
      }
    }
    return attachments
  }
}
