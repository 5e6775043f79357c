internal import MailModel
internal import Octets
internal import Platform
internal import SMTP
internal import Sendmail
internal import Spool
internal import SpoolPlan

// What is offered to a server of an entry; nothing is written here.
extension QueueRun {
  /// A message in the two forms that recipients may get.
  struct Content {
    /// As it was handed in.
    let given: (message: any OctetSource, facts: MessageFacts)

    /// With a header of ASCII alone, as far as that can be made: no server on the way needs SMTPUTF8 for it then.
    let plain: (message: any OctetSource, facts: MessageFacts)

    init(_ message: any OctetSource) throws(MessageError) {
      let facts = try MessageScanner.scan(message)
      given = (message, facts)
      guard facts.hasEightBitHeader,
        let other = (try? Letter(message))?.withASCIIHeader(InternationalDomain.asciiForm),
        let found = try? MessageScanner.scan(other)
      else {
        plain = given
        return
      }
      plain = (other, found)
    }
  }

  /// What is offered at once over a connection: the message, and the numbers of the recipients.
  func offer(
    _ content: Content,
    of sending: Sending,
    _ id: EntryID,
    _ numbers: [Int],
    over connection: SubmissionConnection
  ) -> (batch: [Int], offered: OfferedMessage) {
    let alike = sending.envelope.alike(numbers, content.plain.facts, for: connection.extensions)
    let batch = batch(of: alike, id, connection)
    let envelope = sending.limited(to: batch).envelope
      .fit(for: connection.extensions, InternationalDomain.asciiForm)
    // Who is reached by SMTPUTF8 alone gets the header as it is, if it is one for that.
    let isKept = envelope.isInternational && content.given.facts.isHeaderUTF8
    let chosen = isKept ? content.given : content.plain
    let form = form(of: chosen.message, chosen.facts, for: connection)
    return (batch, OfferedMessage(form.message, form.facts, to: envelope))
  }

  /// The recipients for whom the message is offered at once.
  private func batch(
    of numbers: [Int],
    _ id: EntryID,
    _ connection: SubmissionConnection
  ) -> [Int] {
    let limit =
      singly.contains(id) ? 1 : connection.extensions.recipientLimit ?? options.recipientLimit
    return Array(numbers.prefix(max(1, limit)))
  }

  /// The message as the server takes it: in seven bits, if it can be, where there is no 8BITMIME.
  private func form(
    of message: any OctetSource,
    _ facts: MessageFacts,
    for connection: SubmissionConnection
  ) -> (message: any OctetSource, facts: MessageFacts) {
    guard facts.hasEightBits, !connection.extensions.hasEightBitMIME,
      let other = (try? Letter(message).inSevenBits()) ?? nil,
      let found = try? MessageScanner.scan(other)
    else { return (message, facts) }
    return (other, found)
  }
}

// What comes next.
extension QueueRun {
  /// The entry whose turn is next in this round, by what its log says now; `nil` for none, and where that is unknown.
  func nextEntry() -> (id: EntryID, log: [LogRecord])? {
    for id in upcoming where !settled.contains(id) {
      guard let log = try? spool.log(of: id) else { return nil }
      // It has its turn behind all others.
      if !late.contains(id), log.contains(where: \.fact.isRefusalForNow) { continue }
      return (id, log)
    }
    return nil
  }

  /// The next entry, if nothing is to be done for it but to send its message over this connection.
  ///
  /// Anything else, such as a mistake in it, is left to its turn.
  func readyEntry(over connection: SubmissionConnection) -> ReadyEntry? {
    // Those that went together with another one come before all others.
    guard landed.isEmpty, !isStopped, !interruption.isRequested,
      submitter?.dialer.budget?.isUsedUp != true, let (id, log) = nextEntry()
    else { return nil }
    let loaded = try? spool.load(id, in: .queue, limit: PipeliningRules.lookaheadLimit)
    guard let whole = loaded ?? nil, let stored = options.sendsOnly ? whole.sendingAlone : whole,
      stored.entry.account.utf8.elementsEqual(spool.account.utf8),
      case .send(let sending) = stored.entry.action, let message = stored.message
    else { return nil }
    let progress = Progress(stored.entry.action, log, options.schedule)
    guard progress.cutShort.isEmpty, case .send(let numbers) = next(id, progress, Clock.now()),
      numbers.allSatisfy({ sending.envelope.recipients[$0].address.hasDomain }),
      let content = try? Content(message)
    else { return nil }
    let (batch, offered) = offer(content, of: sending, id, numbers, over: connection)
    guard offered.isPossible(for: connection.extensions) else { return nil }
    return ReadyEntry(
      stored: stored,
      progress: progress,
      lines: log.count,
      numbers: numbers,
      batch: batch,
      offered: offered
    )
  }

  /// The rules of what may be under way at once; `recipientCount` is that of the message before.
  func rules(
    over connection: SubmissionConnection,
    behind recipientCount: Int
  ) -> PipeliningRules {
    PipeliningRules(
      connection.extensions,
      experience == .none && connection.keepsStep ? .kept : experience,
      asksAboutUncertain: options.schedule.uncertain == .hold,
      mayBeOutOfStep: recipientCount > 1
    )
  }
}
