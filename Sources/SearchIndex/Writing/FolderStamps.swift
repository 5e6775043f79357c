internal import Platform

/// What the directories of a Maildir looked like when they were last read.
struct FolderStamps: Hashable {
  /// The stamps of one folder; nil for one that was too young to tell a later change.
  struct Stamps: Hashable {
    var new: FileStamp?
    var cur: FileStamp?
    /// That of the file of keywords; nil where there is none.
    var keywords: FileStamp?
  }

  /// What stands for the stamp of a file that was too young to tell a later change: no file has it.
  static let unsettled = FileStamp(device: 0, inode: 0, modified: 0, changed: 0)

  /// By the path of the folder below the root.
  var folders: [[UInt8]: Stamps] = [:]

  /// Of every directory that may hold folders, by its path; nil as above.
  var parents: [[UInt8]: FileStamp?] = [:]

  init() {}

  init(_ octets: [UInt8]) {
    var reader = OctetReader(octets)
    for _ in 0..<reader.count() where !reader.isCut {
      let name = reader.text()
      folders[name] = Stamps(
        new: Self.stamp(&reader),
        cur: Self.stamp(&reader),
        keywords: Self.stamp(&reader)
      )
    }
    for _ in 0..<reader.count() where !reader.isCut {
      let name = reader.text()
      parents[name] = .some(Self.stamp(&reader))
    }
    if reader.isCut { self = FolderStamps() }
  }

  var octets: [UInt8] {
    var writer = OctetWriter()
    writer.add(folders.count)
    for (name, stamps) in folders.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      writer.add(name)
      Self.add(stamps.new, to: &writer)
      Self.add(stamps.cur, to: &writer)
      Self.add(stamps.keywords, to: &writer)
    }
    writer.add(parents.count)
    for (name, stamp) in parents.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      writer.add(name)
      Self.add(stamp, to: &writer)
    }
    return writer.octets
  }

  /// A stamp as far as it can be trusted.
  static func trusted(_ stamp: FileStamp, _ now: Int64) -> FileStamp? {
    stamp.isReliable(now: now) ? stamp : nil
  }

  private static func add(_ stamp: FileStamp?, to writer: inout OctetWriter) {
    writer.add(stamp == nil ? 0 : 1)
    guard let stamp else { return }
    writer.add(fixed: stamp.device)
    writer.add(fixed: stamp.inode)
    writer.add(fixed: UInt64(bitPattern: stamp.modified))
    writer.add(fixed: UInt64(bitPattern: stamp.changed))
  }

  private static func stamp(_ reader: inout OctetReader) -> FileStamp? {
    guard reader.number() == 1 else { return nil }
    return FileStamp(
      device: reader.fixed(),
      inode: reader.fixed(),
      modified: Int64(bitPattern: reader.fixed()),
      changed: Int64(bitPattern: reader.fixed())
    )
  }
}
