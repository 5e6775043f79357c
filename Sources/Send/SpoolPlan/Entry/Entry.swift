/// Something that is to be done on a server, as the file of the spool says it: never changed once
/// it is there.
package struct Entry: Hashable, Sendable {
  /// Its name, and with it its place in the queue.
  package let id: EntryID

  /// The account that does it.
  package let account: String

  /// When it was put into the spool, in seconds since 1970.
  package let queued: Int64

  /// What is to be done.
  package let action: Action

  /// What the message behind the header must be; `nil` where the action has none.
  package let seal: MessageSeal?

  package init(
    id: EntryID,
    account: String,
    queued: Int64,
    action: Action,
    seal: MessageSeal? = nil
  ) {
    self.id = id
    self.account = account
    self.queued = queued
    self.action = action
    self.seal = seal
  }
}

/// Where an entry stands: the directory it is in.
package enum EntryState: String, Hashable, Sendable, CaseIterable {
  /// Something is still to be done.
  case queue
  /// A person is needed.
  case failed
  /// A person stopped it, or a rule that wants a person to decide.
  case hold
  /// A person no longer wants it; it is kept for a day.
  case discarded

  /// Those of entries that are still wanted.
  package static let wanted: [EntryState] = [.queue, .failed, .hold]
}

/// What tells whether a message is still the one that was put into the spool.
package struct MessageSeal: Hashable, Sendable {
  /// The length in octets.
  package let size: UInt64

  /// What is known of its content.
  package let checksum: Checksum

  /// A checksum of a message: against accidents, since who may write into the spool may write this too.
  package enum Checksum: Hashable, Sendable {
    /// That of `Hash64`, which needs no library to be loaded while a person waits.
    case hash64(UInt64)
    /// SHA-256, 32 octets; of entries that were written before there was the other one.
    case sha256([UInt8])
  }

  package init(size: UInt64, checksum: Checksum) {
    self.size = size
    self.checksum = checksum
  }
}

/// Why octets are no entry that can be worked on.
package enum EntryError: Error, Hashable, Sendable {
  /// They do not begin like an entry.
  case notAnEntry

  /// A later version of the program wrote it; it is left alone.
  case unknownVersion([UInt8])

  /// Of a kind of before the first release, when an entry was about one message of the server.
  case formerKind(String)

  /// A line of the header, counted from 1, that cannot be understood.
  case malformed(line: Int)

  /// A field that has to be there is missing.
  case missing(String)

  /// It is of the queue of another account.
  case otherAccount(String)

  /// The message is not the one that the header speaks of.
  case messageDiffers
}
