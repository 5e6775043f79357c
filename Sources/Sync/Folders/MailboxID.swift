internal import Octets
internal import Hashing

/// The ids of mailboxes.
///
/// A mailbox keeps its id whatever it is called, and no other ever gets it: names are used again, ids are not.
package enum MailboxID {
  /// A new id.
  package static func random() -> UInt64 {
    let id = UInt64(octets: Hashes.random(8))
    // 0 stands for a mark that cannot be read.
    return id == 0 ? random() : id
  }
}
