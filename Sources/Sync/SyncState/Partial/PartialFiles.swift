package import Configuration
package import MIME
package import Maildir
internal import MessageContent
package import Octets
package import Platform
internal import MailModel
internal import SyncPlan

/// Decides which files and messages are without their attachments: nothing else does.
///
/// A stranger may send a message that looks like a partial file. So the record of a file in an account's Maildir decides, and
/// elsewhere the seal of an account, or the name that the file got here; marks without these are content.
package struct PartialFiles: Sendable {
  /// What was decided.
  package enum Finding: Hashable, Sendable {
    /// It has all that it should have.
    case whole
    /// It is a partial file.
    case partial
    /// A message inside is a partial file.
    case holdsPartial
  }

  private let trees: [FolderTree]

  package init(_ trees: [FolderTree]) {
    self.trees = trees
  }

  /// Those of these accounts.
  package init(_ accounts: [Account]) {
    self.init(accounts.map { AccountPlaces(of: $0).tree })
  }

  /// Those of these accounts, and of those whose Maildirs lie below directories, whatever their layout.
  package init(_ accounts: [Account] = [], roots: [Path]) {
    let others = roots.flatMap { root in
      FolderLayout.allCases.map { FolderTree(root: root, layout: $0) }
    }
    self.init(accounts.map { AccountPlaces(of: $0).tree } + others)
  }

  /// Those of the accounts in whose Maildirs a file may lie, as far as its path tells.
  package init(above file: Path) {
    var roots: [Path] = []
    var directory = file.parent.parent
    while directory != directory.parent {
      roots.append(directory)
      directory = directory.parent
    }
    self.init(roots: roots)
  }

  /// Those of no account: all is content.
  package static let none = PartialFiles([FolderTree]())

  // MARK: Content

  /// What a message with these marks is, wherever it comes from.
  package func finding(_ marks: PartialMarks) throws(SystemError) -> Finding {
    guard !marks.fields.isEmpty else { return .whole }
    let seals = try seals()
    let sealed = marks.fields.filter { field in seals.contains { $0.hasSealed(field) } }
    guard !sealed.isEmpty else { return .whole }
    return sealed.contains { !$0.isInside } ? .partial : .holdsPartial
  }

  /// Those of the accounts; without those that another user has for himself.
  private func seals() throws(SystemError) -> [PartialSeals] {
    var seals: [PartialSeals] = []
    for tree in trees {
      do throws(SystemError) {
        let store = StateStore(root: tree.root, layout: tree.layout)
        if let found = try PartialSeals.find(store) { seals.append(found) }
      } catch {
        guard error.isForbidden else { throw error }
      }
    }
    return seals
  }

  /// Whether that is or holds a partial file.
  package func isPartial(_ marks: PartialMarks) throws(SystemError) -> Bool {
    try finding(marks) != .whole
  }

  /// The same of a file that no record has, with its base name.
  ///
  /// Partial files alone get such names from Magnum: one that has marks is partial though the secret of its seal is lost.
  package func isPartial(
    _ marks: PartialMarks,
    named base: [UInt8]
  ) throws(SystemError) -> Bool {
    if marks.isEmpty { return false }
    if Self.isOwnName(base) { return true }
    return try isPartial(marks)
  }

  private static func isOwnName(_ base: [UInt8]) -> Bool {
    guard MessageKey(baseName: base) != nil else { return false }
    let fields = base.split(separator: ASCII.comma)
    return !fields.contains { $0.starts(with: [UInt8](ascii: "S=")) }
  }

  /// What a message is that lies in no Maildir.
  package func finding(_ message: any OctetSource) throws(SystemError) -> Finding {
    let marks = try SystemError.reading { () throws(SourceError) in
      try PartialDetector.marks(in: message)
    }
    return try finding(marks)
  }

  // MARK: Files

  /// What a file is, in a Maildir of an account or elsewhere.
  ///
  /// - Throws: ENOENT where it is gone; why it cannot be read.
  package func finding(file: Path) throws(SystemError) -> Finding {
    guard let contents = try MessageContents(of: file) else { throw SystemError.notFound(file) }
    guard !contents.marks.isEmpty else { return .whole }
    let sealed = try finding(contents.marks)
    guard let record = try RecordedFile(file, in: trees)?.record else {
      guard sealed == .whole else { return sealed }
      let base = FileName(file.lastComponent).base
      return try isPartial(contents.marks, named: base) ? .partial : .whole
    }
    if record.completeness.isPartial {
      // A run may have made it whole and not recorded that.
      return sealed != .partial && contents.wireSize == record.size ? .whole : .partial
    }
    // A partial file may have been put back, from a backup, where the whole one was.
    let isRecorded = record.identity.map(contents.holds) ?? false
    return sealed == .partial && !isRecorded ? .partial : .whole
  }

  /// A message that was read from a file, or from elsewhere, with the parts that stand for others only where it is a partial
  /// file.
  ///
  /// What cannot be told since records cannot be read is content.
  package func message(_ octets: [UInt8], file: Path?) -> Message {
    let message = Message(octets)
    guard message.hasPartialMarks else { return message }
    // What came through a pipe is read once.
    let file = file.flatMap { (try? FileSystem.status($0))?.kind == .regular ? $0 : nil }
    let found = file.map { try? finding(file: $0) } ?? (try? finding(octets))
    return found == .partial ? Message(octets, isPartialFile: true) : message
  }
}
