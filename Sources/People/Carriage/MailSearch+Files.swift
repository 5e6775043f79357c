internal import MailModel
internal import Mbox
internal import Octets
internal import Platform
internal import Restoration

// Files that hold mail.
extension MailSearch {
  /// Adds a file that holds mail; false for any other.
  ///
  /// Below a directory its name decides too.
  mutating func addFile(
    _ path: Path,
    shownAs shown: Path,
    _ levels: [[UInt8]],
    named name: [UInt8]?,
    _ notes: MailNotes? = nil
  ) throws(Explanation) -> Bool {
    let (start, size, isLocked): ([UInt8], Int64, Bool)
    do throws(SystemError) {
      let file = try GuardedFile.open(path)
      isLocked = FileLock.isHeldByOther(file)
      start = try file.read(atMost: SourceKind.startLength)
      size = try file.status().size
    } catch {
      if name == nil { throw Explanation(.noInput, place: shown.display, error.reason) }
      obstacles.append(ImportObstacle(path: path, reason: .unreadable(error)))
      return true
    }
    if Self.isApple(path.lastComponent) { return addApple(shown, start, size, levels) }
    let content: MailSource.Content
    switch SourceKind(start: start) {
    case .mbox: content = .mbox
    case .message where name.map(Self.isMessageName) ?? true:
      content = .message(notes)
    case .empty, .other:
      guard let name, Self.isMessageName(name) else {
        // Thunderbird has an empty file for each folder without messages.
        return start.isEmpty && name != nil
      }
      content = .message(notes)
    case .message: return false
    }
    octets += size
    var own = levels
    if case .mbox = content {
      try Self.checkUnlocked(path, isLocked, shownAs: shown)
      if let name, !Self.isAppleMbox(name, path) { own.append(Self.mboxName(name)) }
    }
    sources.append(MailSource(path: shown, content: content, levels: own))
    return true
  }

  private static func checkUnlocked(
    _ path: Path,
    _ isLocked: Bool,
    shownAs shown: Path
  ) throws(Explanation) {
    let lock = Path(path.octets + [UInt8](ascii: ".lock"))
    guard isLocked || (try? FileSystem.status(lock, followingLinks: false)) ?? nil != nil else {
      return
    }
    throw Explanation(
      .tryAgain,
      place: shown.display,
      "another program is writing to this mbox",
      hint: "it holds a lock on it, or left \(lock.display)"
    )
  }

  static func isApple(_ name: [UInt8]) -> Bool { name.suffix(5).equalsCaseless(".emlx") }

  /// Adds a file of Apple's Mail; one whose attachments lie elsewhere is marked as such.
  private mutating func addApple(
    _ path: Path,
    _ start: [UInt8],
    _ size: Int64,
    _ levels: [[UInt8]]
  ) -> Bool {
    guard let file = AppleMailFile(start: start, length: Int(size)) else {
      obstacles.append(ImportObstacle(path: path, reason: .noApple))
      return true
    }
    octets += size
    let isPartial = path.lastComponent.suffix(13).equalsCaseless(".partial.emlx")
    let content: MailSource.Content = isPartial ? .appleParts(file) : .apple(file)
    sources.append(MailSource(path: path, content: content, levels: levels))
    return true
  }

  /// Whether a name is one of a file with a single message: `x.eml`, or a number as in MH and Cyrus.
  private static func isMessageName(_ name: [UInt8]) -> Bool {
    if name.suffix(4).equalsCaseless(".eml") { return true }
    let digits = name.last == ASCII.dot ? name.dropLast() : name[...]
    return !digits.isEmpty && digits.allSatisfy(ASCII.isDigit)
  }

  /// Whether it is the mbox within a directory `NAME.mbox`, as Apple's Mail exports it.
  private static func isAppleMbox(_ name: [UInt8], _ path: Path) -> Bool {
    name.elementsEqual("mbox".utf8) && path.parent.lastComponent.suffix(5).equalsCaseless(".mbox")
  }

  private static func mboxName(_ name: [UInt8]) -> [UInt8] {
    let endings = [".mbox", ".mbx", ".mboxrd"]
    let ending = endings.first { ending in
      name.count > ending.utf8.count && name.suffix(ending.utf8.count).equalsCaseless(ending.utf8)
    }
    return [UInt8](name.dropLast(ending?.utf8.count ?? 0))
  }
}
