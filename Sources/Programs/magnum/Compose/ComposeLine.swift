internal import Correspondence
internal import MIME
internal import Octets
internal import Platform
internal import Protection
internal import SpoolPlan
internal import Terminal

/// What became of a draft, as JSON; see magnum-formats(5).
struct ComposeLine {
  let state: String
  let account: String
  var entry: Entry?
  var messageID: MessageID?
  var file: Path?
  var recipients: [[UInt8]] = []
  var warnings: [DraftWarning] = []
  /// How the message is protected; nil where nothing was said.
  var protection: DraftProtection?
  var words: [UInt8]?
  /// What is answered to an invitation; nil for another message.
  var answer: String?

  /// Whether the server refused to keep a copy.
  var lacksCopy = false

  init(state: String, account: String) {
    self.state = state
    self.account = account
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("state", state)
    if lacksCopy { line.add("copy", "failed") }
    line.add("account", account)
    line.add("answer", ifPresent: answer)
    if let id = entry?.action.messageID.flatMap({ MessageID($0) }) ?? messageID {
      line.add("message-id", octets: id.octets)
    }
    line.add("entry", ifPresent: entry?.id.description)
    if let file { line.add("file", octets: file.octets) }
    line.add("recipients", octets: recipients)
    line.add("warnings", warnings.map(\.text))
    if let protection { line.add("protect", protection.words.map(\.rawValue)) }
    if let words { line.add("why", octets: words) }
    return line
  }

  static func state(_ result: Dispatch.Result) -> String {
    switch result {
    case .sent, .uncopied: "sent"
    case .queued: "queued"
    case .failed: "failed"
    case .held: "held"
    case .cancelled: "cancelled"
    }
  }

  static func words(_ result: Dispatch.Result) -> [UInt8]? {
    switch result {
    case .sent, .cancelled: nil
    case .failed(let words): words
    case .queued(let words), .held(let words), .uncopied(let words): words
    }
  }

  /// A draft in the form that `magnum compose --json -` reads.
  static func template(_ draft: Draft, _ account: String) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("account", account)
    if let from = draft.from { line.add("from", octets: AddressText.text(from)) }
    line.add("to", octets: draft.to.map { AddressText.text([$0]) })
    line.add("cc", octets: draft.cc.map { AddressText.text([$0]) })
    line.add("bcc", octets: draft.bcc.map { AddressText.text([$0]) })
    line.add("subject", octets: draft.subject)
    line.add("text", octets: draft.text)
    if draft.origin?.act == .answered, let id = draft.inReplyTo.first {
      line.add("in-reply-to", octets: [UInt8](ascii: "id:") + id.octets)
    }
    line.add("quote", false)
    if let protection = draft.protection { line.add("protect", protection.words.map(\.rawValue)) }
    if draft.concernsEncrypted, draft.isEncrypted { line.add("concerns", "encrypted") }
    line.add("attachments", draft.attachments.map(attachment))
    return line
  }

  /// A file by its path; a part of another message, which a program cannot give, by its name alone.
  private static func attachment(_ attachment: DraftAttachment) -> JSONLine {
    var line = JSONLine()
    if let path = attachment.path {
      line.add("path", octets: path.octets)
      if let id = attachment.contentID { line.add("inline", octets: id.octets) }
    } else {
      line.add("name", octets: attachment.name)
    }
    return line
  }
}

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
    // An answer decrypts nothing.
    let reading = ProtectionReading.unread(answered.message)
    line.add("original", answered.json(wishes, RelativeDate(now: Clock.now()), reading))
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
