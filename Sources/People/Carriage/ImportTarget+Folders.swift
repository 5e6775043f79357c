internal import Configuration
internal import Maildir
internal import MailModel
internal import Octets
internal import Platform

// The files of folders into which messages are brought.
extension ImportTarget {
  /// Prepares a folder to have messages written, and removes what killed imports left in it; only under the lock of imports.
  ///
  /// A folder that is not there gets tmp alone: without cur no program takes it for one.
  func prepare(_ folder: ImportFolder) throws(SystemError) {
    let temporary = Subdirectory.tmp.path(in: folder.path)
    if try !isMade(folder) {
      // From the innermost out: what is removed again if nothing comes.
      var directory = folder.path
      var made = [temporary, directory]
      while try FileSystem.status(directory.parent) == nil, directory != directory.parent {
        directory = directory.parent
        made.append(directory)
      }
      unused.append((folder, made))
    }
    try FileSystem.makeDirectories(temporary)
    try removeLeftovers(in: folder)
  }

  private func isMade(_ folder: ImportFolder) throws(SystemError) -> Bool {
    try FileSystem.status(Subdirectory.cur.path(in: folder.path)) != nil
  }

  /// Makes a folder that is not there whole; durable on return.
  func make(_ folder: ImportFolder) throws(SystemError) {
    if try isMade(folder), try FileSystem.status(Subdirectory.new.path(in: folder.path)) != nil {
      return
    }
    try tree.create(folder.directory)
  }

  /// Removes the directories of folders that got no message.
  func removeUnused() {
    for (folder, directories) in unused where (try? isMade(folder)) == false {
      for directory in directories { try? FileSystem.removeDirectory(directory) }
    }
    unused = []
  }

  /// Removes what is left of messages that never got their names: their tags, then their files in tmp.
  func removeLeftovers(in folder: ImportFolder) throws(SystemError) {
    let temporary = Subdirectory.tmp.path(in: folder.path)
    var names: Set<[UInt8]> = []
    try FileSystem.entries(of: temporary) { name, kind in
      guard kind == .regular, name.suffix(ImportName.suffix.count).elementsEqual(ImportName.suffix)
      else { return }
      names.insert([UInt8](name))
    }
    guard !names.isEmpty else { return }
    let placed = try isMade(folder) ? MaildirScan.scanIfPresent(folder.path)?.files : nil
    try forgetTags(of: names.filter { placed?.contains(base: $0) != true }, in: folder.path)
    for name in names { try FileSystem.remove(temporary.appending(name)) }
  }

  private func forgetTags(of names: Set<[UInt8]>, in folder: Path) throws(SystemError) {
    if let stateDirectory {
      return try FolderTags.forget(in: folder, state: stateDirectory) { names.contains($0) }
    }
    var file = try KeywordFile.of(folder)
    guard file.keywords.keys.contains(where: names.contains) else { return }
    for name in names { file.set([], of: name) }
    _ = try file.write(in: folder)
  }

  /// Octets of the longest keyword that each server takes, as Dovecot by default; one that refuses a keyword refuses its message.
  private static let keywordLimit = 50

  /// Has messages that are still to get their names have tags; durable on return.
  ///
  /// - Returns: how many messages of the folder have tags now.
  /// - Throws: why the file cannot be read or written; EAGAIN where another process keeps its lock for too long.
  func addTags(
    _ tags: [(base: [UInt8], tags: [[UInt8]])],
    in folder: Path
  ) throws(SystemError) -> Int {
    guard let account, let stateDirectory else {
      var file = try KeywordFile.of(folder)
      for (base, words) in tags { file.set(words, of: base) }
      _ = try file.write(in: folder)
      return file.keywords.count
    }
    return try TagLock.with(stateDirectory) { () throws(SystemError) in
      var file = try TagFile.of(folder)
      for (base, words) in tags {
        var all = TagFile.Tags()
        let sent = account.server == nil ? [] : words.filter { $0.count <= Self.keywordLimit }
        let kept = words.filter { !sent.contains($0) }
        for (words, isOwn) in [(sent, false), (kept, true)] {
          all.change(adding: words, removing: [], beside: [], isOwn: isOwn, mayBeTold: false)
        }
        file[base: base] = all
      }
      try file.write(in: folder)
      return file.tags.count
    }
  }
}
