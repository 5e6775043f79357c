package import Configuration
package import MailModel
package import MIME
package import Octets
package import Outgoing
internal import Platform
package import Sendmail
internal import Spool
package import SpoolPlan
internal import Submission
internal import SyncState

/// Makes the message that a draft is, and puts it into the queue of an account, as magnum-send does with any message.
package struct Dispatch: Sendable {
  package let sender: Sender
  let configuration: Configuration
  private let user: UInt32
  let correspondent: Correspondent

  /// A dispatch with an account of a configuration.
  package init(_ sender: Sender, _ configuration: Configuration, user: UInt32) {
    self.sender = sender
    self.configuration = configuration
    self.user = user
    correspondent = Correspondent(sender, configuration, user: user)
  }

  private var partial: PartialFiles { PartialFiles(configuration.accounts) }

  var outbox: Outbox { Outbox(root: SendingPlace.root(configuration), user: user) }

  /// The moment before which a message that is put into the queue now is not sent, so that it can be taken back; nil for at once.
  package var usualSchedule: ScheduledTime? {
    let delay = sender.composing.delay
    return delay > 0 ? ScheduledTime(after: delay) : nil
  }

  /// The draft with all that a message must have: a sender and an id, domains as every server takes them.
  ///
  /// - Throws: that there is no address to send from.
  package func completed(_ draft: Draft) throws(Explanation) -> Draft {
    let identity = correspondent.identity
    var draft = draft
    if draft.from == nil {
      guard let address = identity.address,
        let own = Address.list(address[...], .native).flatMap(\.mailboxes).first
      else {
        throw Explanation(
          .configuration,
          place: sender.name,
          "the account has no address",
          hint: "set address in \(configuration.path.display), or give --from"
        )
      }
      draft.from = own
    }
    if let from = draft.from, from.name.isEmpty, let name = identity.fullName, isOwn(from) {
      draft.from = Mailbox(name: name, localPart: from.localPart, domain: from.domain)
    }
    draft.from = draft.from.map(Self.inASCII)
    draft.to = draft.to.map(Self.inASCII)
    draft.cc = draft.cc.map(Self.inASCII)
    draft.bcc = draft.bcc.map(Self.inASCII)
    draft.replyTo = draft.replyTo.map(Self.inASCII)
    if draft.messageID == nil {
      let domain = draft.from?.domain ?? []
      let isUsable = !domain.isEmpty && domain.allSatisfy { $0 < 0x80 }
      draft.messageID = MessageID(
        stripping: identity.token + [ASCII.at] + (isUsable ? domain : identity.host)
      )
    }
    return draft
  }

  private func isOwn(_ mailbox: Mailbox) -> Bool {
    OwnAddresses(sender.addresses.map { [UInt8]($0.utf8) }).contains(mailbox)
  }

  /// The message that a completed draft is; its line ends are LF.
  ///
  /// What is attached is read as the message is written.
  /// - Parameters:
  ///   - draft: the draft.
  ///   - purpose: what the message is for.
  ///   - writing: how it is protected; nil for a message as it is.
  ///   - body: what it has in place of the text alone.
  /// - Returns: its octets.
  /// - Throws: an attachment that cannot be read, or is too long; why it cannot be protected.
  package func message(
    _ draft: Draft,
    for purpose: DraftMessage.Purpose,
    _ writing: ProtectedWriting? = nil,
    _ body: MessageBody = .text
  ) throws(Explanation) -> any OctetSource {
    let limit = sender.composing.attachmentLimit
    let reader = AttachmentReader(limit: limit, partial)
    let identity = correspondent.identity
    let parts = try reader.read(draft.attachments)
    let token = identity.token.filter { ASCII.isLetter($0) || ASCII.isDigit($0) }
    var message = DraftMessage.make(draft, parts, date: identity.date, for: purpose)
    do throws(SourceError) {
      message.parts = try body.parts(beside: message.parts, token: token)
    } catch {
      throw Explanation(reading: error)
    }
    guard body.givenSize <= limit else { throw reader.tooLarge }
    if let writing {
      let octets = try writing.octets(of: message, token: token)
      guard parts.isEmpty || octets.count <= limit else { throw reader.tooLarge }
      return octets
    }
    do throws(SourceError) {
      return try message.octets(token: token)
    } catch {
      throw Explanation(reading: error)
    }
  }

  /// The message with its envelope, as it goes into the spool.
  ///
  /// - Throws: that it has no recipients; one of them that nothing can be sent to; why it cannot be protected.
  package func prepared(
    _ draft: Draft,
    _ writing: ProtectedWriting? = nil,
    _ body: MessageBody = .text
  ) throws(Explanation) -> PreparedLetter {
    try prepared(draft) { () throws(Explanation) in
      try message(draft, for: .sending, writing, body)
    }
  }

  /// The same of a message whose only part is a calendar; the text of the draft and what is attached to it stay out.
  package func prepared(
    _ draft: Draft,
    calendar: OutgoingPart
  ) throws(Explanation) -> PreparedLetter {
    try prepared(draft) { () throws(Explanation) in
      let identity = correspondent.identity
      var message = DraftMessage.make(draft, [], date: identity.date, for: .sending)
      message.parts = [calendar]
      let token = identity.token.filter { ASCII.isLetter($0) || ASCII.isDigit($0) }
      do throws(SourceError) {
        return try message.octets(token: token)
      } catch {
        throw Explanation(reading: error)
      }
    }
  }

  private func prepared(
    _ draft: Draft,
    _ message: () throws(Explanation) -> any OctetSource
  ) throws(Explanation) -> PreparedLetter {
    for mailbox in (draft.to + draft.cc + draft.bcc).flatMap(\.mailboxes)
    where !mailbox.canBeRecipient {
      throw LetterError.badAddress(AddressText.text(mailbox)).explanation
    }
    guard draft.hasRecipients else {
      throw Explanation(.usage, "no recipients", hint: "name one in To, Cc or Bcc")
    }
    var request = SendmailRequest()
    request.readsRecipients = true
    let book = try correspondent.book()
    do {
      let letter = try Letter(try message())
      return try letter.prepared(for: request, correspondent.identity, book)
    } catch let error as LetterError {
      throw error.explanation
    } catch let error as Explanation {
      throw error
    } catch {
      throw Explanation(.system, "\(error)")
    }
  }

  /// Puts a message into the queue, or among what is held; durable when it returns.
  ///
  /// From here on signals interrupt instead of ending the process, so that no half of a large message is left.
  package func enqueue(
    _ letter: PreparedLetter,
    holding: Bool = false,
    _ schedule: ScheduledTime? = nil
  ) throws(Explanation) -> Entry {
    try schedule?.check(outbox.spool(of: sender.name))
    try partial.checkWhole(letter.message, "not sent")
    let sending = sending(letter, notBefore: schedule?.moment)
    Interruption.shared.watchSignals()
    return try queuing { (spool) throws(SpoolError) in
      try spool.enqueue(
        .send(sending),
        message: letter.message,
        in: holding ? .hold : .queue,
        interruption: .shared
      )
    }
  }

  /// Puts a message that an agent wrote among what is held, where it waits for a person; durable when it returns.
  ///
  /// - Parameters:
  ///   - letter: the message.
  ///   - agent: the agent.
  ///   - id: the name of the entry, one of `newEntryName()`.
  /// - Throws: why it is not there.
  package func hold(
    _ letter: PreparedLetter,
    of agent: [UInt8],
    as id: EntryID
  ) throws(Explanation) {
    try partial.checkWhole(letter.message, "not sent")
    let sending = sending(letter, agent: agent)
    try queuing { (spool) throws(SpoolError) in
      _ = try spool.enqueue(.send(sending), message: letter.message, in: .hold, as: id)
    }
  }

  /// The name of an entry that is to come.
  package func newEntryName() throws(Explanation) -> EntryID {
    try queuing { (spool) throws(SpoolError) in try spool.newName() }
  }

  private func sending(
    _ letter: PreparedLetter,
    notBefore moment: Int64? = nil,
    agent: [UInt8]? = nil
  ) -> Sending {
    Sending(
      letter.envelope,
      messageID: letter.messageID,
      copy: SendingPlace.keepsCopy(sender, configuration, user: user) ? SentCopy() : nil,
      blindCopies: letter.blindCopies,
      notBefore: moment,
      agent: agent
    )
  }

  /// Does something with the account's spool, which is made where it is not there.
  private func queuing<Value>(
    _ body: (Spool) throws(SpoolError) -> Value
  ) throws(Explanation) -> Value {
    do throws(SpoolError) {
      let spool = outbox.spool(of: sender.name)
      try spool.prepare(user: user)
      return try body(spool)
    } catch {
      throw Explanation(.cannotCreate, place: sender.name, "not queued: \(error.explanation.what)")
    }
  }
}
