/// A file whose name says that it is a message of another mailbox, and the messages there that it may be: they have no record,
/// and are as long as it is.
package struct KeyClaim: Sendable {
  /// Those messages.
  package let messages: [RemoteMessage]
  private let file: Trace
  private let needed: Sameness.Level

  /// A claim of a file; nil where it can be none of these messages.
  ///
  /// `uid` is the UID that the name gives. Where UIDVALIDITY has changed since the file got its name it is nil: then the content
  /// has to tell.
  package init?(_ file: Trace, as uid: UInt32?, among alike: [RemoteMessage]) {
    messages = alike.filter { message in uid.map { $0 == message.uid } ?? true }
    guard !messages.isEmpty else { return nil }
    self.file = file
    needed = uid == nil ? .likely : .possible
  }

  /// The message that each of several files is, in their order: one that a file took is no other's.
  ///
  /// `header` gives what the header of a message tells; nil where it could not be read.
  package static func resolveClaims(
    _ claims: [KeyClaim],
    by header: (RemoteMessage) -> Trace?
  ) -> [RemoteMessage?] {
    var taken: Set<UInt32> = []
    return claims.map { claim in
      let own = claim.messages.first { message in
        guard !taken.contains(message.uid), let trace = header(message) else { return false }
        return Sameness.compare(claim.file, trace, .movedHere).level >= claim.needed
      }
      if let own { taken.insert(own.uid) }
      return own
    }
  }
}
