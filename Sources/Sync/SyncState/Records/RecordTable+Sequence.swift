package import SyncPlan

extension RecordTable: Sequence {
  /// Gives one record after another, from the lowest UID.
  package struct Iterator: IteratorProtocol {
    private let table: RecordTable
    private var position = 0
    private var changed: ArraySlice<UInt32>

    init(_ table: RecordTable) {
      self.table = table
      changed = table.changes.keys.sorted()[...]
    }

    /// The next record; nil after the last.
    package mutating func next() -> BaseRecord? {
      switch nextPlace() {
      case .row(let position): table.record(at: position)
      case .change(let record): record
      case nil: nil
      }
    }

    mutating func nextPlace() -> Place? {
      while true {
        let row = position < table.rows.count ? table.rows[position].uid : nil
        guard let uid = changed.first, row.map({ uid <= $0 }) ?? true else {
          guard row != nil else { return nil }
          position += 1
          return .row(position - 1)
        }
        changed.removeFirst()
        if row == uid { position += 1 }
        if case .some(.some(let record)) = table.changes[uid] { return .change(record) }
      }
    }
  }

  /// The records, from the lowest UID.
  package func makeIterator() -> Iterator { Iterator(self) }

  /// The number of records.
  package var underestimatedCount: Int { count }
}

extension RecordTable: Hashable {
  package static func == (left: RecordTable, right: RecordTable) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  package func hash(into hasher: inout Hasher) {
    for record in self { hasher.combine(record) }
  }
}
