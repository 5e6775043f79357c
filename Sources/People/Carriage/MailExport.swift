package import Configuration
internal import Glibc
internal import Hashing
internal import Maildir
package import MailModel
internal import Mbox
internal import MessageContent
internal import MIME
package import Octets
package import Platform
package import SearchIndex

/// How messages are taken out.
package enum ExportFormat: String, Hashable, Sendable, CaseIterable {
  case mbox, eml, maildir, json
  /// One page for all of them.
  case html
}

/// Makes text of messages that are taken out as such.
package protocol ExportRenderer: AnyObject {
  /// What stands for a message.
  ///
  /// - Throws: why it cannot be made.
  func octets(of message: ExportedMessage) throws(Explanation) -> [UInt8]
  /// What follows the last one.
  var end: [UInt8] { get }
}

/// How many messages were taken out.
package struct ExportCounts: Hashable, Sendable {
  package internal(set) var exported = 0
  /// Messages whose files were there.
  package internal(set) var there = 0
  package internal(set) var left = 0
  package internal(set) var octets: UInt64 = 0
}

/// Writes messages to files of their own; nothing of them is changed.
package final class MailExport {
  private let format: ExportFormat
  /// Nil for standard output.
  private let place: Path?
  private let isForced: Bool
  private let hintWhereTaken: String
  private let keepsFolders: Bool
  private let reader: ExportReader
  private let interruption: Interruption
  private let renderer: any ExportRenderer
  private let leaveOut: (ExportItem, ImportFlaw) -> Void
  private let progress: (ExportCounts) -> Void
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  private var counts = ExportCounts()
  /// Messages that a directory got which was there before, until an export failed.
  private var placed: Int?

  /// An export in a format to a file or directory, or to standard output where that is nil.
  ///
  /// The messages are those of accounts and indexes, or lie in Maildirs of any account below `roots`; `renderer` makes lines of
  /// JSON or the page. `isForced` replaces a file that is there, and completes a directory; `keepsFolders` makes folders of a Maildir of folders.
  /// `hintWhereTaken` tells what a person may do where something is there that is not to be replaced.
  package init(
    _ format: ExportFormat,
    to place: Path?,
    force isForced: Bool,
    hintWhereTaken: String,
    keepsFolders: Bool,
    _ accounts: [Account],
    _ set: SearchSet,
    roots: [Path] = [],
    interruption: Interruption = .shared,
    renderer: any ExportRenderer,
    progress: @escaping (ExportCounts) -> Void,
    leaveOut: @escaping (ExportItem, ImportFlaw) -> Void
  ) {
    (self.format, self.place, self.isForced) = (format, place, isForced)
    (self.keepsFolders, self.interruption, self.renderer) = (keepsFolders, interruption, renderer)
    self.hintWhereTaken = hintWhereTaken
    (self.progress, self.leaveOut) = (progress, leaveOut)
    reader = ExportReader(accounts, set, roots: roots)
  }

  /// Writes all messages.
  ///
  /// - Throws: why that is not possible; a file that is not whole is not left.
  package func writeMessages(_ items: [ExportItem]) throws(Explanation) -> ExportCounts {
    do {
      switch format {
      case .mbox, .json, .html: try writeFile(items)
      case .eml where place == nil: try writeFile(items)
      case .eml, .maildir: try writeDirectory(items)
      }
    } catch let error as SystemError {
      throw explanation(error)
    } catch let error as Explanation {
      throw error
    } catch {
      throw Explanation(.output, "\(error)")
    }
    return counts
  }

  private func explanation(_ error: SystemError) -> Explanation {
    guard let place else {
      return Explanation(.output, place: "standard output", error.reason)
    }
    if error.isAlreadyThere {
      return Explanation(
        .cannotCreate,
        place: place.display,
        "this \(isDirectory(place) ? "directory" : "file") is already there",
        hint: hintWhereTaken
      )
    }
    if error.code == EINVAL, error.path == place {
      return Explanation(
        .cannotCreate,
        place: place.display,
        "no regular file, and not replaced",
        hint: "name another file, or - for standard output"
      )
    }
    let parent = (try? FileSystem.status(place.parent)) ?? nil
    if error.isNotFound || error.code == ENOTDIR, parent?.kind != .directory {
      let text = "there is no directory \(place.parent.display)"
      return Explanation(.cannotCreate, place: place.display, text)
    }
    if error.code == ENOTDIR, error.path == place {
      return Explanation(
        .cannotCreate,
        place: place.display,
        "no directory",
        hint: "name another place; a file for each message needs a directory"
      )
    }
    let hint = placed.map { count in
      "\(count == 1 ? "1 message was" : "\(count) messages were") added; "
        + "the same command with --force adds the rest"
    }
    if error.code == EINTR {
      let text = placed == nil ? "interrupted; nothing is left of it" : "interrupted"
      return Explanation(.tryAgain, place: place.display, text, hint: hint)
    }
    // The path of the error is that of the hidden file that is written beside the place.
    return Explanation(.cannotCreate, place: place.display, error.reason, hint: hint)
  }

  private func isDirectory(_ place: Path) -> Bool {
    (try? FileSystem.status(place, followingLinks: false))?.kind == .directory
  }

  /// Opens each message in turn, and leaves out what cannot be taken out.
  private func forEach(
    _ items: [ExportItem],
    _ body: (ExportItem, ExportedMessage) throws -> Void
  ) throws {
    var ahead = ReadAhead(items)
    for (index, item) in items.enumerated() {
      ahead.advance(to: index)
      try interruption.check("write", place ?? Path("-"))
      let message: ExportedMessage
      do throws(ImportFlaw) {
        message = try reader.open(item)
      } catch {
        counts.left += 1
        leaveOut(item, error)
        continue
      }
      try body(item, message)
      counts.octets += UInt64(message.octets.count)
      if counts.exported % 100 == 0 { progress(counts) }
    }
  }

  // MARK: One file

  private func writeFile(_ items: [ExportItem]) throws {
    let file = try ExportFile(place, replacing: isForced)
    try forEach(items) { _, message in
      switch format {
      case .mbox: try MboxMessage.write(message, decoder) { try file.write($0) }
      case .json, .html: try file.write(try renderer.octets(of: message))
      case .eml, .maildir: try MailExport.writeWire(message.octets) { try file.write([UInt8]($0)) }
      }
      counts.exported += 1
    }
    // A file without a message is none.
    guard counts.exported > 0 else { return }
    if format == .json || format == .html { try file.write(renderer.end) }
    try file.finish()
  }

  /// Gives the octets of a message as they go over the wire.
  package static func writeWire(
    _ message: any OctetSource,
    _ write: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var reader = WireReader(message)
    while true {
      let piece = try reader.next(atMost: 64 << 10)
      if piece.isEmpty { return }
      try write(piece)
    }
  }

  // MARK: A directory

  private func writeDirectory(_ items: [ExportItem]) throws {
    guard let place else { return }
    let isThere = try FileSystem.status(place, followingLinks: false) != nil
    if isThere {
      guard isForced else { throw SystemError(operation: "mkdir", path: place, code: EEXIST) }
      guard try FileSystem.status(place)?.kind == .directory else {
        throw SystemError(operation: "mkdir", path: place, code: ENOTDIR)
      }
    }
    // A new directory gets its name when all of it is there.
    let mark = [UInt8](".\(getpid()).exporting".utf8)
    let work =
      isThere ? place : place.parent.appending([ASCII.dot] + place.lastComponent.prefix(200) + mark)
    let directory = ExportDirectory(work, isNamed: isThere)
    do {
      try FileSystem.makeDirectories(work)
      try forEach(items) { item, message in
        let isNew =
          format == .eml
          ? try directory.addMessage(
            message,
            named: try ExportName.eml(message, item.date, decoder)
          )
          : try directory.addToMaildir(message, levels: levels(message))
        if isNew { counts.exported += 1 } else { counts.there += 1 }
      }
      try directory.finish()
      guard !isThere else { return }
      guard counts.exported > 0 else { return ExportDirectory.remove(work) }
      try FileSystem.renameWithoutReplacing(work, to: place)
      try FileSystem.synchroniseDirectory(place.parent)
    } catch {
      if isThere {
        directory.removeWaiting()
        placed = directory.placed
      } else {
        ExportDirectory.remove(work)
      }
      throw error
    }
  }

  /// The folder of a message in a new Maildir: INBOX is the Maildir itself.
  private func levels(_ message: ExportedMessage) -> [[UInt8]] {
    guard keepsFolders else { return [] }
    let levels = message.folder.split(separator: ASCII.slash).map { [UInt8]($0) }
    return levels.count == 1 && levels[0].equalsCaseless("INBOX") ? [] : levels
  }
}
