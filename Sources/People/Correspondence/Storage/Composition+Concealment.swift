package import MIME
package import MailModel
internal import Octets
package import Platform

// A draft that is to be encrypted: on the disk as ciphertext alone, its text in memory.
extension Composition {
  /// What becomes of clear text when a draft is kept encrypted from now on.
  package enum Concealment: Hashable, Sendable {
    /// There was none.
    case new
    /// What was on the disk is removed; the disk may still have it.
    case switched
  }

  /// The same for a draft that is to be encrypted: nothing of it is on the disk in clear text from now on.
  ///
  /// - Parameters:
  ///   - draft: the draft.
  ///   - facts: what else is known.
  ///   - date: when it is written.
  ///   - seal: encrypts a message to oneself.
  /// - Returns: whether clear text was removed.
  /// - Throws: why it cannot be encrypted, or there is no place in memory for its text; then nothing is changed.
  package func conceal(
    _ draft: Draft,
    _ facts: Facts,
    date: MessageDate,
    seal: (OutgoingMessage) throws(Explanation) -> [UInt8]
  ) throws(Explanation) -> Concealment {
    let files = draft.attachments.compactMap(\.path)
    let octets = try seal(Self.message(of: draft, naming: files, date: date))
    let place: Path
    do throws(MemoryDirectory.Failure) {
      place = try MemoryDirectory.make(directory.lastComponent)
    } catch {
      throw Explanation(
        .cannotCreate,
        "there is no place in memory for the text of an encrypted draft: \(error)",
        hint: "set XDG_RUNTIME_DIR to a directory of yours in memory"
      )
    }
    return try explaining(.cannotCreate) { () throws(SystemError) in
      let wasSecret = isSecret
      (memory, isSecret) = (place, true)
      try AtomicFile.replace(messageFile, with: octets)
      try write(facts)
      try AtomicFile.replace(textFile, with: DraftText.render(draft))
      if wasSecret { return .new }
      return try removeClearText() ? .switched : .new
    }
  }

  /// Removes what is in clear text on the disk; false where nothing was.
  ///
  /// Files with text that an editor may not have saved move to memory.
  private func removeClearText() throws(SystemError) -> Bool {
    var hasFound = false
    for name in try names(in: directory) {
      let isKept = [messageFile, factsFile].contains { $0.lastComponent == name }
      if isKept || name.elementsEqual(".lock".utf8) { continue }
      let file = directory.appending(name)
      if !isOwn(name), !isBackup(name), let memory,
        let octets = try? FileSystem.readExistingFile(file, limit: 1 << 26)
      {
        try AtomicFile.replace(memory.appending(name), with: octets)
      }
      try FileSystem.remove(file)
      hasFound = true
    }
    if hasFound { try FileSystem.synchroniseDirectory(directory) }
    return hasFound
  }

  /// Removes the text in memory.
  func removeMemory() {
    guard let place = memory else { return }
    for name in (try? names(in: place)) ?? [] { try? FileSystem.remove(place.appending(name)) }
    try? FileSystem.removeDirectory(place)
    memory = nil
  }

  /// The draft that is kept encrypted, as it lies on the disk.
  package func sealed() throws(SystemError) -> [UInt8]? {
    try FileSystem.readFile(messageFile, limit: 1 << 30)
  }

  /// The draft within a message that was decrypted, and the files attached to it.
  package static func draft(
    within content: StreamedMessage,
    _ decoder: CharsetDecoder
  ) throws(Explanation) -> (Draft, files: [Path]) {
    let fields = content.message.header.all(attachedName)
    let files = fields.compactMap { PercentEscape.unescape($0.body[...]).map { Path($0) } }
    return try explaining(.noInput) { () throws(SourceError) in
      (try DraftMessage.read(content, decoder), files)
    }
  }
}
