internal import CommandLine
internal import Configuration
internal import Correspondence
internal import JSON
internal import MIME
internal import MailModel
internal import Octets
internal import Outgoing
internal import Platform
internal import Spool
internal import SyncState
internal import Terminal

/// Drafts that programs give on standard input.
extension ComposeTask {
  /// The draft on standard input: JSON with `--json`, else a message.
  func given() throws(Explanation) -> ComposeStart {
    context.globals.json ? try requested(try standardInput()) : try message()
  }

  private func message() throws(Explanation) -> ComposeStart {
    let given = try Self.givenMessage(configuration, isSecret: mayBeEncrypted)
    let content = try explaining(.noInput) { () throws(SourceError) in
      try StreamedMessage(reading: given)
    }
    let message = content.message
    guard message.header.first("Attach") == nil else {
      throw Explanation(
        .data,
        "a line Attach counts only where a person has typed it in an editor",
        hint: "give the file with --attach"
      )
    }
    guard message.header.all("Attached").allSatisfy({ $0.body.allSatisfy(ASCII.isBlank) }) else {
      throw Explanation(
        .data,
        "a line Attached names what only a kept draft has",
        hint: "delete it, and give the file with --attach; or --draft keeps it, and resume goes on"
      )
    }
    guard message.header.fields.contains(where: { !$0.name.isEmpty }) else {
      throw Explanation(.data, "standard input does not begin with a header")
    }
    try checkRecipients(of: message)
    var draft = try explaining(.noInput) { () throws(SourceError) in
      try DraftMessage.read(content, decoder)
    }
    let fields = DraftMessage.protectionFields(message.header)
    guard fields.count < 2 else {
      throw Explanation(.data, "there is more than one field Protect, or X-Magnum-Protect")
    }
    if let field = message.header.first("Protect") {
      guard let protection = DraftProtection(text: field.body) else {
        throw Explanation(
          .data,
          "the field Protect holds other words than: sign, encrypt, if-possible, or none alone"
        )
      }
      draft.protection = protection
    }
    guard Self.hasHTML(message) else {
      return ComposeStart(draft: draft, isFresh: false, mayHoldText: true)
    }
    (draft.text, draft.attachments) = ([], [])
    var start = ComposeStart(draft: draft, hasContent: true, isFresh: false, mayHoldText: true)
    start.given = try explaining(.noInput) { () throws(SourceError) in
      try MessageBody(of: content, decoder)
    }
    return start
  }

  /// Whether a text of a message is HTML, alone or beside plain text, also one with nothing but a picture.
  static func hasHTML(_ message: Message) -> Bool { hasHTML(message.root) }

  private static func hasHTML(_ part: Part) -> Bool {
    switch part.kind {
    case .leaf: part.role == .body && part.contentType.isHTML
    case .multipart: part.children.contains { hasHTML($0) }
    case .message: false
    }
  }

  /// Whether a message that begins so may be one to encrypt, which is not put aside on a disk.
  private func mayBeEncrypted(_ beginning: [UInt8]) -> Bool {
    let isUsual = configuration.senders.contains {
      $0.composing.protection.encryption == .ifPossible
    }
    if options.encrypts == true || options.encrypts == nil && isUsual { return true }
    return !Self.hasEmptyLine(beginning)
      || DraftMessage.asksForProtection(Message(beginning).header)
  }

  /// Whether an empty line ends the header.
  private static func hasEmptyLine(_ message: [UInt8]) -> Bool {
    var rest = message[...]
    while let end = OctetScan.firstIndex(of: ASCII.lineFeed, in: rest) {
      rest = rest[(end + 1)...]
      if rest.starts(with: [ASCII.lineFeed]) { return true }
      if rest.starts(with: [ASCII.carriageReturn, ASCII.lineFeed]) { return true }
    }
    return false
  }

  /// Refuses a message whose text is HTML, alone or beside plain text: a draft has plain text only, and would lose it.
  func checkText(of message: Message, hint: String) throws(Explanation) {
    guard Self.hasHTML(message) else { return }
    throw Explanation(.data, "the message has a text in HTML, which would be lost", hint: hint)
  }

