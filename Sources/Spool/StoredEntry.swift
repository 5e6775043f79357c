package import SpoolPlan

/// An entry with its message, which is the right one.
package struct StoredEntry: Hashable, Sendable {
  /// What its header says.
  package let entry: Entry

  /// The message; `nil` where the action has none.
  package let message: [UInt8]?
}
