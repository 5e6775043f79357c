package import Query

/// What queries can name, for those who complete words.
extension IndexSnapshot {
  /// The folders that have been indexed, by the names that people know.
  package func folderNames() -> [[UInt8]] {
    folders.names.map(FolderWords.display).filter { !$0.isEmpty }
  }

  /// The folders that have been indexed, as directories below the Maildir.
  package var folderPaths: [[UInt8]] { folders.names }

  /// The words that lists are found by: their ids, and names and titles of them, in lower case.
  func listWords() throws(IndexError) -> [[UInt8]] {
    try database.terms([Schema.Prefix.list]).map { [UInt8]($0.dropFirst()) }
  }

  /// Whether words of these fields that begin so are more than that many, one that is in two fields counted twice.
  package func hasMoreWords(
    than count: Int,
    beginning start: [UInt8],
    in fields: [TextField]
  ) throws(IndexError) -> Bool {
    var left = count
    for field in fields where left >= 0 {
      left -= try database.terms(QueryCompiler.prefixed(start, field), limit: left + 1).count
    }
    return left < 0
  }
}
