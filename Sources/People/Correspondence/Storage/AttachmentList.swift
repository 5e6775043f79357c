package import MailModel
internal import MIME
internal import Octets
package import Platform

/// The attachments of a draft that is kept, in their order, which the numbers in its text count.
///
/// Files are named by their paths; parts of the kept message follow each other there, and need no name.
package struct AttachmentList: Hashable, Sendable {
  /// An attachment.
  private enum Entry: Hashable, Sendable {
    /// A file, with the id by which HTML shows it.
    case file(Path, MessageID?)
    /// The next part of the message.
    case part
  }

  private static let partWord = [UInt8](ascii: "part")

  private let entries: [Entry]

  init(_ attachments: [DraftAttachment]) {
    entries = attachments.map { attachment in
      attachment.path.map { .file($0, attachment.contentID) } ?? .part
    }
  }

  /// The list of these lines, each an escaped path, one behind an escaped id in `<>`, or `part`.
  init(lines: [ArraySlice<UInt8>]) {
    entries = lines.compactMap { line in
      if line.elementsEqual(Self.partWord) { return .part }
      var cursor = Cursor(line)
      var id: MessageID?
      if cursor.skip(ASCII.lessThan), let escaped = cursor.take(upTo: ASCII.greaterThan) {
        id = PercentEscape.unescape(escaped).flatMap { MessageID(stripping: $0) }
        _ = cursor.skip(ASCII.greaterThan)
      }
      return PercentEscape.unescape(cursor.remaining).map { .file(Path($0), id) }
    }
  }

  /// A word for each attachment, which needs no encoding in a field: a path as it is escaped, or `part`.
  var words: [[UInt8]] {
    entries.map { entry in
      switch entry {
      case .file(let path, let id):
        (id.map { [ASCII.lessThan] + Self.escaped($0.octets) + [ASCII.greaterThan] } ?? [])
          + Self.escaped(path.octets)
      case .part: Self.partWord
      }
    }
  }

  private static func escaped(_ octets: [UInt8]) -> [UInt8] {
    PercentEscape.escape(octets) { ASCII.isControl($0) || $0 == ASCII.space || $0 > 0x7E }
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
      case .file(let path, let id): attachments.append(.file(try file(path).shown(as: id)))
      case .part: if let part = parts.popFirst() { attachments.append(part) }
      }
    }
    return attachments
  }
}
