package import MailModel
package import Platform

/// What the words of a command name, by the rule of all commands: each word a file, or all words together a query.
package enum MessageWords {
  case files([MessageFile])
  case query(String)

  /// What words name; a file may have been renamed in its Maildir since.
  package init(_ words: [String]) {
    let files = words.compactMap { MessageFile(named: Path(argument: $0)) }
    self =
      files.count == words.count && !files.isEmpty
      ? .files(files) : .query(words.joined(separator: " "))
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
