internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MIME
internal import MailModel
internal import Octets
internal import Platform
internal import Protection
internal import SyncState

/// What drafts begin with: nothing, a message that is answered or passed on, a draft that was kept.
extension ComposeTask {
  func new() throws(Explanation) -> ComposeStart { ComposeStart(draft: Draft()) }

  func answer(_ words: [String]) throws(Explanation) -> ComposeStart {
    let found = try finder().one(words, duplicate: options.duplicate)
    let wish: QuotationWish = options.noQuote ? .no : options.quotesAll ? .always : .usual
    return try answer(found, wish)
  }

  func answer(
    _ found: MessageFinder.Found,
    _ wish: QuotationWish
  ) throws(Explanation) -> ComposeStart {
    let original = try open(found, wish)
    reportIgnored(original)
    var start = ComposeStart(draft: try reply(to: original.found.message, under: original.header))
    let isRevealed = try isRevealed(original, for: start.draft, wish)
    if !isRevealed {
      start.draft = try reply(to: found.message, under: original.reading.outerAnswerable)
    }
    recordOriginal(found, in: &start)
    start.answered = options.format == nil ? nil : try shown(found)
    start.draft.concernsEncrypted = original.isEncrypted
    if wish != .no, isRevealed {
      let format = settings(start)?.attribution ?? Quotation.usualAttribution
      start.above = Quotation.quoted(
        original.reading,
        attribution: format,
        decoder
      )
    }
    return start
  }

  private func reply(
    to message: Message,
    under header: Header
  ) throws(Explanation) -> Draft {
    let scope: ReplyBuilder.Scope = options.all ? .all : options.list ? .list : .author
    do throws(ReplyBuilder.Problem) {
      return try ReplyBuilder(own: own, decoder).reply(to: message, scope, under: header)
    } catch {
      throw Explanation(
        .data,
        "the message names no mailing list",
        hint: "without --list its author gets the answer, with --all all who got it"
      )
    }
  }

  func forward(_ words: [String]) throws(Explanation) -> ComposeStart {
    let found = try finder().one(words)
    guard found.partial == .whole else {
      throw PartialFiles.partial("not passed on", place: found.place)
    }
    let original = try openToForward(found)
    let builder = ForwardBuilder(own: own, decoder)
    var start = ComposeStart(
      draft: try explaining(.noInput) { () throws(SourceError) in
        try builder.forward(
          original.found.content,
          original.reading,
          asAttachment: options.asAttachment
        )
      }
    )
    start.draft.concernsEncrypted = original.isEncrypted
    recordOriginal(found, in: &start)
    start.below = start.draft.text
    start.hasContent = true
    start.draft.text = []
    return start
  }

  /// The message as `magnum show` has it, with all that is attached where it has a file.
  private func shown(_ found: MessageFinder.Found) throws(Explanation) -> ShownMessage {
    let path = found.file?.currentPath()
    let octets = try explaining(.noInput) { () throws(SystemError) in
      try path.flatMap { (path) throws(SystemError) in
        try FileSystem.readFile(path, limit: NamedMessage.limit)
      }
    }
    let message = octets.map { partial.message($0, file: path) } ?? found.message
    return ShownMessage(message, path: path, found: found.indexed)
  }

  private func recordOriginal(_ found: MessageFinder.Found, in start: inout ComposeStart) {
    start.facts.account = found.account?.name
    if let file = found.file, file.isInMaildir { start.facts.original = file.path }
  }

  var own: OwnAddresses { OwnAddresses(of: configuration) }

  private func settings(_ start: ComposeStart) -> ComposingSettings? {
    let named = context.globals.accounts.first ?? start.facts.account
    let sender = named.flatMap { configuration.sender(named: $0) } ?? configuration.defaultSender
    return sender?.composing
  }
}
