internal import SyncEngine

/// Shows the events of a run to somebody; may be called from several threads.
protocol Reporter: Sendable {
  func take(_ event: SyncEvent)

  func take(_ outbox: OutboxReport)
}
