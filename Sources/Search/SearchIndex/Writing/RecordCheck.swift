/// Compares the record of each message with the thread, files and labels by which it is found.
struct RecordCheck {
  private let database: XapianDatabase
  private let labels: LabelTable
  /// How many messages have each label by their records.
  private var counts: [Label: UInt32] = [:]

  /// A line for each fault.
  private(set) var report: [String] = []

  init(_ database: XapianDatabase) throws(IndexError) {
    self.database = database
    labels = LabelTable(try database.metadata(Schema.Key.labels))
  }

  /// Reads every record.
  mutating func checkRecords() throws(IndexError) {
    for number in try database.postings([]) {
      do throws(IndexError) {
        try check(number)
      } catch {
        report.append("document \(number): \(error)")
      }
    }
    for (label, slot) in labels.all
    where try database.frequency(ofSlot: slot) != counts[label] ?? 0 {
      report.append("\(label): values of documents that do not have it")
    }
  }

  private mutating func check(_ number: UInt32) throws(IndexError) {
    let record = try Record(database.data(number))
    let thread = try database.value(number, Schema.Slot.thread)
    let members = try database.postings([Schema.Prefix.thread] + thread)
    if !members.contains(number) { report.append("document \(number): not in its thread") }
    if record.files.isEmpty { report.append("document \(number): no file") }
    for file in record.files where try database.document(Schema.path(file)) != number {
      report.append("document \(number): a file that does not lead to it")
    }
    for (label, value) in Label.all(of: record) {
      counts[label, default: 0] += 1
      guard let slot = labels.known(label), try database.value(number, slot) == value else {
        report.append("document \(number): without the value of \(label)")
        continue
      }
    }
  }
}
