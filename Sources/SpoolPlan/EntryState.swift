/// Where an entry stands: the directory it is in.
package enum EntryState: String, Hashable, Sendable, CaseIterable {
  /// Something is still to be done.
  case queue
  /// A person is needed.
  case failed
  /// A person stopped it, or a rule that wants a person to decide.
  case hold
  /// A person does not want it any more; it is kept for a day.
  case discarded

  /// Those of entries that are still wanted.
  package static let wanted: [EntryState] = [.queue, .failed, .hold]
}
