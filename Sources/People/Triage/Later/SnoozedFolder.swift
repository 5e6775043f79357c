internal import Configuration
internal import Correspondence
internal import Hashing
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform

/// The folder for snoozed messages of an account: what lies in it.
///
/// Where labels are tags, these are messages in the folder of all mail with a tag in place of `inbox`.
struct SnoozedFolder {
  private static let pieceLength = 1 << 20

  private let account: Account
  let folder: [UInt8]
  private let maildir: Path
  /// The tag that its messages have; nil where all in the folder are meant.
  let tag: [UInt8]?
  let files: [ScannedFile]

  /// Reads the folder; nil where there is none.
  init?(of folders: AccountFolders) throws(Explanation) {
    let tag = folders.account.sync.labels == .tags ? try folders.account.snoozedTag : nil
    guard let folder = try folders.folder(for: tag == nil ? .snoozed : .archive) else { return nil }
    (account, self.folder, self.tag) = (folders.account, folder, tag)
    maildir = folders.tree.path(of: folder)
    let maildir = maildir
    let scan = try explaining(.noInput, place: account.name) { () throws(SystemError) in
      try MaildirScan.scanIfPresent(maildir)
    }
    var files = scan.map { Array($0.files) } ?? []
    for case .duplicate(_, let other) in scan?.oddities ?? [] { files.append(other) }
    if let tag {
      let tags = FolderTags(of: maildir)
      files.removeAll { file in
        let known = tags[base: file.name.base]
        return known.contains(TagName.inbox) || !known.contains(tag)
      }
    }
    self.files = files
  }

  /// The file of that number.
  func target(_ number: Int) -> TargetFile {
    TargetFile(account: account, folder: folder, file: files[number])
  }

  /// The files for decisions about entries, with ids and hashes only where they are needed.
  func facts(for entries: [LaterEntry]) -> [SnoozedFile] {
    let plain = files.map { SnoozedFile(base: $0.name.base) }
    guard SnoozeDecision.needsTexts(entries, plain) else { return plain }
    let own = Set(entries.map(\.base))
    return files.map { file in
      let base = file.name.base
      let path = file.path(in: maildir)
      guard !own.contains(base), let text = Self.text(of: path) else {
        return SnoozedFile(base: base)
      }
      return SnoozedFile(base: base, id: Target.id(of: path), text: text)
    }
  }

  /// The hash of a file's octets, in hexadecimal digits; nil where it cannot be read.
  static func text(of path: Path) -> [UInt8]? {
    do throws(SystemError) {
      let file = try Descriptor.open(path, .read)
      var hash = SHA256()
      var offset: Int64 = 0
      while true {
        let piece = try file.read(atMost: pieceLength, at: offset)
        if piece.isEmpty { break }
        hash.update(piece)
        offset += Int64(piece.count)
      }
      return Hex.encode(hash.finish())
    } catch {
      return nil
    }
  }
}
