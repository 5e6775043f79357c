internal import MIME
internal import Octets
package import SMTP

extension Letter {
  /// The address in the From field, or in Sender, or in those of who sends it on; `nil` without one
  /// that has a domain.
  package var senderAddress: EnvelopeAddress? {
    let names: [StaticString] = isResent ? ["Resent-From", "Resent-Sender"] : ["From", "Sender"]
    for name in names {
      guard let value = value(name) else { continue }
      for mailbox in Address.list(value[...], .native).flatMap(\.mailboxes) {
        if let address = try? EnvelopeAddress(mailbox.address), address.hasDomain { return address }
      }
    }
    return nil
  }

  /// The message as it goes into the spool, with all that a message must have.
  ///
  /// - Parameters:
  ///   - request: what the caller asked for.
  ///   - identity: who sends it.
  ///   - book: who is meant by names.
  /// - Returns: the message and its envelope.
  /// - Throws: `LetterError` when it cannot be sent.
  package func prepared(
    for request: SendmailRequest,
    _ identity: Identity,
    _ book: AddressBook
  ) throws(LetterError) -> PreparedLetter {
    let recipients = try recipients(request, book)
    guard !recipients.isEmpty else { throw .noRecipients }
    let given = try reversePath(request, identity)
    let replacement = given.flatMap { identity.replacement(for: $0.octets) }
    let reversePath = replacement.flatMap { try? EnvelopeAddress($0) } ?? given
    var identity = identity
    if let fullName = request.fullName { identity.fullName = fullName }
    let envelope = Envelope(
      from: reversePath,
      to: recipients,
      returned: request.returned,
      identifier: request.identifier
    )
    var letter = self
    if identity.namesRecipients, !isResent { letter.nameRecipients(book) }
    return try letter.completed(identity, envelope, messageID: nil)
  }

  /// Puts addresses in the place of names without a domain, such as root, which strict servers refuse in a header.
  ///
  /// The name stays for people. One that means several addresses becomes a group without members: who they are is not told.
  private mutating func nameRecipients(_ book: AddressBook) {
    replaceFields { field in
      guard field.isNamed("To") || field.isNamed("Cc") else { return field }
      var isChanged = false
      let addresses = Address.list(field.value[...], .native).map { address -> Address in
        guard case .mailbox(let mailbox) = address,
          let meant = book.meaning(of: mailbox.address.isEmpty ? mailbox.name : mailbox.address)
        else { return address }
        isChanged = true
        return Self.address(mailbox.name.isEmpty ? mailbox.address : mailbox.name, meant)
      }
      return isChanged ? LetterField([UInt8](field.name), addresses) : field
    }
  }

  private static func address(_ name: [UInt8], _ meant: [[UInt8]]) -> Address {
    guard meant.count == 1,
      let mailbox = Address.list(meant[0][...], .native).flatMap(\.mailboxes).first
    else { return .group(name, []) }
    return .mailbox(Mailbox(name: name, localPart: mailbox.localPart, domain: mailbox.domain))
  }

  /// The message in place of one that is in the spool, with all that a message must have; its envelope stays.
  ///
  /// - Parameters:
  ///   - envelope: from whom and to whom; recipients that fields name are not added.
  ///   - identity: who sends it.
  ///   - messageID: the Message-ID of the message before, for one that has none of its own; `nil` for none.
  /// - Returns: the message.
  /// - Throws: `LetterError` when it cannot be sent.
  package func prepared(
    replacing envelope: Envelope,
    _ identity: Identity,
    messageID: [UInt8]?
  ) throws(LetterError) -> PreparedLetter {
    try completed(identity, envelope, messageID: messageID)
  }

  /// The same for a message that others get besides one that they have, or others have: with a Message-ID of its own.
  ///
  /// - Parameters:
  ///   - former: the Message-ID of that one; `nil` for none.
  ///   - envelope: from whom and to whom; recipients that fields name are not added.
  ///   - identity: who sends it.
  /// - Returns: the message.
  /// - Throws: `LetterError` when it cannot be sent.
  package func prepared(
    besides former: [UInt8]?,
    _ envelope: Envelope,
    _ identity: Identity
  ) throws(LetterError) -> PreparedLetter {
    var letter = self
    if let former, letter.value("Message-ID") == former { letter.remove("Message-ID") }
    return try letter.completed(identity, envelope, messageID: nil)
  }

  private func completed(
    _ identity: Identity,
    _ envelope: Envelope,
    messageID: [UInt8]?
  ) throws(LetterError) -> PreparedLetter {
    var letter = self
    if let line = try secondMessage { throw .severalMessages(line: line) }
    if let from = value("From"), Self.isOpenGroup(from) { throw .badAddress(from) }
    // As scripts write them; what is missing is added.
    for name in ["From", "Date", "Message-ID"] as [StaticString] { letter.removeEmpty(name) }
    let hidden = letter.hideRecipients()
    letter.complete(identity, envelope.reversePath, messageID)
    try letter.fitBody()
    return PreparedLetter(
      message: letter.octets,
      envelope: envelope,
      messageID: letter.value("Message-ID"),
      blindCopies: hidden
    )
  }

