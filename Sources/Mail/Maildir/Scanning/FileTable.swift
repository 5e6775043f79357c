package import MailModel
internal import Octets

/// Files of a Maildir in the order in which they were found, each base name once.
///
/// Names that are known already are not kept again, and others lie in one piece of memory. A file is made of its name on each
/// request. To look at all of a large Maildir, ask for positions, flags and bases.
package struct FileTable: RandomAccessCollection, Sendable {
  /// Stands for no position.
  package static let absent = UInt32.max

  private struct Entry {
    /// Of the name, among those that are known or those that are kept here.
    let number: UInt32
    let flags: SystemFlags
    let subdirectory: Subdirectory
    let form: Form
    /// The lowest bits.
    let inode: UInt32
  }

  /// How the name of a file comes about.
  private enum Form {
    /// It is kept here.
    case own
    /// It is a known base.
    case base
    /// It is a known base with the flags behind it.
    case flagged
  }

  private let known: any KnownNames
  /// The positions of the files that have the known names, by their numbers.
  private var knownPositions: [UInt32]
  /// The names that are kept here, found by their bases.
  private var ownNames = OctetPool()
  private var ownPositions: [UInt32] = []
  private var entries: [Entry] = []
  /// Whether one of the files is a message of Magnum's own.
  private var hasNotices = false

  /// A table of no files, which may have these names.
  package init(knowing known: any KnownNames) {
    self.known = known
    knownPositions = Array(repeating: Self.absent, count: known.count)
    entries.reserveCapacity(known.count)
  }

  /// A table of no files.
  package init() {
    self.init(knowing: NoNames())
  }

  /// A table of these files; of several with one base name it has the first.
  package init(_ files: some Sequence<ScannedFile>) {
    self.init(files, knowing: NoNames())
  }

  private init(_ files: some Sequence<ScannedFile>, knowing known: any KnownNames) {
    self.init(knowing: known)
    for file in files { insert(file) }
  }

  /// The position of the first file.
  package var startIndex: Int { 0 }
  /// The position behind the last file.
  package var endIndex: Int { entries.count }

  /// The file in that position.
  package subscript(position: Int) -> ScannedFile {
    let entry = entries[position]
    let number = Int(entry.number)
    let name =
      switch entry.form {
      case .own: ownNames.withOctets(number) { FileName([UInt8]($0)) }
      case .base: known.withName(number) { FileName([UInt8]($0)) }
      case .flagged:
        known.withName(number) { FileName(base: [UInt8]($0), flags: entry.flags) }
      }
    return ScannedFile(name: name, subdirectory: entry.subdirectory)
  }

  /// The file of that base name; nil where there is none.
  package subscript(base: [UInt8]) -> ScannedFile? {
    base.withUnsafeBytes { position(of: $0) }.map { self[$0] }
  }

  /// Where the file of that base name stands; nil where there is none.
  package func position(of base: UnsafeRawBufferPointer) -> Int? {
    let place = place(of: base, known.number(of: base))
    return place == Self.absent ? nil : Int(place)
  }

  /// Where the files of names that are known stand, by their numbers, `absent` for those without one; nil where it is other
  /// names that the table knows.
  ///
  /// Of several numbers with one name only the highest has the file.
  package func positions(of names: some KnownNames) -> [UInt32]? {
    names.token === known.token && names.count == known.count ? knownPositions : nil
  }

  /// Whether there is a file of that base name.
  package func contains(base: [UInt8]) -> Bool {
    base.withUnsafeBytes { position(of: $0) } != nil
  }

  /// The flags that the name of a file shows.
  package func flags(at position: Int) -> SystemFlags {
    entries[position].flags
  }

  /// The positions of the files whose names show a flag.
  package func positions(of flag: SystemFlags) -> [Int] {
    entries.indices.filter { entries[$0].flags.contains(flag) }
  }

  /// The lowest bits of the inode of a file, as its directory tells it; nil where it does not.
  package func inode(at position: Int) -> UInt32? {
    let inode = entries[position].inode
    // File systems of user space may have none to tell, which is zero or all ones.
    return inode == 0 || inode == .max ? nil : inode
  }

  /// The base name of a file.
  package func base(at position: Int) -> [UInt8] {
    withBase(at: position) { [UInt8]($0) }
  }

  /// Lends the base name of a file.
  package func withBase<Result>(
    at position: Int,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let entry = entries[position]
    return switch entry.form {
    case .own: try ownNames.withKey(Int(entry.number), body)
    case .base, .flagged: try known.withName(Int(entry.number), body)
    }
  }

  /// Lends the name of a file and its directory; nil where the name is not kept here as a whole.
  package func withName<Result>(
    at position: Int,
    _ body: (UnsafeRawBufferPointer, Subdirectory) throws -> Result
  ) rethrows -> Result? {
    let entry = entries[position]
    guard entry.form == .own else { return nil }
    return try ownNames.withOctets(Int(entry.number)) { try body($0, entry.subdirectory) }
  }

  /// The positions of all files: those in cur first, by base name octet by octet.
  package var sortedPositions: [Int] {
    indices.sorted { one, other in
      let (isNew, isOtherNew) = (
        entries[one].subdirectory == .new, entries[other].subdirectory == .new
      )
      if isNew != isOtherNew { return isOtherNew }
      return withBase(at: one) { base in
        withBase(at: other) { base.lexicographicallyPrecedes($0) }
      }
    }
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
    _ subdirectory: Subdirectory,
    inode: UInt64 = 0
  ) -> (position: Int, isNew: Bool) {
    let base = UnsafeRawBufferPointer(rebasing: name[..<outline.baseCount])
    let number = known.number(of: base)
    let place = place(of: base, number)
    if place != Self.absent { return (Int(place), false) }
    let position = entries.count
    if let number { knownPositions[number] = UInt32(position) }
    let form = number == nil ? Form.own : Self.form(name, outline)
    let kept = form == .own ? keep(name, outline, position) : number.map { UInt32($0) } ?? 0
    let entry = Entry(
      number: kept,
      flags: outline.flags,
      subdirectory: subdirectory,
      form: form,
      inode: UInt32(truncatingIfNeeded: inode)
    )
    entries.append(entry)
    hasNotices = hasNotices || NoticeName.isOne(base)
    return (position, true)
  }

  /// Where the file of a base name stands, which is known under that number or not at all; `absent` where there is none.
  private func place(of base: UnsafeRawBufferPointer, _ number: Int?) -> UInt32 {
    if let number { return knownPositions[number] }
    return ownNames.number(of: base).map { ownPositions[$0] } ?? Self.absent
  }

  private mutating func keep(
    _ name: UnsafeRawBufferPointer,
    _ outline: FileName.Outline,
    _ position: Int
  ) -> UInt32 {
    ownPositions.append(UInt32(position))
    return UInt32(ownNames.insert(name, keyCount: outline.baseCount).number)
  }

  /// The form of a name whose base is known; own where flags do not tell what stands behind it.
  private static func form(_ name: UnsafeRawBufferPointer, _ outline: FileName.Outline) -> Form {
    if outline.baseCount == name.count { return .base }
    let letters = outline.letters
    // As many letters as flags: each stands for one of its own.
    guard outline.hasInfo, outline.lettersEnd == name.count,
      letters.count == outline.flags.rawValue.nonzeroBitCount,
      letters.dropFirst().allSatisfy({ name[$0 - 1] < name[$0] })
    else { return .own }
    return .flagged
  }

  private mutating func insert(_ file: ScannedFile, inode: UInt64 = 0) {
    file.name.octets.withUnsafeBytes { name in
      _ = insert(name, FileName.Outline(name), file.subdirectory, inode: inode)
    }
  }

  /// The table with other files of the same base names in some positions.
  func replacing(_ others: [Int: ScannedFile]) -> FileTable {
    guard !others.isEmpty else { return self }
    var table = FileTable(knowing: known)
    for (position, entry) in zip(indices, entries) {
      let other = others[position]
      table.insert(other ?? self[position], inode: other == nil ? UInt64(entry.inode) : 0)
    }
    return table
  }

  /// The table with those files where it has others of their base names.
  package func keeping(_ files: [ScannedFile]) -> FileTable {
    var others: [Int: ScannedFile] = [:]
    for file in files {
      let found = file.name.base.withUnsafeBytes { position(of: $0) }
      guard let position = found, self[position] != file else { continue }
      others[position] = file
    }
    return replacing(others)
  }

  /// The table without the messages of Magnum's own, which are no mail of the account.
  package var withoutNotices: FileTable {
    guard hasNotices else { return self }
    let others = indices.lazy.filter { !withBase(at: $0, NoticeName.isOne) }
    return FileTable(others.map { self[$0] }, knowing: known)
  }
}
