internal import Glibc
package import MIME
internal import Octets
package import Platform

/// A draft that is being edited, kept on disk so that nothing that was typed is lost, however the program ends.
///
/// It has a directory of its own below the user's state, which no other user can read:
///
///     text.eml   what the editor has written last       message.eml  the draft as it was before
///     files      what is attached, a line each: a file as its %-escaped path, or a part of message.eml
///     facts      what else is known, as lines NAME: VALUE            .lock  held while the draft is edited
///
/// Of a draft that is to be encrypted there are `facts` and the lock, and
///
///     sealed.eml   the draft, encrypted to oneself, with the names of its files
///
/// Its `text.eml` lies in a directory of the same name in memory. That `sealed.eml` is there is what makes a draft such a one:
/// what belongs to the other form is then left by a program that was ended, and goes when the draft is opened.
package final class Composition {
  package let directory: Path
  private let lock: FileLock
  var form: Form
  /// Whether the opening removed clear text that a program left which was ended in the midst of its removal.
  package internal(set) var hasRemovedClearText = false
  /// Whether the editor failed, so that even its backup copies may hold text that the draft does not have.
  package var distrustsBackups = false

  /// How it is kept.
  enum Form: Hashable {
    case clear
    /// Encrypted, with the directory of its text in memory; nil where that is gone with the power.
    case sealed(memory: Path?)
  }

  private init(_ directory: Path, _ lock: FileLock) throws(SystemError) {
    self.directory = directory
    self.lock = lock
    form = .clear
    if try FileSystem.status(sealedFile) != nil {
      form = .sealed(memory: MemoryDirectory.find(directory.lastComponent, noted: notedMemory()))
    }
    removeOtherForm()
  }

  /// Where all of them are.
  package static var root: Path { Environment.stateHome.appending("magnum/compose") }

  /// Whether it is kept encrypted.
  package var isSecret: Bool { form != .clear }

  /// Where the text of an encrypted one lies; nil for one in clear text, and where that is gone with the power.
  var memory: Path? {
    if case .sealed(let memory) = form { memory } else { nil }
  }

  /// The file for the editor; nil where that is gone with the power, until the draft is saved again.
  package var textFile: Path? {
    switch form {
    case .clear: clearTextFile
    case .sealed(let memory): memory?.appending("text.eml")
    }
  }

  /// Where the editor works, and leaves files.
  package var editorDirectory: Path { memory ?? directory }

  private var clearTextFile: Path { directory.appending("text.eml") }

  private var messageFile: Path { directory.appending("message.eml") }
  var sealedFile: Path { directory.appending("sealed.eml") }
  private var listFile: Path { directory.appending("files") }
  var factsFile: Path { directory.appending("facts") }

  /// A new one.
  package static func make() throws(SystemError) -> Composition {
    try FileSystem.makeDirectories(root)
    while true {
      let random = String(UInt32.random(in: 0...(.max)), radix: 16)
      let directory = root.appending("\(Clock.now())-\(random)")
      do throws(SystemError) {
        try FileSystem.makeDirectory(directory)
      } catch {
        guard error.isAlreadyThere else { throw error }
        continue
      }
      do throws(SystemError) {
        if let composition = try open(directory) { return composition }
      } catch {
        // Who looks for what was left may take an empty one away.
        guard error.isNotFound else { throw error }
      }
    }
  }

  /// The one of that directory; nil while another program edits it.
  ///
  /// - Throws: the error of locking it, as where it does not exist.
  package static func open(_ directory: Path) throws(SystemError) -> Composition? {
    guard case .acquired(let lock) = try FileLock.acquire(directory.appending(".lock")) else {
      return nil
    }
    return try Composition(directory, lock)
  }

  /// Those that are not being edited, the oldest first: a program that edited them did not come to its end.
  package static func abandoned() throws(SystemError) -> [Composition] {
    var names: [[UInt8]] = []
    do throws(SystemError) {
      try FileSystem.entries(of: root) { name, kind in
        if kind == .directory { names.append([UInt8](name)) }
      }
    } catch {
      guard error.isNotFound else { throw error }
    }
    var found: [Composition] = []
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let composition = try open(root.appending(name)) else { continue }
      var hasText = composition.isSecret
      if !hasText { hasText = try FileSystem.status(composition.clearTextFile) != nil }
      // Without a text and files of an editor nothing was typed.
      if hasText || !composition.finish() { found.append(composition) }
    }
    return found
  }

  /// Writes a draft and its text for the editor; durable when it returns.
  ///
  /// - Throws: the error of the call that failed; the text is the old one then.
  package func save(_ draft: Draft, _ facts: Facts, date: MessageDate) throws(SystemError) {
    let message = Self.message(of: draft, date: date)
    let octets = try SystemError.reading { () throws(SourceError) in
      try message.octets(token: [UInt8](ascii: "draft"))
    }
    do throws(SystemError) {
      try AtomicFile.replace(messageFile, with: octets)
      let lines = AttachmentList(draft.attachments).words.flatMap { $0 + [ASCII.lineFeed] }
      try AtomicFile.replace(listFile, with: lines)
      try write(facts)
      try AtomicFile.replace(clearTextFile, with: DraftText.render(draft))
      try unseal()
    } catch {
      removeOtherForm()
      throw error
    }
  }

  /// Ends that it is kept encrypted, once all is there in clear text.
  private func unseal() throws(SystemError) {
    guard isSecret else { return }
    try FileSystem.remove(sealedFile)
    form = .clear
    try FileSystem.synchroniseDirectory(directory)
    removeMemory()
  }

  /// The message that a draft is kept as: files that are attached are not in it; `list` names them there.
  static func message(
    of draft: Draft,
    naming list: AttachmentList? = nil,
    date: MessageDate
  ) -> OutgoingMessage {
    var kept = draft
    kept.attachments = draft.attachments.filter { $0.path == nil }
    let parts = kept.attachments.compactMap { attachment in
      if case .part(let part, _) = attachment { part } else { nil }
    }
    var message = DraftMessage.make(kept, parts, date: date, for: .keeping)
    let name = [UInt8](ascii: attachedName)
    message.fields += (list?.words ?? []).map { OutgoingField(name, words: [$0]) }
    return message
  }

  /// The field that names an attachment, within the encryption alone.
  static let attachedName: StaticString = "X-Magnum-Attached"

  /// The text as the editor left it.
  package func text() throws(SystemError) -> [UInt8]? {
    guard let textFile else { return nil }
    return try FileSystem.readFile(textFile, limit: 1 << 30)
  }

  /// Puts the text back that an editor got and did not leave.
  package func restore(_ text: [UInt8]) throws(SystemError) {
    guard let textFile else { return }
    try AtomicFile.replace(textFile, with: text)
  }

  /// The draft as it was before the editor, with the attachments in its message alone, and the list of all of them.
  package func draft(
    _ decoder: CharsetDecoder
  ) throws(SystemError) -> (Draft, AttachmentList) {
    var octets: any OctetSource = []
    if try FileSystem.status(messageFile) != nil {
      octets = try FileOctets(Descriptor.open(messageFile, .read))
    }
    let draft = try SystemError.reading { () throws(SourceError) in
      try DraftMessage.read(StreamedMessage(reading: octets), decoder)
    }
    let lines = try FileSystem.readFile(listFile, limit: 1 << 24) ?? []
    return (draft, AttachmentList(lines: lines.split(separator: ASCII.lineFeed)))
  }

  /// Removes all of it, with what an editor left there.
  package func discard() {
    removeMemory()
    for name in (try? names(in: directory)) ?? [] {
      try? FileSystem.remove(directory.appending(name))
    }
    lock.release()
    try? FileSystem.removeDirectory(directory)
  }

  /// Removes it at the end of its use, unless an editor left files: what was typed may be in these alone.
  ///
  /// - Returns: whether it is removed.
  @discardableResult
  package func finish() -> Bool {
    guard let names = try? recoveryFiles(), names.isEmpty else { return false }
    discard()
    return true
  }

  /// The files of the editor: what it saved for a recovery, or works on.
  ///
  /// - Throws: the error of reading the directory.
  package func recoveryFiles() throws(SystemError) -> [[UInt8]] {
    try names(in: editorDirectory).filter { !isOwn($0) && (distrustsBackups || !isBackup($0)) }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  func names(in directory: Path) throws(SystemError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    try FileSystem.entries(of: directory) { name, _ in
      let name = [UInt8](name)
      if name != [ASCII.dot], name != [ASCII.dot, ASCII.dot] { names.append(name) }
    }
    return names
  }

  /// Whether this type writes files of that name, half of one among them.
  func isOwn(_ name: [UInt8]) -> Bool {
    name.elementsEqual(".lock".utf8) || Self.is(name, of: [clearTextFile, messageFile, listFile])
      || isOfSealed(name)
  }

  /// Whether it is among the files of a draft that is kept encrypted.
  func isOfSealed(_ name: [UInt8]) -> Bool { Self.is(name, of: [sealedFile, factsFile]) }

  private static func `is`(_ name: [UInt8], of files: [Path]) -> Bool {
    files.map(\.lastComponent).contains {
      name == $0 || name.starts(with: $0 + [UInt8](ascii: ".tmp-"))
    }
  }

  /// Whether it is a copy of a former text, or how to undo changes, which editors leave when all is well.
  func isBackup(_ name: [UInt8]) -> Bool {
    name.elementsEqual("text.eml~".utf8) || name.elementsEqual(".text.eml.un~".utf8)
  }
}
