/// Something that happened to an entry; recipients, and steps on the IMAP server, are meant by their numbers from 0.
///
/// The steps are the copy of what was sent, what is put into a mailbox, or the changes of messages in their order.
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

  /// A step is about to be taken; a note to find out by what became of it.
  case begun(Int, [UInt8])

  /// These steps are done, or no longer needed.
  case done([Int], [UInt8])

  /// The IMAP server refused these steps for now: not before a moment, in seconds since 1970; and why.
  case postponed([Int], until: Int64, [UInt8])

  /// The IMAP server refuses these steps for good, and why: a person is needed.
  case rejected([Int], [UInt8])

  /// The IMAP server refuses these steps for good, and why; what showed them here was put back as it was.
  case undone([Int], [UInt8])

  /// The entry as a whole needs a person, and why.
  case failed([UInt8])

  /// A person had it tried again.
  case retried

  /// Its failure was reported, by a message in the user's inbox or by mail.
  case reported

  /// A person was shown it, with what failed.
  case seen

  /// A person or a rule stopped it, and why.
  case held([UInt8])

  /// A person let it go on.
  case released

  /// A person at a terminal was shown what an agent wrote, and lets it go on.
  case approved

  /// A person no longer wants it; where it stood then.
  case discarded(EntryState)

  /// A person wants it back.
  case undiscarded

  /// A person cancels it as a draft, which is about to be kept under a name. It is not to be sent until it is known that there
  /// is no draft.
  case cancelling([UInt8])

  /// No draft was kept: it goes on as before.
  case uncancelled

  /// A person took it back as a draft, which is kept elsewhere: it is not to be sent.
  case cancelled
}

extension LogFact {
  /// Whether the entry goes without being done, so that its log alone tells what became of it.
  package var isEndUndone: Bool {
    switch self {
    case .replaced, .cancelled: true
    case .sending, .accepted, .refused, .deferred, .unanswered, .unsent, .split, .begun, .done,
      .postponed, .rejected, .undone, .failed, .retried, .reported, .seen, .held, .released,
      .approved, .discarded, .undiscarded, .cancelling, .uncancelled:
      false
    }
  }

  /// Whether a server did not take the message, and may do so later.
  package var isRefusalForNow: Bool {
    switch self {
    case .deferred, .unanswered: true
    case .sending, .accepted, .refused, .unsent, .split, .replaced, .begun, .done, .postponed,
      .rejected, .undone, .failed, .retried, .reported, .seen, .held, .released, .approved,
      .discarded, .undiscarded, .cancelling, .uncancelled, .cancelled:
      false
    }
  }

  /// Both facts as one; `nil` when they differ in more than whom or what they are about.
  package func joined(_ other: LogFact) -> LogFact? {
    switch (self, other) {
    case (.accepted(let left, let text), .accepted(let right, let other)) where text == other:
      .accepted(left + right, text)
    case (.refused(let left, let text), .refused(let right, let other)) where text == other:
      .refused(left + right, text)
    case (.deferred(let left, let until, let text), .deferred(let right, _, let other))
    where text == other:
      .deferred(left + right, until: until, text)
    case (.unanswered(let left, let until, let text), .unanswered(let right, _, let other))
    where text == other:
      .unanswered(left + right, until: until, text)
    case (.unsent(let left, let text), .unsent(let right, let other)) where text == other:
      .unsent(left + right, text)
    case (.done(let left, let text), .done(let right, let other)) where text == other:
      .done(left + right, text)
    case (.rejected(let left, let text), .rejected(let right, let other)) where text == other:
      .rejected(left + right, text)
    case (.undone(let left, let text), .undone(let right, let other)) where text == other:
      .undone(left + right, text)
    case (.postponed(let left, let until, let text), .postponed(let right, let moment, let other))
    where until == moment && text == other:
      .postponed(left + right, until: until, text)
    default: nil
    }
  }
}
