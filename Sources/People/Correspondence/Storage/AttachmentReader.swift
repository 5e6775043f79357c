package import MailModel
internal import Glibc
package import MIME
internal import Octets
package import Platform
package import SyncState

/// Files of this machine as attachments.
package struct AttachmentReader: Sendable {
  /// How many octets all attachments of a message may have.
  private let limit: Int
  private let partial: PartialFiles

  /// A reader for messages whose attachments have at most so many octets; `partial` tells what lacks attachments itself.
  package init(limit: Int, _ partial: PartialFiles) {
    self.limit = limit
    self.partial = partial
  }

  /// The file of that name, as an attachment.
  ///
  /// - Parameters:
  ///   - path: where it is, from the current directory.
  ///   - name: the name that readers see, in UTF-8; nil for that of the file.
  ///   - type: its media type; nil to tell it by the name.
  ///   - contentID: by which HTML shows it; nil for an attachment.
  /// - Returns: the file, not yet read.
  /// - Throws: why it cannot be attached.
  package func file(
    _ path: Path,
    name: [UInt8]? = nil,
    type: FileType? = nil,
    contentID: MessageID? = nil
  ) throws(Explanation) -> AttachedFile {
    let file = try found(path, name: name, type: type, contentID: contentID)
    try partial.checkWhole(file: file.path, "not attached")
    return file
  }

  /// The file at an absolute path as an attachment, also where it cannot be read now: then the message cannot be made.
  package func file(keptAs path: Path) -> AttachedFile {
    if let file = try? file(path) { return file }
    let name = Self.text(path.lastComponent)
    let type = FileType.of(name: name) ?? .unknown
    return AttachedFile(path: path, name: name, type: type, contentID: nil, size: 0)
  }

  /// Why attachments cannot be read now, one for each that cannot.
  package func problems(of attachments: [DraftAttachment]) -> [Explanation] {
    attachments.compactMap(\.path).compactMap { path in
      do throws(Explanation) {
        _ = try file(path)
        return nil
      } catch {
        return error
      }
    }
  }

  private func found(
    _ path: Path,
    name: [UInt8]?,
    type: FileType?,
    contentID: MessageID?
  ) throws(Explanation) -> AttachedFile {
    do throws(SystemError) {
      let status = try Self.status(path)
      // What cannot be read is noticed now.
      _ = try Descriptor.open(path, .read)
      let name = name.map { Self.text($0) } ?? Self.text(path.lastComponent)
      var known = type ?? FileType.of(name: name) ?? SystemFileTypes.type(of: name)
      if known == nil { known = try Self.guessed(path) }
      return AttachedFile(
        path: try FileSystem.realPath(path),
        name: name,
        type: known ?? .unknown,
        contentID: contentID,
        size: Int(status.size)
      )
    } catch {
      throw Self.explanation(error)
    }
  }

  /// What is known of a file; of anything else why it cannot be attached.
  private static func status(_ path: Path) throws(SystemError) -> FileStatus {
    guard let status = try FileSystem.status(path) else {
      throw SystemError(operation: "open", path: path, code: ENOENT)
    }
    // A pipe would be waited for.
    guard status.kind == .regular else {
      let code = status.kind == .directory ? EISDIR : EINVAL
      throw SystemError(operation: "read", path: path, code: code)
    }
    return status
  }

  /// The attachments; files stay open, and are read as the message is written.
  ///
  /// - Throws: a file that can no longer be read; more octets than the limit allows.
  package func read(_ attachments: [DraftAttachment]) throws(Explanation) -> [OutgoingPart] {
    var parts: [OutgoingPart] = []
    var size = 0
    for attachment in attachments {
      switch attachment {
      case .part(let part, _):
        size += part.size
        parts.append(part)
      case .file(let file):
        let octets = try open(file)
        size += octets.count
        guard size <= limit else { throw tooLarge }
        parts.append(try part(file, octets))
      }
      guard size <= limit else { throw tooLarge }
    }
    return parts
  }

  /// That the attachments have more octets than the limit allows.
  var tooLarge: Explanation {
    Explanation(
      .data,
      "the attachments have more than \(limit >> 20) MiB",
      hint: "attachment-limit in the configuration says how many they may have"
    )
  }

  /// Opens a file that may have become something else since it was named.
  private func open(_ file: AttachedFile) throws(Explanation) -> FileOctets {
    let octets: FileOctets
    do throws(SystemError) {
      _ = try Self.status(file.path)
      octets = try FileOctets(Descriptor.open(file.path, .read))
    } catch {
      throw Self.explanation(error)
    }
    try partial.checkWhole(file: file.path, "not attached")
    return octets
  }

  private func part(
    _ file: AttachedFile,
    _ octets: any OctetSource
  ) throws(Explanation) -> OutgoingPart {
    do throws(SourceError) {
      return try .file(octets, type: file.type, name: file.name, contentID: file.contentID)
    } catch {
      throw Explanation(reading: error)
    }
  }

  private static func explanation(_ error: SystemError) -> Explanation {
    Explanation(.noInput, place: error.path?.display, "cannot be attached: \(error.reason)")
  }

  /// A name as UTF-8.
  private static func text(_ name: [UInt8]) -> [UInt8] {
    [UInt8](String(decoding: name, as: UTF8.self).utf8)
  }

  /// The type of a file by what it begins with.
  private static func guessed(_ path: Path) throws(SystemError) -> FileType? {
    let start = try Descriptor.open(path, .read).read(atMost: 4096)
    let isText = !start.contains(0) && String(validating: start.dropLast(3), as: UTF8.self) != nil
    return isText ? FileType([UInt8](ascii: "text/plain")) : nil
  }
}

extension Explanation {
  /// Why an attachment of a message can no longer be read.
  init(reading error: SourceError) {
    self.init(.noInput, "cannot be attached: \(error.description)")
  }
}

/// The types in the system's list of types (mime.types(5)).
enum SystemFileTypes {
  private static let file = Path("/etc/mime.types")

  static func type(of name: [UInt8]) -> FileType? {
    guard let ending = FileType.ending(of: name),
      let octets = try? FileSystem.readFile(file, limit: 1 << 22)
    else { return nil }
    for line in octets.split(separator: ASCII.lineFeed) where line.first != ASCII.hash {
      let words = line.split { $0 <= ASCII.space }
      guard words.dropFirst().contains(where: { $0.elementsEqual(ending.utf8) }),
        let type = words.first
      else { continue }
      return FileType([UInt8](type))
    }
    return nil
  }
}
