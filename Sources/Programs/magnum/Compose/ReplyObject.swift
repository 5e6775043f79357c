internal import Correspondence
internal import MIME
internal import Octets
internal import Platform
internal import Terminal

/// An answer as `notmuch reply --format=json` prints it: the header that it gets, and the message that it answers.
struct ReplyObject {
  private let draft: Draft
  private let answered: ShownMessage

  init(_ draft: Draft, _ answered: ShownMessage) {
    (self.draft, self.answered) = (draft, answered)
  }

  var json: [UInt8] {
    var line = JSONLine()
    line.add("reply-headers", header)
    let wishes = ShownPart.Wishes(prefersHTML: false, includesHTML: false)
    line.add("original", answered.json(wishes, RelativeDate(now: Clock.now())))
    return line.octets
  }

  /// The fields in the order and spelling of notmuch.
  private var header: JSONLine {
    var line = JSONLine()
    line.add("Subject", octets: draft.subject)
    line.add("From", octets: draft.from.map { AddressText.text($0) } ?? [])
    for (name, list) in [("To", draft.to), ("Cc", draft.cc), ("Bcc", draft.bcc)] where !list.isEmpty
    {
      line.add(name, octets: AddressText.text(list))
    }
    for (name, ids) in [("In-reply-to", draft.inReplyTo), ("References", draft.references)]
    where !ids.isEmpty {
      line.add(name, octets: [UInt8](ids.map(Self.bracketed).joined(separator: [ASCII.space])))
    }
    return line
  }

  private static func bracketed(_ id: MessageID) -> [UInt8] {
    [ASCII.lessThan] + id.octets + [ASCII.greaterThan]
  }
}
