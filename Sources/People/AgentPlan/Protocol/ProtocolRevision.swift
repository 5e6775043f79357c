/// A revision of the Model Context Protocol, by the date that names it.
package enum ProtocolRevision: String, CaseIterable, Sendable {
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"
  /// Each request names its revision; there is no `initialize`.
  case july2026 = "2026-07-28"

  /// Whether a client begins with `initialize`, and names the revision there alone.
  var isInitialised: Bool { self != .july2026 }

  /// The revision that answers `initialize`: the one that is asked for, else the newest of these.
  static func answering(_ asked: String?) -> ProtocolRevision {
    allCases.first { $0.isInitialised && $0.rawValue == asked } ?? .november2025
  }
}
