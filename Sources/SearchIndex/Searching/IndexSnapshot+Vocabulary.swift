internal import Maildir
internal import Query

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
}
