internal import Maildir

/// A file of a message as the index keeps it.
struct StoredFile: Hashable {
  /// The number of its folder.
  var folder: Int
  /// Whether it lies in `new`, not in `cur`.
  var isNew: Bool
  /// Its name, with flags.
  var name: [UInt8]

  init(folder: Int, isNew: Bool, name: [UInt8]) {
    self.folder = folder
    self.isNew = isNew
    self.name = name
  }

  init(folder: Int, _ file: ScannedFile) {
    self.init(folder: folder, isNew: file.subdirectory == .new, name: file.name.octets)
  }

  /// A file as ``write(to:)`` keeps it.
  init(_ reader: inout OctetReader) {
    let place = reader.count()
    self.init(folder: place / 2, isNew: place % 2 == 1, name: reader.text())
  }

  func write(to writer: inout OctetWriter) {
    writer.add(folder * 2 + (isNew ? 1 : 0))
    writer.add(name)
  }

  /// The letters in its name that stand for keywords.
  var keywordLetters: [UInt8] {
    FileName(name).otherLetters.filter { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
  }

  /// The file as Maildir knows it.
  var scanned: ScannedFile {
    ScannedFile(name: FileName(name), subdirectory: isNew ? .new : .cur)
  }
}
