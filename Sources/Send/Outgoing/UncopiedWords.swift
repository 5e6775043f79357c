internal import Octets
package import SpoolPlan
package import Submission

/// What is said of a message that is sent, and of which the server keeps no copy.
package enum UncopiedWords {
  /// That it is sent, and why there is no copy.
  package static func text(_ words: [UInt8]?) -> String {
    "sent; no copy kept" + (words.map { ": \(Printable.text($0))" } ?? "")
  }

  /// What can be done about the copy.
  package static func hint(_ id: EntryID) -> String {
    "the message is kept: magnum queue retry \(id), or discard"
  }

  /// How many there are.
  package static func count(_ count: Int) -> String {
    "\(count) sent; no cop\(count == 1 ? "y" : "ies") kept"
  }
}

extension QueuedItem {
  /// Whether its message is sent, and only the copy of it was refused.
  package var isSentWithoutCopy: Bool {
    state == .failed && content?.progress.isSentWithoutCopy == true
  }

  /// The same, and no person was shown that.
  package var isUnseenWithoutCopy: Bool {
    isSentWithoutCopy && content?.progress.isSeen == false
  }
}
