package import SMTP
package import Spool
package import SpoolPlan

/// How a queue stands after it was worked on.
package struct QueueReport: Sendable {
  /// Why the run ended.
  package enum Ending: Sendable {
    /// Nothing was left that could be done.
    case complete
    /// Another process works on the queue; it will do the rest.
    case busy
    /// The program is to end.
    case interrupted
  }

  /// Why it ended.
  package internal(set) var ending = Ending.complete

  /// How many messages were taken by the server for at least one recipient.
  package internal(set) var sent = 0

  package internal(set) var failed: [EntryID] = []

  /// The entries of messages that are sent, of which the server refuses to keep a copy.
  package internal(set) var uncopied: [EntryID] = []

  /// The entries that a person is to know of.
  package var concluded: [EntryID] { failed + uncopied }

  /// The entries that were left alone since they cannot be understood, and why.
  package internal(set) var unreadable: [(id: EntryID, problem: SpoolError)] = []

  /// How many entries are left in the queue.
  package internal(set) var waiting = 0

  /// What is in the way of the account; `nil` for nothing.
  package internal(set) var block: SendingBlock?

  /// What happened on the way that put the block there in this run; `nil` when nothing did.
  package internal(set) var failure: SubmissionFailure?
}

/// Something that happened while a queue was worked on.
package enum QueueEvent: Sendable {
  /// A message was offered to the server: what became of it for each of these recipients.
  case attempted(AttemptReport)

  /// An entry is done and gone.
  case finished(EntryID)

  /// An entry needs a person, and why.
  case failed(EntryID, [UInt8])

  /// An entry waits for a person, and why.
  case held(EntryID, [UInt8])

  /// Nothing can be sent with the account for now.
  case blocked(SendingBlock, SubmissionFailure?)

  /// An entry is left alone, since its file or its log cannot be understood.
  case unreadable(EntryID, SpoolError)

  /// A line of the conversation with the server.
  case trace(String)
}

/// One offer of a message to a server.
package struct AttemptReport: Sendable {
  package let entry: Entry

  /// Where it was offered, `host:port`, or the program that it was given to.
  package let server: String

  /// The envelope that was offered.
  package let envelope: Envelope

  /// The size of the message, in octets as it lies in the spool.
  package let size: Int

  /// What became of it for each recipient of the envelope.
  package let outcomes: [Outcome]

  /// What it was sent without.
  package let lacking: Set<Shortfall>

  /// What became of it for one recipient, with the words of the server or of the program.
  package enum Outcome: Hashable, Sendable {
    case sent(String)
    case deferred(String)
    case refused(String)
    /// The attempt ended before, over something else.
    case notSent
    /// It may have been sent.
    case unknown(String)

    /// Whether it was taken.
    package var isAccepted: Bool {
      if case .sent = self { true } else { false }
    }
  }
}

extension AttemptReport.Outcome {
  init(_ outcome: RecipientOutcome) {
    self =
      switch outcome {
      case .accepted(let reply): .sent("\(reply)")
      case .deferred(let refusal): .deferred(Self.words(refusal))
      case .refused(let refusal): .refused(Self.words(refusal))
      case .undecided: .notSent
      case .uncertain: .unknown("no answer to the end of the message")
      }
  }

  private static func words(_ refusal: Refusal) -> String {
    "\(refusal.reply) to \(refusal.step.command)"
  }
}
