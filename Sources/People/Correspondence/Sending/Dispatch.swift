package import MailModel
package import Configuration
package import MIME
package import Octets
package import Outgoing
internal import Platform
internal import Terminal
package import Sendmail
internal import SMTP
internal import Spool
package import SpoolPlan
internal import Submission
internal import SyncState

/// Makes the message that a draft is, and puts it into the queue of an account, as magnum-send does with any message.
package struct Dispatch: Sendable {
  /// What became of a message that was to be sent at once.
  package enum Result: Hashable, Sendable {
    /// All have it.
    case sent
    /// All have it, and the server refuses to keep a copy: why.
    case uncopied([UInt8]?)
    /// It waits, and why.
    case queued([UInt8]?)
    /// Some will not get it, and why.
    case failed([UInt8])
    /// It waits for a person, and why.
    case held([UInt8]?)
    /// A person took it back before it was sent.
    case cancelled
  }

  /// Seconds to wait for the IMAP server while a person waits.
  private static let connectLimit = 10.0

  private let sender: Sender
  private let configuration: Configuration
  private let user: UInt32
  private let correspondent: Correspondent

  /// A dispatch with an account of a configuration.
  package init(_ sender: Sender, _ configuration: Configuration, user: UInt32) {
    self.sender = sender
    self.configuration = configuration
    self.user = user
    correspondent = Correspondent(sender, configuration, user: user)
  }

  private var partial: PartialFiles { PartialFiles(configuration.accounts) }

  private var outbox: Outbox { Outbox(root: SendingPlace.root(configuration), user: user) }

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

  /// The keys of those who get a completed draft, and one's own, as far as its protection needs them.
  ///
  /// - Throws: an address that nothing can be sent to; where keys cannot be listed at all.
  package func keys(
    of draft: Draft,
    _ protection: DraftProtection,
    _ protector: MessageProtector
  ) throws(Explanation) -> MessageKeys {
    // The addresses in a message that is only signed are looked at, too.
    if !protection.encrypts { _ = try addresses(draft.to + draft.cc) }
    return try protector.keys(
      protection,
      sender: draft.from?.address ?? [],
      recipients: protection.encrypts ? try recipients(of: draft) : []
    )
  }

  /// The addresses that get a completed draft, with whether others must not see that.
  ///
  /// - Throws: an address that nothing can be sent to.
  package func recipients(
    of draft: Draft
  ) throws(Explanation) -> [(address: [UInt8], isHidden: Bool)] {
    let visible = try addresses(draft.to + draft.cc)
    let hidden = try addresses(draft.bcc).filter { !visible.contains($0) }
    return visible.map { ($0, false) } + hidden.map { ($0, true) }
  }

  /// The addresses behind those in fields, each once.
  ///
  /// A name without a domain is refused: what a field says in it would be another outside the protection than inside.
  private func addresses(_ fields: [Address]) throws(Explanation) -> [[UInt8]] {
    let mailboxes = fields.flatMap(\.mailboxes)
    if let bare = mailboxes.first(where: { $0.domain.isEmpty }) {
      throw Explanation(
        .data,
        "\"\(Printable.text(AddressText.text(bare), limit: 100))\" has no domain",
        hint: "a protected message needs whole addresses"
      )
    }
    guard !mailboxes.isEmpty else { return [] }
    let book = try correspondent.book()
    do throws(LetterError) {
      return try book.recipients(named: mailboxes.map(\.address)).map(\.address.octets)
    } catch {
      throw error.explanation
    }
  }

  /// The message that a completed draft is; its line ends are LF.
  ///
  /// What is attached is read as the message is written.
  /// - Parameters:
  ///   - draft: the draft.
  ///   - purpose: what the message is for.
  ///   - writing: how it is protected; nil for a message as it is.
  /// - Returns: its octets.
  /// - Throws: an attachment that cannot be read, or is too long; why it cannot be protected.
  package func message(
    _ draft: Draft,
    for purpose: DraftMessage.Purpose,
    _ writing: ProtectedWriting? = nil
  ) throws(Explanation) -> any OctetSource {
    let limit = sender.composing.attachmentLimit
    let reader = AttachmentReader(limit: limit, partial)
    let identity = correspondent.identity
    let parts = try reader.read(draft.attachments)
    let token = identity.token.filter { ASCII.isLetter($0) || ASCII.isDigit($0) }
    let message = DraftMessage.make(draft, parts, date: identity.date, for: purpose)
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
    _ writing: ProtectedWriting? = nil
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
      let letter = try Letter(try message(draft, for: .sending, writing))
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
    let sending = Sending(
      letter.envelope,
      messageID: letter.messageID,
      copy: SendingPlace.keepsCopy(sender, configuration, user: user) ? SentCopy() : nil,
      blindCopies: letter.blindCopies,
      notBefore: schedule?.moment
    )
    Interruption.shared.watchSignals()
    do throws(SpoolError) {
      let spool = outbox.spool(of: sender.name)
      try spool.prepare(user: user)
      return try spool.enqueue(
        .send(sending),
        message: letter.message,
        in: holding ? .hold : .queue,
        interruption: .shared
      )
    } catch {
      throw Explanation(.cannotCreate, place: sender.name, "not queued: \(error.explanation.what)")
    }
  }

  /// An entry of the account's spool with a message of that id.
  package struct Queued {
    package let id: EntryID
    /// Whether taking it back as a draft was begun: then nothing sends it before a person decides.
    package let isHalfCancelled: Bool
  }

  /// The entry with a message of that id which is sent, or waits for a person; nil where there is none: one that was discarded
  /// or taken back as a draft sends nothing.
  package func queued(_ id: MessageID) throws(Explanation) -> Queued? {
    let wanted = [ASCII.lessThan] + id.octets + [ASCII.greaterThan]
    do throws(SpoolError) {
      for item in try outbox.listing(of: [sender.name]).items {
        guard let content = item.content, content.entry.action.messageID == wanted,
          !content.progress.isCancelled
        else { continue }
        return Queued(id: item.id, isHalfCancelled: content.progress.isHalfCancelled)
      }
      return nil
    } catch {
      throw error.explanation
    }
  }

  /// Waits until an entry is due, or no longer pending.
  package func wait(for entry: Entry, until schedule: ScheduledTime) -> ScheduledTime.WaitEnd {
    schedule.wait(for: entry.id, of: sender.name, in: outbox)
  }

  /// Tries to send what is in the queue, and says what became of one entry.
  ///
  /// Whatever goes wrong now, the message is in the queue.
  package func attempt(_ entry: Entry) -> Result {
    var options = AccountFlush.Options.brief
    options.connectLimit = Self.connectLimit
    options.queue.fresh = entry.id
    // What is wrong with it is for programs to report that say more than what became of one message.
    options.journal = DeliveryJournal(configuration.deliveryLog)
    let report: QueueReport
    do throws(SpoolError) {
      let outcome = try AccountFlush(configuration, outbox, options: options).flushQueue(
        sender.name,
        interruption: .shared,
        report: { _ in }
      )
      report = outcome.queue
    } catch {
      return .queued([UInt8](error.explanation.what.utf8))
    }
    let result = result(of: entry, report)
    FailureNotices(configuration, outbox).deliver(report.failed, of: sender.name)
    return result
  }

  /// What became of an entry that another program may have worked on.
  package func result(of entry: Entry) -> Result { result(of: entry, nil) }

  private func result(of entry: Entry, _ report: QueueReport?) -> Result {
    do throws(SpoolError) {
      // Some may be refused while others are served.
      let failed = try outbox.items(of: [sender.name], matching: entry.id.octets, in: [.failed])
      if let item = failed.first(where: { !$0.isSentWithoutCopy }) { return Self.failure(item) }
      switch try outbox.outcome(of: entry.id, in: sender.name) {
      case .done: return .sent
      case .cancelled: return .cancelled
      case .present(let item): return result(of: item, report)
      }
    } catch {
      return .queued([UInt8](error.explanation.what.utf8))
    }
  }

  private func result(of item: QueuedItem, _ report: QueueReport?) -> Result {
    switch item.state {
    case .failed: return Self.failure(item)
    case .hold: return .held(item.content?.progress.lastWords)
    case .discarded: return .cancelled
    case .queue:
      // Nothing is left but the copy.
      if let progress = item.content?.progress, progress.open.isEmpty, progress.isAccepted {
        return .sent
      }
      let failure = report?.failure.map { [UInt8](FailureText.text($0).utf8) }
      return .queued(report?.block?.words ?? failure ?? item.content?.progress.lastWords)
    }
  }

  private static func failure(_ item: QueuedItem) -> Result {
    if item.isSentWithoutCopy { return .uncopied(item.content?.progress.lastWords) }
    return .failed(item.content?.progress.lastWords ?? [UInt8](ascii: "damaged"))
  }

  // MARK: Domains

  private static func inASCII(_ address: Address) -> Address {
    switch address {
    case .mailbox(let mailbox): .mailbox(inASCII(mailbox))
    case .group(let name, let members): .group(name, members.map(inASCII))
    }
  }

  /// Only where the part before the at sign needs more than ASCII is a domain left so, too.
  private static func inASCII(_ mailbox: Mailbox) -> Mailbox {
    guard mailbox.localPart.allSatisfy({ $0 < 0x80 }),
      mailbox.domain.contains(where: { $0 >= 0x80 }),
      let domain = InternationalDomain.asciiForm(mailbox.domain)
    else { return mailbox }
    return Mailbox(name: mailbox.name, localPart: mailbox.localPart, domain: domain)
  }
}
