internal import Maildir

/// What a scan has seen and not written, so that it is one commit with what follows: lost, it costs another scan.
package struct HeldChanges: Sendable {
  /// More are written at once, so that searches find them while a long run goes on.
  static let limit = 200

  let changes: [MaildirChange]
  let conclusion: ScanConclusion

  /// Nil where there is nothing to hold.
  init?(_ changes: [MaildirChange], _ conclusion: ScanConclusion) {
    guard !changes.isEmpty || !conclusion.isEmpty else { return nil }
    self.changes = changes
    self.conclusion = conclusion
  }
}

/// What a scan has seen besides changes: written with the last of these.
struct ScanConclusion: Sendable {
  /// Tells that all is in.
  var metadata: [(key: String, value: [UInt8])] = []
  /// What is kept from now on under the keys of files whose messages are the same as before.
  var entries: [(key: [UInt8], entry: FileEntry)] = []

  var isEmpty: Bool { metadata.isEmpty && entries.isEmpty }
}
