internal import Maildir

/// What a scan has seen and not written, so that it is one commit with what follows: lost, it costs another scan.
package struct HeldChanges: Sendable {
  /// More are written at once, so that searches find them while a long run goes on.
  static let limit = 200

  let changes: [MaildirChange]
  let metadata: [(key: String, value: [UInt8])]

  /// Nil where there is nothing to hold.
  init?(_ changes: [MaildirChange], _ metadata: [(key: String, value: [UInt8])]) {
    guard !changes.isEmpty || !metadata.isEmpty else { return nil }
    self.changes = changes
    self.metadata = metadata
  }
}
