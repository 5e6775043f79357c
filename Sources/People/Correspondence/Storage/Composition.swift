internal import Glibc
package import MIME
internal import Octets
package import Platform

/// A draft that is being edited, kept on disk so that nothing that was typed is lost, however the program ends.
///
/// It has a directory of its own below the user's state, which no other user can read:
///
///     text.eml   what the editor has written last       message.eml  the draft as it was before
///     files      the files that are attached, a line each, as %-escaped paths
///     facts      what else is known, as lines NAME: VALUE            .lock  held while the draft is edited
///
/// Of a draft that is to be encrypted, `message.eml` is encrypted to oneself and names the files too, there is no list of files,
/// and `text.eml` lies in a directory of the same name in memory.
package final class Composition {
  package let directory: Path
  private let lock: FileLock
  /// Where the text lies in memory; nil where the draft is not encrypted, or that is gone with the power.
  var memory: Path?
  /// Whether it is kept encrypted.
  package internal(set) var isSecret: Bool
  /// Whether the editor failed, so that even its backup copies may hold text that the draft does not have.
  package var distrustsBackups = false

  /// What is known of it besides its text.
  package struct Facts: Hashable, Sendable {
    /// The account that it is to be sent with.
    package var account: String?
    /// The file in Drafts that it was made of, or is kept in.
    package var draft: Path?
    /// The message that it answers or passes on.
    package var original: Path?
    /// Whether it was about to be put into the queue.
    package var isQueuing = false
    /// Whether the draft is kept encrypted; the type itself sets it.
    fileprivate(set) var isSecret = false

    /// Nothing known.
    package init() {}
  }

  private init(_ directory: Path, _ lock: FileLock) {
    self.directory = directory
    self.lock = lock
    isSecret = false
    isSecret = ((try? facts()) ?? Facts()).isSecret
    if isSecret { memory = MemoryDirectory.find(directory.lastComponent) }
  }

  /// Where all of them are.
  package static var root: Path { Environment.stateHome.appending("magnum/compose") }

  /// The file for the editor.
  package var textFile: Path { (memory ?? directory).appending("text.eml") }

  /// Where the editor works, and leaves files.
  package var editorDirectory: Path { memory ?? directory }

  private var clearTextFile: Path { directory.appending("text.eml") }

  var messageFile: Path { directory.appending("message.eml") }
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
    return Composition(directory, lock)
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
      if !hasText { hasText = try FileSystem.status(composition.textFile) != nil }
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
    isSecret = false
    try AtomicFile.replace(messageFile, with: octets)
    let lines = draft.attachments.compactMap(\.path).flatMap { Self.escaped($0) + [ASCII.lineFeed] }
    try AtomicFile.replace(listFile, with: lines)
    try write(facts)
    try AtomicFile.replace(clearTextFile, with: DraftText.render(draft))
    removeMemory()
  }

  /// The message that a draft is kept as: files that are attached are not in it.
  static func message(
    of draft: Draft,
    naming files: [Path] = [],
    date: MessageDate
  ) -> OutgoingMessage {
    var kept = draft
    kept.attachments = draft.attachments.filter { $0.path == nil }
    let parts = kept.attachments.compactMap { attachment in
      if case .part(let part, _) = attachment { part } else { nil }
    }
    var message = DraftMessage.make(kept, parts, date: date, for: .keeping)
    let name = [UInt8](ascii: attachedName)
    message.fields += files.map { OutgoingField(name, words: [escaped($0)]) }
    return message
  }

  /// The field that names an attached file, within the encryption alone.
  static let attachedName: StaticString = "X-Magnum-Attached"

  /// A path in one word that needs no encoding.
  private static func escaped(_ path: Path) -> [UInt8] {
    PercentEscape.escape(path.octets) { ASCII.isControl($0) || $0 == ASCII.space || $0 > 0x7E }
  }

  /// Writes what is known besides the text; durable when it returns.
  package func write(_ facts: Facts) throws(SystemError) {
    var lines: [UInt8] = []
    let values: [(StaticString, [UInt8]?)] = [
      ("account", facts.account.map { [UInt8]($0.utf8) }), ("draft", facts.draft?.octets),
      ("original", facts.original?.octets), ("queuing", facts.isQueuing ? [0x31] : nil),
      ("encrypted", isSecret ? [0x31] : nil),
    ]
    for (name, value) in values {
      guard let value else { continue }
      lines += [UInt8](ascii: name) + [ASCII.colon, ASCII.space]
      lines += PercentEscape.escape(value, ASCII.isControl) + [ASCII.lineFeed]
    }
    try AtomicFile.replace(factsFile, with: lines)
  }

  /// What is known besides the text.
  package func facts() throws(SystemError) -> Facts {
    var facts = Facts()
    for line in try FileSystem.readFile(factsFile, limit: 1 << 20)?.split(separator: ASCII.lineFeed)
      ?? []
    {
      var cursor = Cursor(line)
      guard let name = cursor.take(upTo: ASCII.colon), cursor.skip(": "),
        let value = PercentEscape.unescape(cursor.remaining)
      else { continue }
      if name.elementsEqual("account".utf8) {
        facts.account = String(decoding: value, as: UTF8.self)
      } else if name.elementsEqual("draft".utf8) {
        facts.draft = Path(value)
      } else if name.elementsEqual("original".utf8) {
        facts.original = Path(value)
      } else if name.elementsEqual("queuing".utf8) {
        facts.isQueuing = true
      } else if name.elementsEqual("encrypted".utf8) {
        facts.isSecret = true
      }
    }
    return facts
  }

  /// The text as the editor left it.
  package func text() throws(SystemError) -> [UInt8]? {
    try FileSystem.readFile(textFile, limit: 1 << 30)
  }

  /// The draft as it was before the editor, and the files attached to it, as paths.
  ///
  /// What is attached is read from the file of the draft where it is needed.
  package func draft(_ decoder: CharsetDecoder) throws(SystemError) -> (Draft, files: [Path]) {
    var octets: any OctetSource = []
    if try FileSystem.status(messageFile) != nil {
      octets = try FileOctets(Descriptor.open(messageFile, .read))
    }
    let draft = try SystemError.reading { () throws(SourceError) in
      try DraftMessage.read(StreamedMessage(reading: octets), decoder)
    }
    let lines = try FileSystem.readFile(listFile, limit: 1 << 24) ?? []
    let files = lines.split(separator: ASCII.lineFeed).compactMap { PercentEscape.unescape($0) }
    return (draft, files.map { Path($0) })
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
    let own = [textFile, messageFile, listFile, factsFile].map(\.lastComponent)
    return name.elementsEqual(".lock".utf8)
      || own.contains { name == $0 || name.starts(with: $0 + [UInt8](ascii: ".tmp-")) }
  }

  /// Whether it is a copy of a former text, or how to undo changes, which editors leave when all is well.
  func isBackup(_ name: [UInt8]) -> Bool {
    name.elementsEqual("text.eml~".utf8) || name.elementsEqual(".text.eml.un~".utf8)
  }
}
