internal import Maildir
package import Query

/// What queries can name, for those who complete words.
extension IndexSnapshot {
  /// The tags that at least one message has.
  package func tags() throws(IndexError) -> Set<Tag> {
    var tags: Set<Tag> = []
    for tag in Tag.own where try count(.exact(.tag, Array(tag.rawValue.utf8))) > 0 {
      tags.insert(tag)
    }
    for (label, slot) in labels.all {
      guard let name = keywords.name(label), try database.frequency(ofSlot: slot) > 0 else {
        continue
      }
      tags.insert(Tag(rawValue: String(decoding: name, as: UTF8.self)))
    }
    return tags
  }

  /// The folders that have been indexed, by the names that people know.
  package func folderNames() -> [[UInt8]] {
    folders.names.map(FolderWords.display).filter { !$0.isEmpty }
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
