package import MailModel

/// What happened on a session, in the order of the wire.
package enum Event: Hashable, Sendable {
  /// The first response; its kind is `ok`, `preauth` or `bye`, and no other response has this event.
  case greeting(StatusResponse)

  /// The end of a command; its kind is `ok`, `no` or `bad`.
  case tagged(CommandTag, StatusResponse)

  /// A status that ends no command; its kind is `ok`, `no` or `bad`.
  case status(StatusResponse)

  /// The server is about to close the connection.
  case bye(StatusResponse)

  /// The next challenge of AUTHENTICATE, base64 undone; answered with `Session.respond(_:)`.
  case continuation([UInt8])

  /// The server tells from here on what changes, as IDLE asked it to; `Session.endIdle()` ends that.
  case idling

  /// An untagged CAPABILITY; `Session.capabilities` has them already.
  case capabilities(Capabilities)

  /// What ENABLE switched on (RFC 5161 §3.2), letters large.
  case enabled([[UInt8]])

  /// A mailbox that LIST found.
  case list(ListEntry)

  /// What the names of mailboxes begin with.
  case namespaces(Namespaces)

  /// A STATUS response; servers also send it unasked.
  case mailboxStatus(MailboxStatus)

  /// The flags in use in the mailbox (RFC 9051 §7.3.5).
  case flags([Flag])

  /// The number of messages in the mailbox.
  case exists(UInt32)

  /// The number of messages with \Recent.
  case recent(UInt32)

  /// The message with this sequence number is gone; all later ones move down by one.
  case expunge(UInt32)

  /// These UIDs are gone (RFC 7162 §3.2.10); `earlier`: before this selection of the mailbox.
  case vanished(UIDSet, earlier: Bool)

  /// The numbers that SEARCH found, in the order of the server.
  case search([UInt32])

  /// What an extended search found (RFC 4731).
  case esearch(ESearch)

  /// All that a FETCH response told, once it is complete; comes after its body events.
  case fetch(Fetch)

  /// The body of a message begins; `size` is its length in octets.
  case bodyBegin(size: UInt64)

  /// A part of the body, never empty: a slice of the octets given to `Session.receive(_:into:)`.
  case bodyChunk(ArraySlice<UInt8>)

  /// The body is complete; the `fetch` that it belongs to follows, possibly much later.
  case bodyEnd
}
