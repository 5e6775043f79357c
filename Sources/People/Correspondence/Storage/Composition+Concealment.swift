internal import Glibc
package import MIME
package import MailModel
package import Octets
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
  /// - Throws: why it cannot be encrypted, or there is no place in memory for its text; then its text is where it was.
  package func conceal(
    _ draft: Draft,
    _ facts: Facts,
    date: MessageDate,
    seal: (OutgoingMessage) throws(Explanation) -> any OctetSource
  ) throws(Explanation) -> Concealment {
    let list = AttachmentList(draft.attachments)
    let octets = try seal(Self.message(of: draft, naming: list, date: date))
    let place: Path
    do throws(MemoryDirectory.Failure) {
      place = try MemoryDirectory.make(directory.lastComponent, noted: notedMemory())
    } catch {
      throw Explanation(
        .cannotCreate,
        "there is no place in memory for the text of an encrypted draft: \(error)",
        hint: "set XDG_RUNTIME_DIR to a directory of yours in memory"
      )
    }
    return try explaining(.cannotCreate) { () throws(SystemError) in
      try write(octets, DraftText.render(draft), facts, in: place)
      return try removeClearText() ? .switched : .new
    }
  }

  /// Writes the text into memory, then all else, and the encrypted draft last: with that it is kept so.
  private func write(
    _ sealed: any OctetSource,
    _ text: [UInt8],
    _ facts: Facts,
    in memory: Path
  ) throws(SystemError) {
    do throws(SystemError) {
      try AtomicFile.replace(memory.appending("text.eml"), with: text)
      if isSecret { form = .sealed(memory: memory) }
      try write(facts, memory: memory)
      try AtomicFile.replace(sealedFile, with: sealed)
    } catch {
      // Its name may be there, but not durable.
      if !isSecret, ((try? FileSystem.status(sealedFile)) ?? nil) == nil {
        removeMemory()
      } else {
        form = .sealed(memory: memory)
      }
      throw error
    }
    form = .sealed(memory: memory)
  }

  /// Removes what a program left of the form that the draft does not have, as far as that can be; the next opening goes on.
  func removeOtherForm() {
    switch form {
    case .clear: removeMemory()
    case .sealed: hasRemovedClearText = (try? removeClearText()) ?? false
    }
  }

  /// Removes what is in clear text on the disk; false where nothing was.
  ///
  /// Files with text that an editor may not have saved move to memory.
  private func removeClearText() throws(SystemError) -> Bool {
    let names = try names(in: directory).filter {
      !isOfSealed($0) && !$0.elementsEqual(".lock".utf8)
    }
    guard !names.isEmpty else { return false }
    for name in names where isOwn(name) || isBackup(name) {
      try FileSystem.remove(directory.appending(name))
    }
    for name in names where !isOwn(name) && !isBackup(name) {
      try moveToMemory(name)
    }
    try FileSystem.synchroniseDirectory(directory)
    return true
  }

  private func moveToMemory(_ name: [UInt8]) throws(SystemError) {
    let file = directory.appending(name)
    if let octets = try? FileSystem.readExistingFile(file, limit: 1 << 26) {
      guard let place = memory ?? (try? MemoryDirectory.make(directory.lastComponent, noted: nil))
      else { throw SystemError(operation: "rename", path: file, code: ENOSPC) }
      form = .sealed(memory: place)
      try AtomicFile.replace(place.appending(name), with: octets)
    }
    try FileSystem.remove(file)
  }

  /// Removes the text in memory, wherever it lies.
  func removeMemory() {
    for place in MemoryDirectory.all(directory.lastComponent, noted: notedMemory()) {
      for name in (try? names(in: place)) ?? [] { try? FileSystem.remove(place.appending(name)) }
      try? FileSystem.removeDirectory(place)
    }
    if isSecret { form = .sealed(memory: nil) }
  }

  /// The draft that is kept encrypted, as it lies on the disk.
  package func sealed() throws(SystemError) -> [UInt8]? {
    try FileSystem.readFile(sealedFile, limit: 1 << 30)
  }

  /// The draft within a message that was decrypted, with the attachments in it alone, and the list of all of them.
  package static func draft(
    within content: StreamedMessage,
    _ decoder: CharsetDecoder
  ) throws(Explanation) -> (Draft, AttachmentList) {
    let list = AttachmentList(lines: content.message.header.all(attachedName).map { $0.body[...] })
    return try explaining(.noInput) { () throws(SourceError) in
      (try DraftMessage.read(content, decoder), list)
    }
  }
}
