internal import Platform

/// What the directories of a Maildir looked like when they were last read.
struct FolderFingerprints: Hashable {
  /// The fingerprints of one folder; nil for one that was too young to tell a later change.
  struct Folder: Hashable {
    var new: FileFingerprint?
    var cur: FileFingerprint?
    /// That of the file of keywords; nil where there is none.
    var keywords: FileFingerprint?
  }

  /// What stands for the fingerprint of a file that was too young to tell a later change: no file has it.
  static let unsettled = FileFingerprint(device: 0, inode: 0, modified: 0, changed: 0)

  /// By the path of the folder below the root.
  var folders: [[UInt8]: Folder] = [:]

  /// Of every directory that may hold folders, by its path; nil as above.
  var parents: [[UInt8]: FileFingerprint?] = [:]

  init() {}

  init(_ octets: [UInt8]) {
    var reader = OctetReader(octets)
    for _ in 0..<reader.count() where !reader.isCut {
      let name = reader.text()
      folders[name] = Folder(
        new: Self.fingerprint(&reader),
        cur: Self.fingerprint(&reader),
        keywords: Self.fingerprint(&reader)
      )
    }
    for _ in 0..<reader.count() where !reader.isCut {
      let name = reader.text()
      parents[name] = .some(Self.fingerprint(&reader))
    }
    if reader.isCut { self = FolderFingerprints() }
  }

  var octets: [UInt8] {
    var writer = OctetWriter()
    writer.add(folders.count)
    for (name, fingerprints) in folders.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      writer.add(name)
      Self.add(fingerprints.new, to: &writer)
      Self.add(fingerprints.cur, to: &writer)
      Self.add(fingerprints.keywords, to: &writer)
    }
    writer.add(parents.count)
    for (name, fingerprint) in parents.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      writer.add(name)
      Self.add(fingerprint, to: &writer)
    }
    return writer.octets
  }

  /// A fingerprint as far as it can be trusted.
  static func trusted(_ fingerprint: FileFingerprint, _ now: Int64) -> FileFingerprint? {
    fingerprint.isReliable(now: now) ? fingerprint : nil
  }

  private static func add(_ fingerprint: FileFingerprint?, to writer: inout OctetWriter) {
    writer.add(fingerprint == nil ? 0 : 1)
    guard let fingerprint else { return }
    writer.add(fixed: fingerprint.device)
    writer.add(fixed: fingerprint.inode)
    writer.add(fixed: UInt64(bitPattern: fingerprint.modified))
    writer.add(fixed: UInt64(bitPattern: fingerprint.changed))
  }

  private static func fingerprint(_ reader: inout OctetReader) -> FileFingerprint? {
    guard reader.number() == 1 else { return nil }
    return FileFingerprint(
      device: reader.fixed(),
      inode: reader.fixed(),
      modified: Int64(bitPattern: reader.fixed()),
      changed: Int64(bitPattern: reader.fixed())
    )
  }
}
