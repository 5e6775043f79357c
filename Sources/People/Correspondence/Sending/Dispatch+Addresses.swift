package import MailModel
internal import MIME
internal import Octets
internal import Outgoing
internal import Platform
internal import Protection
internal import Sendmail
internal import SMTP
internal import Terminal

// To whom a message goes, and with which keys.
extension Dispatch {
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
  func addresses(_ fields: [Address]) throws(Explanation) -> [[UInt8]] {
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

  static func inASCII(_ address: Address) -> Address {
    switch address {
    case .mailbox(let mailbox): .mailbox(inASCII(mailbox))
    case .group(let name, let members): .group(name, members.map(inASCII))
    }
  }

  /// Only where the part before the at sign needs more than ASCII is a domain left so, too.
  static func inASCII(_ mailbox: Mailbox) -> Mailbox {
    guard mailbox.localPart.allSatisfy({ $0 < 0x80 }),
      mailbox.domain.contains(where: { $0 >= 0x80 }),
      let domain = InternationalDomain.asciiForm(mailbox.domain)
    else { return mailbox }
    return Mailbox(name: mailbox.name, localPart: mailbox.localPart, domain: domain)
  }
}
