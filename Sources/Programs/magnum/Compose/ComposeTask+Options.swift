internal import CommandLine
internal import Correspondence
internal import MIME
internal import MailModel
internal import Octets
internal import Outgoing
internal import Platform
internal import Sendmail
internal import SyncState
internal import Terminal

// What options put into a draft.
extension ComposeTask {
  /// Puts what options say into the draft.
  func apply(_ draft: inout Draft) throws(Explanation) {
    draft.to += try addresses(options.to)
    draft.cc += try addresses(options.cc)
    draft.bcc += try addresses(options.bcc)
    if let subject = options.subject { draft.subject = [UInt8](subject.utf8) }
    if let from = options.from { draft.from = try address(from) }
    for header in options.headers { draft.extra.append(try field(header)) }
    for file in options.files { draft.attachments.append(.file(try attachment(file))) }
    for file in options.inline { draft.attachments.append(.file(try picture(file, in: draft))) }
  }

  func addresses(_ texts: [String]) throws(Explanation) -> [Address] {
    var addresses: [Address] = []
    do throws(LetterError) {
      for text in texts { addresses += try RecipientText.addresses([UInt8](text.utf8), decoder) }
    } catch {
      throw error.explanation
    }
    return addresses
  }

  /// Refuses a message in whose recipients a comma may be missing, as magnum-send does: one of them would get nothing.
  func checkRecipients(of message: Message) throws(Explanation) {
    let names: [StaticString] = ["To", "Cc", "Bcc"]
    do throws(LetterError) {
      for field in message.header.fields
      where names.contains(where: { field.name.equalsCaseless($0) }) {
        try AddressBook.checkRecipients(in: field.body)
      }
    } catch {
      throw error.explanation
    }
  }

  func address(_ text: String) throws(Explanation) -> Mailbox {
    let found = ((try? RecipientText.addresses([UInt8](text.utf8), decoder)) ?? []).flatMap(
      \.mailboxes
    )
    guard let mailbox = found.first, found.count == 1, !mailbox.domain.isEmpty else {
      throw Explanation(
        .data,
        "\"\(Printable.text(text.utf8, limit: 100))\" is no address to send from"
      )
    }
    return mailbox
  }

  private func field(_ text: String) throws(Explanation) -> Draft.ExtraField {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = halves.count == 2 ? String(halves[1].drop { $0 == " " }) : ""
    return try field(String(halves[0]), value)
  }

  func field(_ name: String, _ value: String) throws(Explanation) -> Draft.ExtraField {
    guard let field = Draft.ExtraField([UInt8](name.utf8), [UInt8](value.utf8)), !value.isEmpty
    else {
      throw Explanation(
        .data,
        "a header \"\(Printable.text(name.utf8, limit: 80))\" cannot be added",
        hint: "write it as \"Name: value\"; recipients and subject have options of their own"
      )
    }
    return field
  }

  /// A file that HTML names by its name, which no other has therefore.
  private func picture(_ file: String, in draft: Draft) throws(Explanation) -> AttachedFile {
    let random = String(UInt64.random(in: 0...(.max)), radix: 36)
    let picture = try AttachmentReader(limit: .max, partial).file(
      Path(argument: file),
      contentID: MessageID(stripping: [UInt8]("\(random)@inline.invalid".utf8))
    )
    guard !draft.attachments.contains(where: { $0.contentID != nil && $0.name == picture.name })
    else {
      throw Explanation(
        .usage,
        "two files to be shown have the name \(Printable.text(picture.name, limit: 80))",
        hint: "HTML names a picture by its base name: rename one of them"
      )
    }
    return picture
  }

  func attachment(_ file: String) throws(Explanation) -> AttachedFile {
    try AttachmentReader(limit: .max, partial).file(Path(argument: file))
  }
}
