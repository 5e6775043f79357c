internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Glibc
internal import MIME
internal import Octets
internal import Platform

/// What drafts begin with: nothing, a message that is answered or passed on, a draft that was kept.
extension ComposeTask {
  func new() throws(Explanation) -> ComposeStart { ComposeStart(draft: Draft()) }

  func answer(_ words: [String]) throws(Explanation) -> ComposeStart {
    let found = try finder().one(words)
    return try answer(found, quotes: !options.noQuote)
  }

  func answer(
    _ found: MessageFinder.Found,
    quotes: Bool
  ) throws(Explanation) -> ComposeStart {
    let builder = ReplyBuilder(own: own, decoder)
    let scope: ReplyBuilder.Scope = options.all ? .all : options.list ? .list : .author
    var start: ComposeStart
    do throws(ReplyBuilder.Problem) {
      start = ComposeStart(draft: try builder.reply(to: found.message, scope))
    } catch {
      throw Explanation(
        .data,
        "the message names no mailing list",
        hint: "without --list its author gets the answer, with --all all who got it"
      )
    }
    note(found, in: &start)
    if quotes {
      let format = settings(start)?.attribution ?? Quotation.usualAttribution
      start.above = Quotation.quoted(found.message, attribution: format, decoder)
    }
    return start
  }

  func forward(_ words: [String]) throws(Explanation) -> ComposeStart {
    let found = try finder().one(words)
    try WholeMessage.check(found.content.whole, "not passed on", place: found.place)
    let builder = ForwardBuilder(own: own, decoder)
    var start = ComposeStart(
      draft: try explaining(.noInput) { () throws(SourceError) in
        try builder.forward(found.content, asAttachment: options.asAttachment)
      }
    )
    note(found, in: &start)
    start.below = start.draft.text
    start.hasContent = true
    start.draft.text = []
    return start
  }

  /// A draft that lies in a folder, or that a program left that did not come to its end.
  func resume(_ words: [String]) throws(Explanation) -> ComposeStart {
    if words.count == 1, let left = try abandoned(named: words[0]) { return left }
    let found = try finder().one(words)
    try checkText(of: found.message, hint: "finish it in the program that it was written with")
    let draft = try explaining(.noInput) { () throws(SourceError) in
      try DraftMessage.read(found.content, decoder)
    }
    var start = ComposeStart(draft: draft, isFresh: false)
    start.facts.account = found.account?.name
    guard let file = found.file, file.isDraft(of: found.account) else {
      // A message that is no draft is only the beginning of another one: it stays, and the new one has an id of its own.
      (start.draft.messageID, start.draft.origin) = (nil, nil)
      return start
    }
    start.facts.draft = file.path
    try checkQueue(start)
    return start
  }

  /// Refuses a draft that is in the queue already, and takes it away: a program that was to do so did not come to its end.
  private func checkQueue(_ start: ComposeStart) throws(Explanation) {
    guard let id = start.draft.messageID, let sender = try? sender(for: start)
    else { return }
    guard try Dispatch(sender, configuration, user: geteuid()).isQueued(id) else { return }
    ComposeSession(self, sender).settle(start)
    throw Explanation(.partial, "it is in the queue already; the draft is removed")
  }

  private func note(_ found: MessageFinder.Found, in start: inout ComposeStart) {
    start.facts.account = found.account?.name
    if let file = found.file, file.isInMaildir { start.facts.original = file.path }
  }

  private var own: OwnAddresses {
    let addresses =
      configuration.senders.flatMap(\.addresses) + configuration.accounts.compactMap(\.address)
    return OwnAddresses(addresses.map { [UInt8]($0.utf8) })
  }

  private func settings(_ start: ComposeStart) -> ComposingSettings? {
    let named = context.globals.accounts.first ?? start.facts.account
    let sender = named.flatMap { configuration.sender(named: $0) } ?? configuration.defaultSender
    return sender?.composing
  }
}
