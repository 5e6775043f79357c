/// Which partial messages are to be made whole.
package struct Completions: Hashable, Sendable {
  /// Messages up to so many octets are mirrored whole; nil is all of them.
  package var sizeLimit: UInt64?
  /// The base names of files that a person asked for.
  package var names: Set<[UInt8]>

  package init(sizeLimit: UInt64?, names: Set<[UInt8]>) {
    self.sizeLimit = sizeLimit
    self.names = names
  }

  /// Whether the message of that record is to be made whole.
  package func wants(_ record: BaseRecord) -> Bool {
    guard let sizeLimit else { return true }
    return record.size.map { $0 <= sizeLimit } ?? false || names.contains(record.name)
  }
}
