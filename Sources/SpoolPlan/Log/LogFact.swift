/// Something that happened to an entry; recipients are meant by their numbers from 0.
package enum LogFact: Hashable, Sendable {
  /// The end of the message is about to be sent for these recipients: from here on the server may
  /// have it, until a fact about them follows.
  case sending([Int])

  /// The server has the message for these recipients, in its own words.
  case accepted([Int], [UInt8])

  /// These recipients will not get the message, and why.
  case refused([Int], [UInt8])

  /// These recipients do not get the message before a moment, in seconds since 1970; and why.
  case deferred([Int], until: Int64, [UInt8])

  /// The connection broke before the server answered the end of the message for these recipients:
  /// it may have it. Not again before a moment, in seconds since 1970; and what broke.
  case unanswered([Int], until: Int64, [UInt8])

  /// The server said that it does not have the message for these recipients, and nothing against it.
  case unsent([Int], [UInt8])

  /// These refused recipients are the business of another entry.
  case split([Int], EntryID)

  /// Another entry is about to be put in the place of this one: once it is there, this one must not be sent.
  case replaced(EntryID)

  /// The copy is about to be made; a note to find it again by.
  case copying([UInt8])

  /// The copy, or whatever the entry asks for on the IMAP server, is made.
  case done([UInt8])

  /// The IMAP server refused for now: not before a moment, in seconds since 1970; and why.
  case postponed(until: Int64, [UInt8])

  /// The IMAP server refuses for good, and why.
  case rejected([UInt8])

  /// The entry as a whole needs a person, and why.
  case failed([UInt8])

  /// A person had it tried again.
  case retried

  /// Its failure was reported, by a message in the user's inbox or by mail.
  case reported

  /// A person or a rule stopped it, and why.
  case held([UInt8])

  /// A person let it go on.
  case released

  /// A person does not want it any more; where it stood then.
  case discarded(EntryState)

  /// A person wants it back.
  case undiscarded
}

extension LogFact {
  /// Whether a server did not take the message, and may do so later.
  package var isRefusalForNow: Bool {
    switch self {
    case .deferred, .unanswered: true
    default: false
    }
  }
}
