package import Configuration
internal import Maildir
package import MailModel
internal import Octets
package import Platform

/// The file of a message in a Maildir, which other programs may rename at any time.
package struct MessageFile: Hashable, Sendable {
  /// Where it was when it was found.
  package let path: Path

  package init(_ path: Path) {
    self.path = path
  }

  /// The file that a word names, if it names one: it is there, or was in a directory of a Maildir, where programs rename files
  /// as flags change.
  ///
  /// - Parameter word: what a person or a program gave; without a slash it means a file only where there is one.
  package init?(named word: Path) {
    if let status = try? FileSystem.status(word), status.kind == .regular {
      self.init(word)
      return
    }
    guard let directory = try? FileSystem.realPath(word.parent) else { return nil }
    let file = MessageFile(directory.appending(word.lastComponent))
    guard file.isInMaildir, word.octets.contains(ASCII.slash) || file.currentPath() != nil else {
      return nil
    }
    self = file
  }

  /// Where it is now: under its name, or in its Maildir under another one with the same base; nil where it is gone.
  package func currentPath() -> Path? {
    (try? CurrentPath.find(path)) ?? nil
  }

  /// The account in whose Maildir it lies; nil where it lies elsewhere.
  package func account(in configuration: Configuration) -> Account? {
    let place = ((try? FileSystem.realPath(path.parent)) ?? path.parent).octets
    return configuration.accounts.first { account in
      let root = ((try? FileSystem.realPath(account.maildir)) ?? account.maildir).octets
      return place.starts(with: root + [ASCII.slash])
    }
  }

  /// Whether it lies in one of the directories of a Maildir.
  package var isInMaildir: Bool {
    let directory = path.parent.lastComponent
    return directory == Subdirectory.cur.name || directory == Subdirectory.new.name
  }

  /// Whether it is a draft: marked as one, or in the account's folder for them.
  package func isDraft(of account: Account?) -> Bool {
    guard isInMaildir else { return false }
    if FileName(path.lastComponent).flags.contains(.draft) { return true }
    return account.flatMap { try? DraftsFolder(of: $0) }?.contains(self) ?? false
  }

  /// Gives it flags that it does not have yet; the next sync brings them to the server.
  ///
  /// - Returns: what it is called now; nil where there was no file to mark.
  package func mark(_ flags: SystemFlags) throws(SystemError) -> Path? {
    // Another program may rename it in between: then it is looked for again.
    for _ in 0..<3 {
      guard let current = currentPath() else { return nil }
      let name = FileName(current.lastComponent)
      let target = Subdirectory.cur.path(in: current.parent.parent)
        .appending(name.with(flags: name.flags.union(flags)).octets)
      if target == current { return target }
      do throws(SystemError) {
        try FileSystem.renameWithoutReplacing(current, to: target)
        return target
      } catch {
        guard error.isNotFound else { throw error }
      }
    }
    return nil
  }

  /// What became of it, as an index takes it in.
  func renaming(to target: Path, in account: Account) -> MaildirChange {
    let root = (try? FileSystem.realPath(account.maildir)) ?? account.maildir
    let place = { (path: Path) -> (folder: [UInt8], file: ScannedFile) in
      let directory = path.parent.parent
      let real = (try? FileSystem.realPath(directory)) ?? directory
      let isNew = path.parent.lastComponent == Subdirectory.new.name
      let file = ScannedFile(name: FileName(path.lastComponent), subdirectory: isNew ? .new : .cur)
      return ([UInt8](real.octets.dropFirst(root.octets.count + 1)), file)
    }
    let (old, new) = (place(path), place(target))
    return .renamed(folder: old.folder, old.file, toFolder: new.folder, new.file)
  }
}

/// What the words of a command name, by the rule of all commands: each word a file, or all words together a query.
package enum MessageWords {
  case files([MessageFile])
  case query(String)

  /// What words name; a file may have been renamed in its Maildir since.
  ///
  /// - Throws: that a word can only be the name of a file, and there is none.
  package init(_ words: [String]) throws(Explanation) {
    let files = words.compactMap { MessageFile(named: Path(argument: $0)) }
    guard files.count < words.count || files.isEmpty else {
      self = .files(files)
      return
    }
    if let mistake = Self.mistake(in: words) { throw mistake }
    self = .query(words.joined(separator: " "))
  }

  /// What is wrong with the first word that can only be the name of a message file, and is none; nil where there is no such word.
  ///
  /// Beside a word that is one, all others can only be that.
  package static func mistake(in words: [String]) -> Explanation? {
    let named = words.filter(isFileName)
    let hasFile = named.contains { MessageFile(named: Path(argument: $0)) != nil }
    let wrong = (hasFile ? words : named).first { word in
      word != "-" && MessageFile(named: Path(argument: word)) == nil
    }
    guard let wrong else { return nil }
    let isThere = (try? FileSystem.status(Path(argument: wrong))) ?? nil != nil
    return Explanation(
      .noInput,
      place: Printable.text(wrong.utf8),
      isThere ? "not a regular file" : "there is no such file"
    )
  }

  /// Whether a word is no term of a query: it begins as a path does, or is the name of a message file.
  private static func isFileName(_ word: String) -> Bool {
    if ["/", "./", "../", "~/"].contains(where: { word.hasPrefix($0) }) { return true }
    return word.utf8.suffix(4).equalsCaseless(".eml") && !word.utf8.contains(ASCII.colon)
      && !word.utf8.contains(ASCII.quote) && !word.utf8.contains(ASCII.space)
  }
}

extension MessageFile {
  /// Where it is now.
  ///
  /// - Throws: that it is gone.
  package func foundPath() throws(Explanation) -> Path {
    if let path = currentPath() { return path }
    throw Explanation(
      .noInput,
      place: path.display,
      "the file is gone, and its folder has none of this name with other flags"
    )
  }
}
