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
    let needsReset = transaction?.needsReset ?? false
    transaction = Transaction(
      recipientCount: envelope.recipients.count,
      isLoggedIn: isLoggedIn
    )
    guard state != .closed else { return shortfalls }
    precondition(state == .ready && isIdle, "one transaction at a time, after EHLO")
    state.begun()
    let mail = Mail(
      commands: EnvelopeEncoder(envelope, message, extensions),
      facts: message,
      isPipelined: extensions.hasPipelining
    )
    self.mail = mail
    if needsReset { say([UInt8](ascii: "RSET"), expecting: .reset(isReported: false)) }
    if mail.isPipelined {
      sayAll(mail.commands, count: envelope.recipients.count)
    } else if !needsReset {
      say(mail.commands.sender, expecting: .sender)
    }
    return shortfalls
  }

  private mutating func sayAll(_ commands: EnvelopeEncoder, count: Int) {
    say(commands.sender, expecting: .sender)
    for index in 0..<count { say(commands.recipient(index), expecting: .recipient(index)) }
    say([UInt8](ascii: "DATA"), expecting: .data)
  }

  /// Queues the next octets of the message; its lines end with LF or CR LF.
  ///
  /// Does nothing unless the server waits for the message: it may have broken off meanwhile.
  /// - Throws: `MessageError` when they cannot be sent. The session is closed then, and with the
  ///   connection the message must be abandoned: its end was not sent.
  package mutating func send(message octets: ArraySlice<UInt8>) throws(MessageError) {
    guard state == .message, var mail else { return }
    // No second copy of the encoder may stay while it works.
    self.mail = nil
    do throws(MessageError) {
      outgoing += try mail.body.encode(octets)
      self.mail = mail
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
    guard state == .message, var mail else { return }
    do throws(MessageError) {
      let end = try mail.body.finish()
      guard mail.body.size == mail.facts.size else {
        throw .sizeChanged(scanned: mail.facts.size, given: mail.body.size)
      }
      outgoing += end
    } catch {
      abandon()
      throw error
    }
    traceLine(.sent, [UInt8]("… \(mail.body.size) octets".utf8))
    traceLine(.sent, [ASCII.dot])
    transaction?.gaveEnd()
    state.endedMessage()
    expected.append(.endOfData)
  }

  /// What was queued of the message must not be followed by anything.
  mutating func abandon() {
    outgoing = []
    mail = nil
    state.close()
  }
}

// The course of a transaction.
extension SMTPSession {
  mutating func advance(_ expectation: Expectation, _ reply: Reply) -> [SMTPEvent] {
    transaction?.received(reply, to: expectation)
    guard let transaction, let mail else { return [] }
    if case .data = expectation { return dataAnswered(transaction, reply) }
    if case .endOfData = expectation { return endTransaction() }
    guard !mail.isPipelined else { return [] }
    return next(after: expectation, transaction, mail)
  }

  /// The next command where each has to wait for the reply to the one before.
  private mutating func next(
    after expectation: Expectation,
    _ transaction: Transaction,
    _ mail: Mail
  ) -> [SMTPEvent] {
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
      abandon()
      return outcome.map { [.delivery($0)] } ?? []
    }
    // RFC 2920 §3.1: without recipients it is sent an empty message.
    say([ASCII.dot], expecting: .endOfData)
    return []
  }

  private mutating func endTransaction() -> [SMTPEvent] {
    mail = nil
    state.endedTransaction()
    return outcome.map { [.delivery($0)] } ?? []
  }
}
