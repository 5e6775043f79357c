internal import Maildir
internal import Octets
internal import Platform

/// A folder of the Maildir that is restored.
struct SourceFolder {
  /// Where it is.
  let path: Path
  /// The levels of the mailbox that it goes to.
  let levels: [[UInt8]]
  /// Whether Magnum made it.
  let isOurs: Bool
}

/// The keywords of the messages in a folder, as far as Magnum or Dovecot left them there.
struct SourceKeywords {
  private static let sizeLimit = 256 << 20

  private let tags: FolderTags
  private let table: KeywordTable

  /// Reads the files of a folder; one that cannot be read says nothing, and `fail` is told.
  init(of folder: Path, fail: (Path, SystemError) -> Void) {
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
  subscript(_ name: FileName) -> [[UInt8]] {
    tags[base: name.base] + name.otherLetters.compactMap { table.name(of: $0) }
  }
}
