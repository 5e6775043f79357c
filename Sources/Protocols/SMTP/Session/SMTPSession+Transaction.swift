internal import Octets

// Sending a message.
extension SMTPSession {
  /// Begins a transaction; only in state `ready` when `isIdle` (a programming error otherwise), or
  /// in state `closed` without effect but on `outcome`.
  ///
  /// Where the server offers PIPELINING (RFC 2920), all commands up to DATA go at once. A
  /// transaction that was left half done is reset before. What follows is one `delivery`, and
  /// before it `messageWanted` if a recipient was accepted. A server that refuses MAIL, takes a recipient and waits for
  /// the message is left without a word: the session is `closed` then.
  /// - Parameters:
  ///   - envelope: who gets the message.
  ///   - message: what a `MessageScanner` found out about it.
  /// - Returns: what is wanted and not offered; the message is sent all the same.
  /// - Throws: `EnvelopeError` when it cannot be sent; then nothing was sent.
  @discardableResult
  package mutating func begin(
    _ envelope: Envelope,
    _ message: MessageFacts
  ) throws(EnvelopeError) -> Set<Shortfall> {
    let shortfalls = try envelope.check(message, for: extensions)
    let form = extensions.hasPipelining ? MailUnderWay.Form.pipelined : .stepwise
    let mail = mail(envelope, message, form)
    guard state != .closed else {
      (mails, last) = ([], mail.transaction)
      return shortfalls
    }
    precondition(state == .ready && isIdle, "one transaction at a time, after EHLO")
    state.begun()
    mails = [mail]
    let needsReset = last?.needsReset ?? false
    if needsReset { say([UInt8](ascii: "RSET"), expecting: .reset(isReported: false)) }
    if form == .pipelined {
      sayEnvelope(mail)
      say([UInt8](ascii: "DATA"), expecting: .data)
    } else if !needsReset {
      say(mail.commands.sender, expecting: .sender)
    }
    return shortfalls
  }

  /// Whether the commands of another message may follow the end of the one under way.
  package var canAnnounce: Bool {
    extensions.hasPipelining && state == .transaction && mails.count == 1
      && mails[0].form == .pipelined && mails[0].transaction.isEndGiven
  }

  /// Queues the commands of the next message behind the end of the one under way (RFC 2920 §3.1).
  ///
  /// Only where `canAnnounce`, or in state `closed` without effect. The `delivery` of the message under way comes first; from
  /// then on the announced one is under way, as if it had been begun.
  /// - Returns: what is wanted and not offered.
  /// - Throws: `EnvelopeError` when it cannot be sent; then nothing was queued.
  package mutating func announce(
    _ envelope: Envelope,
    _ message: MessageFacts
  ) throws(EnvelopeError) -> Set<Shortfall> {
    let shortfalls = try envelope.check(message, for: extensions)
    guard state != .closed else { return shortfalls }
    precondition(canAnnounce, "behind the end of a message, where PIPELINING is offered")
    let mail = mail(envelope, message, .pipelined)
    mails.append(mail)
    sayEnvelope(mail)
    say([UInt8](ascii: "DATA"), expecting: .data)
    return shortfalls
  }

  /// Whether a message may be sent as a chunk now.
  package var canBeginChunk: Bool {
    guard extensions.hasPipelining, extensions.hasChunking else { return false }
    return state == .ready
      ? isIdle
      : state == .transaction && !mails.isEmpty
        && mails.allSatisfy { $0.form == .chunked && $0.transaction.isEndGiven }
  }

  /// Begins a message whose octets follow its commands, without a reply to wait for (RFC 3030); several may be under way.
  ///
  /// Only where `canBeginChunk`, or in state `closed` without effect. The server counts as waiting for the message at once:
  /// `send(message:)`, then `endMessage()`. No octet by which the server would have the whole message goes before that.
  /// What becomes of the messages comes as one `delivery` for each, in their order.
  /// - Returns: what is wanted and not offered.
  /// - Throws: `EnvelopeError` when it cannot be sent; then nothing was queued.
  @discardableResult
  package mutating func beginChunk(
    _ envelope: Envelope,
    _ message: MessageFacts
  ) throws(EnvelopeError) -> Set<Shortfall> {
    let shortfalls = try envelope.check(message, for: extensions)
    guard state != .closed else { return shortfalls }
    precondition(canBeginChunk, "behind whole chunks, where CHUNKING and PIPELINING are offered")
    // Nothing that a message before it leaves, when it is refused, may reach this one.
    let needsReset = !mails.isEmpty || last?.needsReset ?? false
    var mail = mail(envelope, message, .chunked)
    if needsReset { say([UInt8](ascii: "RSET"), expecting: .reset(isReported: false)) }
    sayEnvelope(mail)
    let command = [UInt8]("BDAT \(message.size) LAST".utf8)
    traceLine(.sent, command)
    mail.hold(command + [ASCII.carriageReturn, ASCII.lineFeed])
    mails.append(mail)
    state.begun()
    state.wantsMessage()
    return shortfalls
  }

