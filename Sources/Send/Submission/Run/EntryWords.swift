internal import Octets
package import SpoolPlan

/// Why nothing can be done with an entry, in words.
package enum EntryWords {
  /// What is wrong with it, in one line.
  package static func text(_ error: EntryError) -> String {
    switch error {
    case .notAnEntry: "damaged: it does not begin like an entry"
    case .unknownVersion(let version):
      "written by a later version of Magnum (\(Printable.text(version, limit: 20)))"
    case .formerKind(let kind):
      "of the kind \(kind), which was given up before the first release; ask for the change again"
    case .malformed(let line): "damaged: line \(line) of its header cannot be understood"
    case .missing(let field): "damaged: it has no field \(field)"
    case .messageDiffers: "damaged: its message is not the one that was put there"
    case .otherAccount(let account):
      "not sent: it was put into the queue of the account \(Printable.text(account.utf8, limit: 100))"
    }
  }
}
