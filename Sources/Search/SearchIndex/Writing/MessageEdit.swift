/// A message of the database whose files change; written once, however many of them do.
struct MessageEdit {
  let old: Record
  var files: FileList
  /// How many files there are of each variant; nil as long as files have only got other names.
  var variants: [UInt32: Int]?
  /// Which variants there were.
  var before: Set<UInt32> = []
  /// What files say that were read for it, by their variants.
  var contents: [UInt32: MessageContent] = [:]

  init(_ record: Record) {
    old = record
    files = FileList(record.files)
  }

  /// Whether its words are others, since variants came or went.
  var isReworded: Bool { variants.map { Set($0.keys) != before } ?? false }

  /// The record with the files that there are now.
  var record: Record {
    var record = old
    record.files = files.files
    if let variants { record.variants = variants.count > 1 ? variants : [:] }
    return record
  }

  /// Counts a file of a variant that came, or went.
  mutating func count(_ variant: UInt32, _ change: Int) {
    let count = variants?[variant, default: 0] ?? 0
    variants?[variant] = count + change > 0 ? count + change : nil
  }
}
