package import Platform

/// Where a line is noted about each delivery.
package enum DeliveryLog: Hashable, Sendable {
  /// The system's log, facility mail.
  case syslog

  /// A file; each line is added at its end.
  case file(Path)

  /// Nowhere.
  case none
}
