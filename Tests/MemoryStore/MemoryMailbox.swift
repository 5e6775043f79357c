internal import MailModel
internal import SyncPlan

/// A mailbox of a server that is in memory.
package struct MemoryMailbox: Hashable, Sendable {
  /// A message.
  package struct Message: Hashable, Sendable {
    /// The flags and keywords, as IMAP writes them.
    package var flags: Set<String>
    /// INTERNALDATE, in seconds since 1970.
    package var date: Int64
    /// Its octets with CRLF.
    package var octets: [UInt8]
    /// When it last changed.
    package var modSequence: UInt64

    init(flags: Set<String>, date: Int64, octets: [UInt8], modSequence: UInt64) {
      (self.flags, self.date, self.octets, self.modSequence) = (flags, date, octets, modSequence)
    }

    /// A message as a client sees it on another server.
    package init(flags: Set<String>, octets: [UInt8]) {
      self.init(flags: flags, date: 0, octets: octets, modSequence: 0)
    }
  }

  /// UIDVALIDITY.
  package var validity: UInt32
  /// The id that stays when it is renamed.
  package var id: String
  /// UIDNEXT.
  package var uidNext: UInt32 = 1
  /// HIGHESTMODSEQ.
  package var modSequence: UInt64 = 1
  /// The messages by UID.
  package var messages: [UInt32: Message] = [:]
  /// When messages were expunged, by UID.
  package var vanished: [UInt32: UInt64] = [:]
  /// What the server says it is for.
  package var use = MailboxUse.none
  /// The rights that the user lacks: `t` to mark messages as deleted, `e` to expunge them; the server says OK all the same.
  package var denied: Set<Character> = []

  /// An empty mailbox.
  package init(validity: UInt32, id: String) {
    self.validity = validity
    self.id = id
  }

  /// The messages that are marked as deleted.
  package var marked: Set<UInt32> {
    Set(messages.filter { $0.value.flags.contains("\\Deleted") }.keys)
  }

  /// Puts a message in; gives its UID.
  @discardableResult
  package mutating func add(_ octets: [UInt8], flags: Set<String>, date: Int64) -> UInt32 {
    let uid = uidNext
    uidNext += 1
    modSequence += 1
    messages[uid] = Message(flags: flags, date: date, octets: octets, modSequence: modSequence)
    return uid
  }

  /// Takes a message away.
  package mutating func expunge(_ uid: UInt32) {
    guard messages.removeValue(forKey: uid) != nil else { return }
    modSequence += 1
    vanished[uid] = modSequence
  }

  /// Gives the last UID once more, to another message: so does a server that was put back to an earlier state.
  package mutating func reuseLast(_ octets: [UInt8], date: Int64) {
    let uid = uidNext - 1
    modSequence += 1
    vanished[uid] = nil
    messages[uid] = Message(flags: [], date: date, octets: octets, modSequence: modSequence)
  }

  /// Gives it another UIDVALIDITY, and all messages other UIDs, as a server that lost its records does.
  package mutating func renumber(_ validity: UInt32) {
    let old = messages.sorted { $0.key < $1.key }
    self.validity = validity
    (messages, vanished, uidNext, modSequence) = ([:], [:], 1, 1)
    for (_, message) in old { add(message.octets, flags: message.flags, date: message.date) }
  }

  /// Changes the flags of a message.
  package mutating func change(_ uid: UInt32, adding: Set<String>, removing: Set<String> = []) {
    guard var message = messages[uid] else { return }
    let flags = message.flags.union(adding).subtracting(removing)
    guard flags != message.flags else { return }
    modSequence += 1
    message.flags = flags
    message.modSequence = modSequence
    messages[uid] = message
  }
}
