internal import Hashing
package import Maildir
internal import MailModel
package import MailStore
package import MessageContent
internal import Octets
package import Platform
package import RestorePlan
package import SyncState

/// Where a message file of the Maildir is that is restored.
package struct SourcePlace {
  /// Its folder, by its place among those of the mailbox.
  let folder: Int
  /// Its name, and whether it was in new or cur.
  let place: ScannedFile
  /// What would show that it was written anew.
  package let version: FileVersion
}

/// A message file of the Maildir that is restored.
package struct SourceFile {
  package let place: SourcePlace
  /// What it holds.
  package let file: RestoredFile

  /// Why a file is not restored.
  package enum Obstacle: Error {
    case problem(FileProblem)
    case skipped(SkippedEntry.Reason)
    /// It went away meanwhile.
    case gone
  }

  /// Reads a file once, piece by piece.
  package init(
    _ place: ScannedFile,
    in directory: Path,
    folder: Int,
    keywords: [[UInt8]],
    sizeLimit: UInt64?,
    partial: PartialFiles
  ) throws(Obstacle) {
    let path = place.path(in: directory)
    let (read, digest): (Reading, WireDigest?)
    do throws(SystemError) {
      read = try Reading(path)
      digest = read.digest
    } catch {
      throw Self.obstacle(error)
    }
    let problem: FileProblem?
    do throws(SystemError) {
      problem = try Self.problem(read.facts, place.name.base, sizeLimit, partial)
    } catch {
      throw .problem(.unreadable(error))
    }
    if let problem { throw .problem(problem) }
    let bodySize = read.facts.wireSize - min(read.facts.wireSize, read.facts.header.size)
    if MbsyncPlaceholder.isOne(path, place.name.base, bodySize: bodySize) {
      throw .skipped(.placeholder)
    }
    guard let digest else { throw .gone }
    self.place = SourcePlace(folder: folder, place: place, version: read.version)
    file = RestoredFile(
      digest: digest,
      identity: read.facts.identity,
      headerKey: read.facts.header.headerKey,
      wireSize: read.facts.wireSize,
      date: read.date,
      flags: MessageFlags(place.name.flags, keywords: keywords)
    )
  }

  private static func obstacle(_ error: SystemError) -> Obstacle {
    if error.isNotFound { return .gone }
    if error.isLink { return .skipped(.link) }
    return error.isNotAFile ? .skipped(.noFile) : .problem(.unreadable(error))
  }

  private static func problem(
    _ facts: ContentReading.Facts,
    _ name: [UInt8],
    _ sizeLimit: UInt64?,
    _ partial: PartialFiles
  ) throws(SystemError) -> FileProblem? {
    if try partial.isPartial(facts.marks, named: name) { return .partial }
    if facts.containsNUL { return .containsNUL }
    if facts.wireSize == 0 { return .empty }
    if let sizeLimit, facts.wireSize > sizeLimit { return .tooBig(limit: sizeLimit) }
    return nil
  }

  /// What one reading of a file tells.
  private struct Reading {
    var facts: ContentReading.Facts
    var digest: WireDigest?
    var version: FileVersion
    var date: Int64

    private static let runLength = 64 << 10

    init(_ path: Path) throws(SystemError) {
      let file = try GuardedFile.open(path)
      let status = try file.status()
      version = FileVersion(status)
      date = status.fingerprint.modified / 1_000_000_000
      var reader = WireReader(try FileOctets(file))
      var hash = SHA256()
      var reading = ContentReading()
      while true {
        let octets = try reader.next(atMost: Self.runLength)
        if octets.isEmpty { break }
        hash.update(octets)
        reading.readOctets(octets)
      }
      facts = reading.finish()
      digest = WireDigest(hash.finish())
    }
  }
}

/// A file on its way to the server.
struct SourceUpload: MessageSource {
  let index: Int
  let file: RestoredFile
  let source: SourcePlace
  let directory: Path
  let marks: MessageFlags
  let progress: RestoreProgress

  var arrival: Int64? { file.date }
  var wireSize: UInt64 { file.wireSize }

  /// What is sent has to be what was read: a file that was written since is not it.
  func open() throws(SystemError) -> WireReader {
    do throws(SystemError) {
      let seen = source.place.path(in: directory)
      let path = try CurrentPath.find(source.place.name.base, in: directory, seenAt: seen)
      let file = try GuardedFile.open(path ?? seen)
      guard FileVersion(try file.status()) == source.version else {
        throw SystemError.notFound(seen)
      }
      return WireReader(try FileOctets(file))
    } catch {
      progress.lost.insert(index)
      throw SystemError.notFound(source.place.path(in: directory))
    }
  }
}

/// A folder of the Maildir that is restored.
package struct SourceFolder: Sendable {
  package let path: Path
  /// The levels of the mailbox that it goes to.
  package let levels: [[UInt8]]
  /// Whether Magnum made it.
  let isOurs: Bool
  /// What its messages have by it, where labels are tags.
  var marks = MessageFlags()
}

/// The keywords of the messages in a folder, as far as Magnum or Dovecot left them there.
package struct SourceKeywords {
  private static let sizeLimit = 256 << 20

  private let tags: FolderTags
  private let table: KeywordTable

  /// Reads the files of a folder; one that cannot be read says nothing, and `fail` is told.
  package init(of folder: Path, fail: (Path, SystemError) -> Void) {
    func read(_ path: Path) -> [UInt8] {
      do throws(SystemError) {
        return try GuardedFile.contents(path, limit: Self.sizeLimit) ?? []
      } catch {
        fail(path, error)
        return []
      }
    }
    tags = FolderTags(
      agreed: KeywordFile(octets: read(KeywordFile.path(in: folder))),
      changed: TagFile(octets: read(TagFile.path(in: folder))) ?? TagFile()
    )
    table = KeywordTable(read(KeywordTable.path(in: folder)))
  }

  /// Those of a message by the name of its file.
  package subscript(_ name: FileName) -> [[UInt8]] {
    tags[base: name.base] + name.otherLetters.compactMap { table.name(of: $0) }
  }
}

/// Files of a Maildir that another user may have filled: neither links nor pipes are opened.
package enum GuardedFile {
  /// Opens a regular file to be read.
  ///
  /// - Throws: ``SystemError/isNotAFile`` for a symbolic link and what else is no regular file, else the error of open(2).
  package static func open(_ path: Path) throws(SystemError) -> Descriptor {
    try Descriptor.open(path, .read.guarded)
  }

  /// The whole content of a regular file; nil where there is none.
  ///
  /// - Throws: the error of opening it, as ``open(_:)`` does, or of reading it.
  package static func contents(_ path: Path, limit: Int) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      return try FileSystem.contents(of: try open(path), limit: limit)
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }
}
