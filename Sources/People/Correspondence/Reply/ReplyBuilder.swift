package import Configuration
package import MIME
internal import Octets
internal import Threads

/// Makes the draft of a reply: its recipients and its header.
package struct ReplyBuilder {
  /// Who gets the answer.
  package enum Scope: Hashable, Sendable {
    case author
    /// The author and all who got the message.
    case all
    /// The mailing list that it came over.
    case list
  }

  /// Why there is no answer.
  package enum Problem: Error, Hashable, Sendable {
    /// The message names no list that takes mail.
    case noList
  }

  /// How many ids References has at most; the first and the last are kept.
  private static let referenceLimit = 40

  private let own: OwnAddresses
  private let decoder: CharsetDecoder

  package init(own: OwnAddresses, _ decoder: CharsetDecoder) {
    self.own = own
    self.decoder = decoder
  }

  /// The answer to a message, without a text.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - scope: who gets it.
  ///   - header: the header as it is to be read; nil for that of the message.
  /// - Returns: the draft.
  /// - Throws: `noList` where it cannot go to a list.
  package func reply(
    to message: Message,
    _ scope: Scope,
    under header: Header? = nil
  ) throws(Problem) -> Draft {
    let header = header ?? message.header
    var draft = Draft()
    switch scope {
    case .author: draft.to = authors(header).map { .mailbox($0) }
    case .all: addAll(header, to: &draft)
    case .list:
      guard let list = Self.list(header) else { throw .noList }
      draft.to = [.mailbox(list)]
    }
    draft.from = recipient(header)
    draft.subject = Self.subject(header.text("Subject", decoder) ?? [], mark: "Re: ")
    draft.inReplyTo = header.messageID.map { [$0] } ?? []
    draft.references = Self.references(header)
    draft.origin = header.messageID.map { Draft.Origin(.answered, $0) }
    return draft
  }

  // MARK: Who

  /// To whom an answer goes: where the author wants it, else to the author; of one's own message to its receivers.
  private func authors(_ header: Header) -> [Mailbox] {
    let from = header.mailboxes("From", decoder)
    let senders = from.isEmpty ? header.mailboxes("Sender", decoder) : from
    if senders.contains(where: { own.contains($0) }) {
      let receivers = withoutOwn(header.mailboxes("To", decoder))
      if !receivers.isEmpty { return receivers }
      let copies = withoutOwn(header.mailboxes("Cc", decoder))
      return copies.isEmpty ? senders : copies
    }
    let wanted = header.mailboxes("Reply-To", decoder).filter { !$0.domain.isEmpty }
    return Self.unique(wanted.isEmpty || isOfList(wanted, header) ? senders : wanted)
  }

  /// Whether Reply-To only names an address that the message went to anyway, or that of the list, as lists do to direct
  /// answers to themselves.
  private func isOfList(_ wanted: [Mailbox], _ header: Header) -> Bool {
    guard wanted.count == 1, let address = wanted.first?.address else { return false }
    let receivers = header.mailboxes("To", decoder) + header.mailboxes("Cc", decoder)
    let list = Self.list(header).map { [$0] } ?? []
    return (receivers + list).contains { $0.address.equalsCaseless(address) }
  }

  private func addAll(_ header: Header, to draft: inout Draft) {
    // Where the author says who is to get answers to all, as people do who read a list anyway, that counts.
    let wanted = withoutOwn(header.mailboxes("Mail-Followup-To", decoder))
      .filter { !$0.domain.isEmpty }
    guard wanted.isEmpty else {
      draft.to = Self.unique(wanted).map { .mailbox($0) }
      return
    }
    let authors = authors(header)
    let to = Self.unique(authors + withoutOwn(header.mailboxes("To", decoder)))
    let known = Set(to.map(Self.key))
    let cc = Self.unique(withoutOwn(header.mailboxes("Cc", decoder)))
      .filter { !known.contains(Self.key($0)) }
    draft.to = to.map { .mailbox($0) }
    draft.cc = cc.map { .mailbox($0) }
  }

  /// The own address that the message came to; nil where it does not say.
  private func recipient(_ header: Header) -> Mailbox? {
    let names: [StaticString] = [
      "To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To", "Resent-To", "Resent-Cc",
    ]
    for name in names {
      if let found = own.first(of: header.mailboxes(name, decoder)) { return found }
    }
    // An answer to one's own message comes from where that came from.
    return own.first(of: header.mailboxes("From", decoder))
  }

  private func withoutOwn(_ mailboxes: [Mailbox]) -> [Mailbox] {
    mailboxes.filter { !own.contains($0) && !$0.localPart.isEmpty }
  }

  private static func key(_ mailbox: Mailbox) -> [UInt8] { mailbox.address.map(ASCII.lowercased) }

  private static func unique(_ mailboxes: [Mailbox]) -> [Mailbox] {
    var seen: Set<[UInt8]> = []
    return mailboxes.filter { seen.insert(key($0)).inserted }
  }

  /// The first address of List-Post (RFC 2369).
  private static func list(_ header: Header) -> Mailbox? {
    guard let body = header.first("List-Post")?.body else { return nil }
    for url in ListField.addresses(in: body) where url.startsCaseless(with: "mailto:") {
      let address = url.dropFirst(7).prefix { $0 != ASCII.questionMark }
      guard let plain = PercentEscape.unescape(address) else { continue }
      let mailbox = Address.list(plain[...], .native).flatMap(\.mailboxes).first
      if let mailbox, !mailbox.domain.isEmpty { return mailbox }
    }
    return nil
  }

  // MARK: What

  /// A subject with one prefix, whatever prefixes of replies and forwarded messages it had.
  static func subject(_ subject: [UInt8], mark: StaticString) -> [UInt8] {
    [UInt8](ascii: mark) + SubjectBase(subject).display
  }

  /// The ids of the conversation up to a message, that of the message last.
  package static func references(_ header: Header) -> [MessageID] {
    var ids = header.references
    if ids.isEmpty, header.inReplyTo.count == 1 { ids = header.inReplyTo }
    if let id = header.messageID { ids = ids.filter { $0 != id } + [id] }
    guard ids.count > referenceLimit else { return ids }
    return [MessageID](ids.prefix(referenceLimit / 2) + ids.suffix(referenceLimit / 2))
  }
}

