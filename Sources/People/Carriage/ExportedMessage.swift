internal import Archives
package import Configuration
internal import Maildir
package import MailModel
internal import Mbox
internal import MessageContent
internal import MIME
package import Octets
package import Platform
internal import Restoration
package import SearchIndex
internal import SyncState

/// A message that is taken out, with what is known of it besides its octets.
package struct ExportedMessage {
  package let octets: any OctetSource
  package let flags: SystemFlags
  package let tags: [[UInt8]]
  /// The account in whose Maildir it lies; nil for none.
  package let account: String?
  /// Its folder as people know it; empty for a file that lies in none.
  package let folder: [UInt8]
  /// Its file; nil for a message of an archive.
  package let path: Path?
  /// When its file was last changed, in seconds since 1970.
  package let date: Int64
}

/// Opens messages that are taken out, one after the other.
package final class ExportReader {
  private let accounts: [Account]
  private let set: SearchSet
  private let partial: PartialFiles
  /// The tags of the folder that was read last: messages of a folder often follow each other.
  private var tags: [Path: SourceKeywords] = [:]

  /// Shorter messages are read at once.
  private static let wholeLimit = 256 << 10
  /// The tags of more folders are not kept.
  private static let folderLimit = 200

  /// A reader of the messages of accounts and a set of indexes, and of the Maildirs of any account below `roots`.
  package init(_ accounts: [Account], _ set: SearchSet, roots: [Path] = []) {
    (self.accounts, self.set) = (accounts, set)
    partial = PartialFiles(accounts, roots: roots)
  }

  /// Opens a message.
  ///
  /// - Throws: why it is left out.
  package func open(_ item: ExportItem) throws(ImportFlaw) -> ExportedMessage {
    switch item.place {
    case .file(let file):
      return try message(file.currentPath(), seen: file.path, folder: file.folder)
    case .named(let path):
      return try message(path, seen: path, folder: [], from: try messageStart(path))
    case .read(let octets, _): return try message(octets)
    case .archived(let message):
      guard let octets = set.archived(message) else { throw .changed }
      if message.isPartial(octets) { throw .partial }
      let names = message.tags.map { [UInt8]($0.rawValue.utf8) }
      return ExportedMessage(
        octets: octets,
        flags: message.tags.contains { $0.rawValue == "unread" } ? [] : .seen,
        tags: names.filter { name in
          !["unread", "inbox", "attachment"].contains { name.elementsEqual($0.utf8) }
        },
        account: message.copies.first?.archive,
        folder: message.copies.first?.folder ?? [],
        path: nil,
        date: message.date
      )
    }
  }

  /// Where the message of a file begins, behind empty lines; one in a Maildir is taken as it is.
  ///
  /// - Throws: that the file is no message.
  private func messageStart(_ path: Path) throws(ImportFlaw) -> Int {
    guard !Self.isInMaildir(path) else { return 0 }
    let start: [UInt8]
    do throws(SystemError) {
      start = try Descriptor.open(path, .read).read(atMost: SourceKind.startLength)
    } catch {
      throw Self.flaw(error)
    }
    switch SourceKind(start: start) {
    case .message: return SourceKind.firstLine(in: start)
    case .mbox: throw .mbox
    case .empty: throw .empty
    case .other: throw .noHeader
    }
  }

  private static func isInMaildir(_ path: Path) -> Bool {
    [Subdirectory.cur.name, Subdirectory.new.name].contains(path.parent.lastComponent)
  }

  /// A message that lies in no file; all that is known of it is what it holds.
  private func message(_ octets: [UInt8]) throws(ImportFlaw) -> ExportedMessage {
    do throws(SystemError) {
      guard try partial.finding(octets) == .whole else { throw Self.isPartial(Path("-")) }
    } catch {
      throw Self.flaw(error)
    }
    return ExportedMessage(
      octets: [UInt8](octets[SourceKind.firstLine(in: octets)...]),
      flags: .seen,
      tags: [],
      account: nil,
      folder: [],
      path: nil,
      date: Message(octets).header.date?.seconds ?? 0
    )
  }

  private func message(
    _ path: Path?,
    seen: Path,
    folder: [UInt8],
    from start: Int = 0
  ) throws(ImportFlaw) -> ExportedMessage {
    guard let path else { throw .gone }
    do throws(SystemError) {
      let file = try Descriptor.open(path, .read)
      let status = try file.status()
      let source = try FileOctets(file)
      let octets: any OctetSource =
        source.count <= Self.wholeLimit
        ? try SystemError.reading { () throws(SourceError) in try source.whole() } : source
      let marks = try SystemError.reading { () throws(SourceError) in
        try PartialDetector.marks(in: octets)
      }
      if !marks.isEmpty, try partial.finding(file: path) != .whole {
        throw Self.isPartial(path)
      }
      let name = FileName(path.lastComponent)
      let maildir = path.parent.parent
      let isInMaildir = Self.isInMaildir(path)
      return ExportedMessage(
        octets: octets.part(min(start, octets.count)..<octets.count),
        flags: isInMaildir ? name.flags : .seen,
        tags: isInMaildir ? keywords(maildir)[name] : [],
        account: accounts.first { account in
          (maildir.octets + [ASCII.slash]).starts(with: account.maildir.octets + [ASCII.slash])
        }?.name,
        folder: folder,
        path: path,
        date: status.fingerprint.modified / 1_000_000_000
      )
    } catch {
      throw Self.flaw(error)
    }
  }

  private static let partialMark = "partial"

  private static func isPartial(_ path: Path) -> SystemError {
    SystemError(operation: partialMark, path: path, code: 0)
  }

  private static func flaw(_ error: SystemError) -> ImportFlaw {
    if error.operation == partialMark { return .partial }
    return error.isNotFound ? .gone : .unreadable(error)
  }

  private func keywords(_ maildir: Path) -> SourceKeywords {
    if let known = tags[maildir] { return known }
    if tags.count >= Self.folderLimit { tags = [:] }
    let read = SourceKeywords(of: maildir) { _, _ in }
    tags[maildir] = read
    return read
  }
}
