internal import CommandLine
internal import Correspondence
internal import MIME
internal import MailModel
internal import Octets
internal import Platform
internal import Protection
internal import Terminal

/// Whether the message that is answered is quoted.
enum QuotationWish {
  case no
  /// As far as no recipient gets the text of an encrypted message whom a stranger may have named.
  case usual
  /// For any recipient.
  case always
}

/// A message that is answered or passed on, opened as far as that is wanted.
struct OriginalMessage {
  let found: MessageFinder.Found
  let reading: ProtectionReading
  /// The header to answer to.
  let header: Header
  /// The fields that nothing protects and that would have led an answer elsewhere.
  let ignored: [HeaderField]
  /// Whether it is encrypted, opened or not.
  let isEncrypted: Bool

  init(_ found: MessageFinder.Found, _ reading: ProtectionReading, isEncrypted: Bool) {
    (self.found, self.reading, self.isEncrypted) = (found, reading, isEncrypted)
    (header, ignored) = reading.answerable(isEncrypted: isEncrypted)
  }

  /// One of which nothing is opened.
  static func unopened(_ found: MessageFinder.Found, isEncrypted: Bool) -> OriginalMessage {
    OriginalMessage(found, .unread(found.message), isEncrypted: isEncrypted)
  }
}

// What of a signed or encrypted message stands in an answer to it.
extension ComposeTask {
  /// Opens a message as `magnum show` does on a terminal; away from one only where its text is asked for.
  func open(
    _ found: MessageFinder.Found,
    _ wish: QuotationWish
  ) throws(Explanation) -> OriginalMessage {
    let envelope = MessageEnvelope(of: found.message)
    let isEncrypted = MessageEnvelope.mayBeEncrypted(found.message)
    // In clear text it goes with the header outside, and without the text.
    let isClosed = isEncrypted && options.encrypts == false && wish != .always
    guard envelope != .clear || isEncrypted, !isClosed, options.format == nil else {
      return .unopened(found, isEncrypted: isEncrypted)
    }
    var reading = ProtectionReading.unread(found.message)
    let look = ProtectionLook(
      ProtectionLook.Options(decrypts: isEncrypted && wish == .always ? true : nil),
      context,
      isOnTerminal: Self.isAtTerminal && !context.globals.json
    )
    let opened = try found.opened { (message) throws(Explanation) in
      reading = try look.read(message)
      return reading.message
    }
    if reading.isEncrypted, !reading.isDecrypted { try reportClosed(reading, wish, found.place) }
    return OriginalMessage(
      opened,
      reading,
      isEncrypted: envelope == .encrypted || reading.isEncrypted
    )
  }

  /// Says which fields an answer does not follow.
  func reportIgnored(_ original: OriginalMessage) {
    for field in original.ignored {
      let name = String(decoding: field.name, as: UTF8.self)
      console.writeNote(
        "\(name) is not protected, and is not followed: \(Printable.text(field.text(decoder)))"
      )
    }
  }

  /// Says why a message is not decrypted; an error where its text is asked for.
  private func reportClosed(
    _ reading: ProtectionReading,
    _ wish: QuotationWish,
    _ place: String
  ) throws(Explanation) {
    let lines = ProtectionLines(reading).all
    guard wish == .always, reading.isClosed else {
      if Self.isAtTerminal { for line in lines { console.writeNote(line) } }
      return
    }
    throw Explanation(.refused, place: place, lines.first ?? "it is not decrypted")
  }

  /// Whether what was decrypted of a message may be in an answer: its text, and its header within the protection.
  ///
  /// Of what was not decrypted the clear parts are, as ever.
  func isRevealed(
    _ original: OriginalMessage,
    for draft: Draft,
    _ wish: QuotationWish
  ) throws(Explanation) -> Bool {
    guard original.reading.isDecrypted else { return true }
    let added = try addresses(options.to) + addresses(options.cc) + addresses(options.bcc)
    let recipients = (draft.to + draft.cc + draft.bcc + added).flatMap(\.mailboxes)
    var facts = QuotationFacts(own: own)
    (facts.verdict, facts.sender) = (original.reading.verdict, original.reading.sender)
    facts.author = PlainAddress.author(original.reading.message.header, decoder)
    facts.protected = original.reading.protectedAddresses(decoder)
    facts.recipients = recipients.map(\.address)
    facts.isClear = options.encrypts == false
    // Who wants nothing quoted is not asked.
    (facts.canAsk, facts.isAllowed) = (Self.isAtTerminal && wish != .no, wish == .always)
    return switch QuotationDecision.decide(facts) {
    case .quoted: true
    case .asked(let addresses): isAgreed("quote", addresses)
    case .left: false
    }
  }

  /// Opens a message that is passed on; one that is encrypted only if a person agrees, or `--quote` says so.
  func openToForward(_ found: MessageFinder.Found) throws(Explanation) -> OriginalMessage {
    guard !options.asAttachment else {
      let isEncrypted = MessageEnvelope.mayBeEncrypted(found.message)
      if isEncrypted {
        console.writeNote("the attached message is encrypted: its new recipients cannot read it")
      }
      return .unopened(found, isEncrypted: isEncrypted)
    }
    let wish: QuotationWish = options.quotesAll ? .always : .usual
    let original = try open(found, wish)
    guard original.reading.isDecrypted, wish != .always else { return original }
    let added = try addresses(options.to) + addresses(options.cc) + addresses(options.bcc)
    guard isAgreed("forward", added.flatMap(\.mailboxes).map(\.address)) else {
      return .unopened(found, isEncrypted: true)
    }
    return original
  }

  private func isAgreed(_ verb: String, _ addresses: [[UInt8]]) -> Bool {
    let list = addresses.map { Printable.text($0, limit: 254) }.joined(separator: ", ")
    let readers = list.isEmpty ? "whom you name" : list
    return console.confirm("\(verb) the text of the encrypted message? It goes to \(readers)")
  }
}
