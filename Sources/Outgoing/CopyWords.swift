package import SyncEngine

/// Why a copy of what was sent waits, in words.
package enum CopyWords {
  /// The words; nil where there is nothing to say: nothing is in the way, or it passes by itself at once.
  package static func text(_ failure: SyncFailure?) -> String? {
    switch failure {
    case nil, .locked, .interrupted: nil
    case .some(let failure):
      "the copy of what was sent waits: \(SyncFailureWords(failure, account: "").what)"
    }
  }
}