  /// Whether a value is the beginning of a group, as where the next field is indented and became a part of it.
  private static func isOpenGroup(_ value: [UInt8]) -> Bool {
    let isGroup = Address.list(value[...], .native).contains { address in
      if case .group = address { true } else { false }
    }
    return isGroup && !value.contains(ASCII.semicolon)
  }

  private func recipients(
    _ request: SendmailRequest,
    _ book: AddressBook
  ) throws(LetterError) -> [Recipient] {
    var addresses: [EnvelopeAddress] = []
    for argument in request.recipients { addresses += try AddressBook.addresses(argument) }
    if request.readsRecipients {
      for value in recipientValues { addresses += try AddressBook.read(value) }
    }
    let recipients = try book.resolve(addresses)
    guard addresses.isEmpty || !recipients.isEmpty else { throw .discarded }
    return recipients.map { recipient in
      var recipient = recipient
      recipient.notification = request.notification
      return recipient
    }
  }

  private var recipientValues: [[UInt8]] {
    let names: [StaticString] =
      isResent ? ["Resent-To", "Resent-Cc", "Resent-Bcc"] : ["To", "Cc", "Bcc"]
    let searched = isResent ? firstResentBlock : fields
    return searched.filter { field in names.contains { field.isNamed($0) } }.map(\.value)
  }

  private func reversePath(
    _ request: SendmailRequest,
    _ identity: Identity
  ) throws(LetterError) -> EnvelopeAddress? {
    if request.readsSender, let address = senderAddress { return address }
    switch request.sender {
    case .null: return nil
    case .address(let octets):
      let addresses = try AddressBook.addresses(octets)
      guard let address = addresses.first, addresses.count == 1 else { throw .badAddress(octets) }
      if address.hasDomain { return address }
    case .unspecified:
      if let address = senderAddress { return address }
    }
    return identity.address.flatMap { try? EnvelopeAddress($0) } ?? nil
  }

  /// Takes out the fields that no recipient may see; returns what was in Bcc.
  private mutating func hideRecipients() -> [UInt8]? {
    let hidden = values("Bcc")
    for name in ["Bcc", "Resent-Bcc", "Return-Path", "X-Magnum-Agent"] as [StaticString] {
      remove(name)
    }
    return hidden.isEmpty ? nil : [UInt8](hidden.joined(separator: [ASCII.comma, ASCII.space]))
  }

  /// Adds the fields that a message must have, and that must be the same in every attempt.
  private mutating func complete(
    _ identity: Identity,
    _ reversePath: EnvelopeAddress?,
    _ usual: [UInt8]?
  ) {
    let address = identity.address ?? reversePath?.octets
    if let value = value("From") {
      rewriteSender(value, identity)
      if let address { completeSender(value, address) }
    } else if let address {
      add("From", Self.mailbox(identity.fullName, address))
    }
    let domain = senderDomain ?? identity.host
    let messageID = [ASCII.lessThan] + identity.token + [ASCII.at] + domain + [ASCII.greaterThan]
    if isResent {
      let block = firstResentBlock
      let missing: [(StaticString, [UInt8])] = [
        ("Resent-Message-ID", messageID), ("Resent-Date", identity.date.octets),
      ]
      for (name, value) in missing where !block.contains(where: { $0.isNamed(name) }) {
        addResent(name, value)
      }
    }
    if !has("Date") { add("Date", identity.date.octets) }
    if !has("Message-ID") { add("Message-ID", usual ?? messageID) }
  }

  /// A sender that no provider would take becomes the account's, and stays as the name.
  private mutating func rewriteSender(_ value: [UInt8], _ identity: Identity) {
    let mailboxes = Address.list(value[...], .native).flatMap(\.mailboxes)
    // Of a message that is sent on it names the author, and is not changed.
    guard !isResent, mailboxes.count == 1, let mailbox = mailboxes.first,
      let address = identity.replacement(for: mailbox.address)
    else { return }
    let name =
      mailbox.name.isEmpty
      ? mailbox.address
      : mailbox.name + [ASCII.space, ASCII.openParenthesis] + mailbox.address
        + [ASCII.closeParenthesis]
    replace("From", with: Self.mailbox(name, address))
    remove("Sender")
  }

  /// A From field with a bare name, such as cron's, gets an address that servers take.
  private mutating func completeSender(_ value: [UInt8], _ address: [UInt8]) {
    let mailboxes = Address.list(value[...], .native).flatMap(\.mailboxes)
    guard mailboxes.count == 1, let mailbox = mailboxes.first, mailbox.domain.isEmpty else {
      return
    }
    let text = HeaderText.decoded(value)
    replace("From", with: Self.mailbox(text, address))
  }

  private static func mailbox(_ name: [UInt8]?, _ address: [UInt8]) -> [UInt8] {
    guard let name, !name.isEmpty else { return address }
    return HeaderPhrase.octets(name) + [ASCII.space, ASCII.lessThan] + address
      + [ASCII.greaterThan]
  }

  /// The domain of the sender for a Message-ID; nil for one beyond ASCII, which not every server takes in a header.
  private var senderDomain: [UInt8]? {
    guard let octets = senderAddress?.octets, let at = octets.lastIndex(of: ASCII.at) else {
      return nil
    }
    let domain = [UInt8](octets[(at + 1)...])
    return domain.allSatisfy { $0 < 0x80 } ? domain : nil
  }
}
