package import MailModel
package import Octets

/// Files of a Maildir in the order in which they were found, each base name once.
///
/// Their names lie in one piece of memory, and a file is made of its name each time that it is asked for: whoever looks at
/// all of a large Maildir asks for positions, flags and bases.
package struct FileTable: RandomAccessCollection, Sendable {
  private struct Mark {
    let flags: SystemFlags
    let subdirectory: Subdirectory
  }

  /// The names, found by their bases; the number of a name is the position of its file.
  package private(set) var names: OctetPool
  private var marks: [Mark] = []

  /// A table of no files, with room for so many.
  package init(minimumCapacity: Int = 0) {
    names = OctetPool(minimumCapacity: minimumCapacity)
    marks.reserveCapacity(minimumCapacity)
  }

  /// A table of these files; of several with one base name it has the first.
  package init(_ files: some Sequence<ScannedFile>) {
    self.init()
    for file in files { insert(file) }
  }

  /// The position of the first file.
  package var startIndex: Int { 0 }
  /// The position behind the last file.
  package var endIndex: Int { marks.count }

  /// The file in that position.
  package subscript(position: Int) -> ScannedFile {
    let name = names.withOctets(position) { FileName([UInt8]($0)) }
    return ScannedFile(name: name, subdirectory: marks[position].subdirectory)
  }

  /// The file of that base name; nil where there is none.
  package subscript(base: [UInt8]) -> ScannedFile? {
    names.number(of: base).map { self[$0] }
  }

  /// Where the file of that base name stands; nil where there is none.
  package func position(of base: UnsafeRawBufferPointer) -> Int? {
    names.number(of: base)
  }

  /// Whether there is a file of that base name.
  package func contains(base: [UInt8]) -> Bool {
    names.number(of: base) != nil
  }

  /// The flags that the name of a file shows.
  package func flags(at position: Int) -> SystemFlags {
    marks[position].flags
  }

  /// The base name of a file.
  package func base(at position: Int) -> [UInt8] {
    names.withKey(position) { [UInt8]($0) }
  }

  /// Lends the base name of a file.
  package func withBase<Result>(
    at position: Int,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try names.withKey(position, body)
  }

  /// The base names of all files, in their order.
  package var bases: [[UInt8]] {
    indices.map { base(at: $0) }
  }

  /// Adds a file, unless one with its base name is there, which stays.
  ///
  /// - Returns: the position of the file with that base name, and whether it is the one that was added.
  @discardableResult
  mutating func insert(
    _ name: UnsafeRawBufferPointer,
    _ outline: FileName.Outline,
    _ subdirectory: Subdirectory
  ) -> (position: Int, isNew: Bool) {
    let (position, isNew) = names.insert(name, keyCount: outline.baseCount)
    if isNew { marks.append(Mark(flags: outline.flags, subdirectory: subdirectory)) }
    return (position, isNew)
  }

  private mutating func insert(_ file: ScannedFile) {
    file.name.octets.withUnsafeBytes { name in
      _ = insert(name, FileName.Outline(name), file.subdirectory)
    }
  }

  /// The table with other files of the same base names in some positions.
  func replacing(_ others: [Int: ScannedFile]) -> FileTable {
    others.isEmpty ? self : FileTable(indices.lazy.map { others[$0] ?? self[$0] })
  }

  /// The table without the messages of Magnum's own, which are no mail of the account.
  package var withoutNotices: FileTable {
    let isNotice = indices.map { withBase(at: $0, NoticeName.isOne) }
    guard isNotice.contains(true) else { return self }
    return FileTable(indices.lazy.filter { !isNotice[$0] }.map { self[$0] })
  }
}