/// The addresses at which a person gets mail.
package struct OwnAddresses: Hashable, Sendable {
  private let addresses: [[UInt8]]

  /// These addresses.
  package init(_ addresses: [[UInt8]]) {
    self.addresses = addresses.map { $0.map(ASCII.lowercased) }
  }

  /// Those of the person whose configuration it is.
  package init(of configuration: Configuration) {
    let addresses =
      configuration.senders.flatMap(\.addresses) + configuration.accounts.compactMap(\.address)
    self.init(addresses.map { [UInt8]($0.utf8) })
  }

  /// Whether an address is one of them, in letters of either case, with a tag behind a plus sign or not.
  package func contains(_ address: [UInt8]) -> Bool {
    let small = address.map(ASCII.lowercased)
    return addresses.contains(small) || addresses.contains(Mailbox.withoutTag(small))
  }

  /// Whether it is the address of one of them.
  package func contains(_ mailbox: Mailbox) -> Bool { contains(mailbox.address) }

  /// The one that a message was delivered to, without a name; nil where it does not say.
  package func receiver(of header: Header, _ decoder: CharsetDecoder) -> Mailbox? {
    let names: [StaticString] = ["Delivered-To", "X-Original-To", "To", "Cc"]
    return names.lazy.compactMap { first(of: header.mailboxes($0, decoder)) }.first
  }

  /// The first of the mailboxes that is one of them, without a name: what another person calls the user is no name to write
  /// under.
  func first(of mailboxes: [Mailbox]) -> Mailbox? {
    mailboxes.first { contains($0) }
      .map { Mailbox(name: [], localPart: $0.localPart, domain: $0.domain) }
  }
}
