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
