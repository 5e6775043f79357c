package import MIME
internal import Maildir

/// A message whose attachments are to be filtered, read from its file.
package struct OpenedMessage {
  /// The file, as the index has it.
  let file: StoredFile
  /// Its words, with those of the texts that were added.
  var content: MessageContent
  /// The Message-ID, or what stands for it where there is none.
  package var id: [UInt8] { content.record.id }

  /// The parts that are no text by themselves, each with what it holds: `type/subtype` in small letters.
  package let parts: [(part: Part, type: [UInt8])]

  /// About how much of the library's memory it takes, in postings.
  package var cost: Int { content.cost }

  init(file: StoredFile, content: MessageContent, parts: [(part: Part, type: [UInt8])]) {
    self.file = file
    self.content = content
    self.parts = parts
  }

  /// Whether it has a part for a filter.
  package func wants(_ mark: TextMark) -> Bool { content.terms.contains(mark.wanting) }

  /// All texts of a filter are in, or there are none to be had.
  package mutating func finish(_ mark: TextMark) {
    content.terms.append(mark.done)
  }
}