  /// The message on standard input; a large one is not in memory, unless it begins with what is secret.
  static func givenMessage(
    _ configuration: Configuration,
    isSecret: @escaping ([UInt8]) -> Bool = { _ in false }
  ) throws(Explanation) -> any OctetSource {
    let limit = configuration.messageSizeLimit
    do throws(MessageInput.Failure) {
      let message = try MessageInput.read(
        Descriptor(adopting: 0),
        limit: limit.octets,
        isSecret: isSecret
      )
      if message.count > 0 { return message }
    } catch {
      switch error {
      case .tooLong: throw Explanation(tooLongFor: limit, configuration.path)
      case .unreadable(let error): throw Explanation(.noInput, "standard input: \(error.reason)")
      case .notStored(let error): throw SpoolError.system(error).explanation
      }
    }
    throw emptyInput
  }

  private func requested(_ octets: [UInt8]) throws(Explanation) -> ComposeStart {
    let request: DraftRequest
    do {
      request = try DraftRequest(try JSONValue(octets))
    } catch let error as JSONValue.Problem {
      throw Explanation(.data, place: "standard input:\(error.line)", "\(error.expected) expected")
    } catch let error as DraftRequest.Problem {
      throw Explanation(.data, place: "standard input", error.what)
    } catch {
      throw Explanation(.data, "\(error)")
    }
    var start = ComposeStart(draft: Draft())
    if let parent = request.inReplyTo {
      let wish: QuotationWish =
        !request.quotes ? .no : request.saysToQuote ? .always : .usual
      start = try answer(try finder().one([parent]), wish)
    }
    if request.concernsEncrypted { start.draft.concernsEncrypted = true }
    // What was written to be encrypted may quote what was.
    start.mayHoldText = request.concernsEncrypted || request.protection?.encrypts == true
    try fill(&start, request)
    return start
  }

  private func fill(
    _ start: inout ComposeStart,
    _ request: DraftRequest
  ) throws(Explanation) {
    if !(request.to + request.cc + request.bcc).isEmpty {
      start.draft.to = try addresses(request.to)
      start.draft.cc = try addresses(request.cc)
      start.draft.bcc = try addresses(request.bcc)
    }
    if let account = request.account { start.facts.account = account }
    if let from = request.from { start.draft.from = try address(from) }
    if let protection = request.protection { start.draft.protection = protection }
    if let subject = request.subject { start.draft.subject = [UInt8](subject.utf8) }
    let text =
      request.text.map { Self.withLineFeeds([UInt8]($0.utf8)) } ?? template?.draft.text ?? []
    // What a program gives is all of the text: no signature is added.
    (start.isFresh, start.isGiven) = (false, true)
    start.hasContent = text.contains { $0 > ASCII.space } || !request.files.isEmpty
    let gap: [UInt8] = start.above.isEmpty ? [] : [ASCII.lineFeed]
    start.draft.text = start.above + gap + text
    for (name, value) in request.headers { start.draft.extra.append(try field(name, value)) }
    for file in request.files { start.draft.attachments.append(.file(try attached(file))) }
    start.html = request.html
    start.at = request.at
    start.end = request.end.flatMap { ComposeOptions.End(rawValue: $0.rawValue) }
  }

  private func attached(_ file: DraftRequest.File) throws(Explanation) -> AttachedFile {
    let type = file.type.flatMap { FileType([UInt8]($0.utf8)) }
    if let text = file.type, type == nil {
      throw Explanation(.data, "\"\(Printable.text(text.utf8, limit: 80))\" is no media type")
    }
    return try AttachmentReader(limit: .max, partial).file(
      Path(file.path),
      name: file.name.map { [UInt8]($0.utf8) },
      type: type,
      contentID: file.contentID.flatMap { MessageID(stripping: [UInt8]($0.utf8)) }
    )
  }
}
