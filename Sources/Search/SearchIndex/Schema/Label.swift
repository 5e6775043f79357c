/// What a message has by its files, and so gets and loses while it is there.
///
/// Each label has a slot for values of its own (``LabelTable``): to change a term the library reads the positions of all
/// words of the message, to change a value it does not.
enum Label: Hashable {
  /// A file lies in the folder of that number.
  case folder(Int)
  /// The name of a file in the folder of that number shows the letter of a keyword.
  ///
  /// The letter, not the name: what it means is in a file of the folder, and looked up when a query asks.
  case letter(UInt8, folder: Int)
  /// A folder's file of keywords gives it to the message; the value holds the numbers of these folders.
  case keyword([UInt8])

  /// The labels of a message, with their values.
  static func all(of record: Record) -> [Label: [UInt8]] {
    var labels: [Label: [UInt8]] = [:]
    for file in record.files {
      labels[.folder(file.folder)] = isThere
      for letter in file.keywordLetters { labels[.letter(letter, folder: file.folder)] = isThere }
    }
    for (name, keywords) in Dictionary(grouping: record.keywords, by: \.name) {
      labels[.keyword(name)] = value(keywords.map(\.folder))
    }
    return labels
  }

  private static let isThere = [UInt8(ascii: "1")]

  private static func value(_ folders: [Int]) -> [UInt8] {
    var writer = OctetWriter()
    for folder in folders.sorted() { writer.add(folder) }
    return writer.octets
  }

  /// The folders that the value of a keyword names.
  static func folders(_ value: [UInt8]) -> [Int] {
    var reader = OctetReader(value)
    var folders: [Int] = []
    while !reader.isAtEnd { folders.append(reader.count()) }
    return folders
  }

  // MARK: Octets

  func write(to writer: inout OctetWriter) {
    switch self {
    case .folder(let folder):
      writer.add(0)
      writer.add(folder)
    case .letter(let letter, let folder):
      writer.add(1)
      writer.add(folder)
      writer.add(UInt64(letter))
    case .keyword(let name):
      writer.add(2)
      writer.add(name)
    }
  }

  /// The label that was written; nil where it is none.
  init?(_ reader: inout OctetReader) {
    switch reader.number() {
    case 0: self = .folder(reader.count())
    case 1:
      let folder = reader.count()
      self = .letter(UInt8(truncatingIfNeeded: reader.number()), folder: folder)
    case 2: self = .keyword(reader.text())
    default: return nil
    }
  }
}

/// The labels of an index with their slots; a label keeps its slot as long as the generation lives.
struct LabelTable: Hashable {
  private var labels: [Label] = []
  private var slots: [Label: UInt32] = [:]

  init() {}

  /// The table that metadata hold; what means nothing ends it.
  init(_ octets: [UInt8]) {
    var reader = OctetReader(octets)
    while !reader.isAtEnd, let label = Label(&reader), !reader.isCut { _ = slot(of: label) }
  }

  var octets: [UInt8] {
    var writer = OctetWriter()
    for label in labels { label.write(to: &writer) }
    return writer.octets
  }

  /// The slot of a label, a new one where it has none.
  mutating func slot(of label: Label) -> UInt32 {
    if let slot = slots[label] { return slot }
    let slot = Schema.Slot.labels + UInt32(labels.count)
    slots[label] = slot
    labels.append(label)
    return slot
  }

  /// The slot of a label; nil where no message ever had it.
  func known(_ label: Label) -> UInt32? { slots[label] }

  /// All labels with their slots, in the order of the slots.
  var all: Zip2Sequence<[Label], PartialRangeFrom<UInt32>> { zip(labels, Schema.Slot.labels...) }
}