  private func mail(
    _ envelope: Envelope,
    _ message: MessageFacts,
    _ form: MailUnderWay.Form
  ) -> MailUnderWay {
    MailUnderWay(
      EnvelopeEncoder(envelope, message, extensions),
      message,
      form,
      Transaction(
        recipientCount: envelope.recipients.count,
        isLoggedIn: isLoggedIn,
        isChunked: form == .chunked
      )
    )
  }

  private mutating func sayEnvelope(_ mail: MailUnderWay) {
    say(mail.commands.sender, expecting: .sender)
    for index in mail.transaction.recipients.indices {
      say(mail.commands.recipient(index), expecting: .recipient(index))
    }
  }

  /// Queues the next octets of the message; its lines end with LF or CR LF.
  ///
  /// Does nothing unless the server waits for the message: it may have broken off meanwhile.
  /// - Throws: `MessageError` when they cannot be sent. The session is closed then, and with the
  ///   connection the message must be abandoned: its end was not sent.
  package mutating func send(message octets: ArraySlice<UInt8>) throws(MessageError) {
    guard state == .message, !mails.isEmpty else { return }
    do throws(MessageError) {
      outgoing += try mails[mails.count - 1].encode(octets)
    } catch {
      abandon()
      throw error
    }
  }

  /// Queues the end of the message; from now on what becomes of it is uncertain until the server replies.
  ///
  /// Does nothing unless the server waits for the message.
  /// - Throws: `MessageError` when the message ends with a lone CR or is not the one that was
  ///   scanned; then as `send(message:)`.
  package mutating func endMessage() throws(MessageError) {
    guard state == .message, !mails.isEmpty else { return }
    let index = mails.count - 1
    do throws(MessageError) {
      outgoing += try mails[index].finish()
    } catch {
      abandon()
      throw error
    }
    traceLine(.sent, [UInt8]("… \(mails[index].facts.size) octets".utf8))
    if mails[index].form != .chunked { traceLine(.sent, [ASCII.dot]) }
    mails[index].transaction.gaveEnd()
    state.endedMessage()
    expected.append(.endOfData)
  }

  /// What was queued of the message must not be followed by anything.
  mutating func abandon() {
    outgoing = []
    state.close()
  }
}

// The course of a transaction.
extension SMTPSession {
  mutating func advance(_ expectation: Expectation, _ reply: Reply) -> [SMTPEvent] {
    guard !mails.isEmpty else { return [] }
    mails[0].transaction.received(reply, to: expectation)
    let mail = mails[0]
    if case .data = expectation { return dataAnswered(mail.transaction, reply) }
    if case .endOfData = expectation { return endTransaction() }
    guard mail.form == .stepwise else { return [] }
    return next(after: expectation, mail)
  }

  /// The next command where each has to wait for the reply to the one before.
  private mutating func next(
    after expectation: Expectation,
    _ mail: MailUnderWay
  ) -> [SMTPEvent] {
    let transaction = mail.transaction
    let recipient: Int
    switch expectation {
    case .reset:
      say(mail.commands.sender, expecting: .sender)
      return []
    case .sender where transaction.sender?.isPositive ?? false: recipient = 0
    case .recipient(let last): recipient = last + 1
    default: return endTransaction()
    }
    if recipient < transaction.recipients.count {
      say(mail.commands.recipient(recipient), expecting: .recipient(recipient))
    } else if transaction.hasRecipient {
      say([UInt8](ascii: "DATA"), expecting: .data)
    } else {
      return endTransaction()
    }
    return []
  }

  private mutating func dataAnswered(_ transaction: Transaction, _ reply: Reply) -> [SMTPEvent] {
    guard reply.isIntermediate else { return endTransaction() }
    guard transaction.hasRecipient else { return endUnwanted(transaction) }
    state.wantsMessage()
    return [.messageWanted]
  }

  /// The server waits for a message that has no recipient.
  private mutating func endUnwanted(_ transaction: Transaction) -> [SMTPEvent] {
    // Who was accepted although MAIL was refused would get whatever is sent now: only hanging up sends nothing.
    guard !transaction.isRecipientNamed else {
      defer { abandon() }
      return endTransaction()
    }
    // RFC 2920 §3.1: without recipients it is sent an empty message.
    say([ASCII.dot], expecting: .endOfData)
    return []
  }

  /// Ends the message that replies are about; the next one, if any, takes its place.
  mutating func endTransaction() -> [SMTPEvent] {
    let ended = mails.removeFirst().transaction
    last = ended
    if mails.isEmpty { state.endedTransaction() }
    return [.delivery(ended.outcome)]
  }
}
