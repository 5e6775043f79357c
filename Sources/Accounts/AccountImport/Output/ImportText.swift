internal import Octets

extension AccountImport {
  /// All blocks as they are appended to the configuration, with an empty line between them.
  ///
  /// - Parameters:
  ///   - directory: the directory of the configuration, as it is to be written in paths.
  ///   - isNew: whether there is no configuration yet: only then can the default account be written.
  ///   - hasSearch: whether the configuration has a section search already, which cannot be added to.
  /// - Returns: the text; empty where there is nothing to add.
  package func text(directory: String, isNew: Bool = true, hasSearch: Bool = false) -> String {
    let search = hasSearch ? nil : searchText
    let blocks = accounts.map { AccountBlock($0, directory: directory).text }
    guard isNew else { return (blocks + [search].compactMap { $0 }).joined(separator: "\n") }
    let senders = accounts.count { $0.smtp != nil }
    let head = standard.flatMap { senders > 1 ? "default-account = \(TOMLText.string($0))\n" : nil }
    return ([head].compactMap { $0 } + blocks + [search].compactMap { $0 })
      .joined(separator: "\n")
  }

  /// The lines that have to be written by hand where there is a configuration already; nil where there are none.
  package func linesForAll(isNew: Bool, hasSearch: Bool) -> String? {
    let head = isNew ? nil : standard.map { "default-account = \(TOMLText.string($0))\n" }
    let lines = [head, hasSearch ? searchText : nil].compactMap { $0 }.joined(separator: "\n")
    return lines.isEmpty ? nil : lines
  }

  /// The section search; nil where it would be empty.
  package var searchText: String? {
    var lines: [String] = []
    if !excludedTags.isEmpty { lines.append("exclude-tags = \(TOMLText.array(excludedTags))") }
    for query in queries {
      lines.append("\(TOMLText.key(query.name)) = \(TOMLText.string(query.text))")
    }
    return lines.isEmpty ? nil : (["[search]"] + lines).joined(separator: "\n") + "\n"
  }
}
