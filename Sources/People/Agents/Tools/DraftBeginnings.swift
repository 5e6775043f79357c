internal import AgentPlan
internal import Configuration
internal import Correspondence
internal import MIME
internal import Octets
internal import Platform
internal import Protection
internal import Query
internal import SearchIndex
internal import Threads

/// What a draft of an agent begins with.
struct DraftBeginning {
  var draft = Draft()
  let account: Account
  /// What stands above and below the text.
  var above: [UInt8] = []
  var below: [UInt8] = []
  /// The addresses in the thread that it answers; nil where it answers none.
  var known: Set<[UInt8]>?
  var warnings: [String] = []

  /// How the addresses of a list are compared.
  static func keys(_ addresses: [Address]) -> Set<[UInt8]> {
    Set(addresses.flatMap(\.mailboxes).map { PersonAddress.key($0.address) })
  }
}

/// What drafts of an agent begin with: nothing, a message of the view that is answered, or one that is forwarded.
struct DraftBeginnings {
  private let mail: AgentMail
  private let call: ToolCall
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  /// Octets of the text of the other message at most: the rest is left out, and the draft says so.
  private static let textLimit = 64 << 10
  /// Octets of attachments at most, as they are before they are encoded: a draft is read as a whole to be known again.
  private static let attachmentLimit = 8 << 20

  /// Messages of a thread at most in which addresses are looked for.
  private static let threadLimit = 300

  init(_ mail: AgentMail, _ call: ToolCall) {
    (self.mail, self.call) = (mail, call)
  }

  private var configuration: Configuration { mail.profile.configuration }

  /// What the draft of the call begins with.
  ///
  /// - Throws: why there is none.
  func beginning() throws(ToolFailure) -> DraftBeginning {
    switch (call.text("reply"), call.text("forward")) {
    case (nil, nil): return DraftBeginning(account: try account(nil))
    case (let id?, nil): return try answer(try mail.openClear(id))
    case (nil, let id?): return try forwarded(try mail.openClear(id))
    case (.some, .some): throw .arguments
    }
  }

  private func answer(
    _ original: (message: FoundMessage, opened: MessageFinder.Found)
  ) throws(ToolFailure) -> DraftBeginning {
    var beginning = DraftBeginning(account: try account(original.opened.account))
    let message = original.opened.message
    do throws(ReplyBuilder.Problem) {
      let scope: ReplyBuilder.Scope = call.flag("all") == true ? .all : .author
      beginning.draft = try ReplyBuilder(own: OwnAddresses(of: configuration), decoder)
        .reply(to: message, scope)
    } catch {
      throw .refused
    }
    let people = try people(inThreadOf: original.message)
    beginning.known = people.union(DraftBeginning.keys(beginning.draft.to + beginning.draft.cc))
    if call.flag("quote") != false {
      let sender = configuration.sender(named: beginning.account.name)
      let quoted = Quotation.quoted(
        .unread(message),
        attribution: sender?.composing.attribution ?? Quotation.usualAttribution,
        decoder,
        limit: Self.textLimit
      )
      beginning.above = quoted.text
      if quoted.isCut { beginning.warnings.append("text-cut") }
    }
    return beginning
  }

  private func forwarded(
    _ original: (message: FoundMessage, opened: MessageFinder.Found)
  ) throws(ToolFailure) -> DraftBeginning {
    var beginning = DraftBeginning(account: try account(original.opened.account))
    do throws(SourceError) {
      let (draft, isCut) = try ForwardBuilder(own: OwnAddresses(of: configuration), decoder)
        .forward(
          original.opened.content,
          .unread(original.opened.message),
          asAttachment: false,
          textLimit: Self.textLimit
        )
      beginning.draft = draft
      if isCut { beginning.warnings.append("text-cut") }
    } catch {
      throw .again
    }
    beginning.below = beginning.draft.text
    if !beginning.draft.attachments.isEmpty,
      !mayKeepAttachments(of: original.opened.content, beginning.draft)
    {
      beginning.draft.attachments = []
      beginning.warnings.append("attachments-left-out")
    }
    return beginning
  }

  /// Whether a forwarded message keeps its attachments: all of them, by a right of their own.
  private func mayKeepAttachments(of content: StreamedMessage, _ draft: Draft) -> Bool {
    mail.profile.settings.rights.contains(.attachments)
      && !content.message.root.attachments.contains { $0.external != nil }
      && draft.attachments.reduce(0) { $0 + $1.size } <= Self.attachmentLimit
  }

  /// The account that the draft is of: the one that is named, else that of the other message, else the only one.
  private func account(_ other: Account?) throws(ToolFailure) -> Account {
    let own = mail.profile.accounts
    if let name = call.text("account") {
      guard let account = own.first(where: { $0.name == name }) else { throw .arguments }
      return account
    }
    if let other, own.contains(where: { $0.name == other.name }) { return other }
    guard let only = own.first, own.count == 1 else { throw .arguments }
    return only
  }

  /// The addresses of a thread, as far as the view has it.
  private func people(inThreadOf message: FoundMessage) throws(ToolFailure) -> Set<[UInt8]> {
    let thread = Query.exact(.thread, [UInt8](message.thread.description.utf8))
    let query = Query.and([mail.view.query, thread])
    let messages = try mail.look { (set) throws(IndexError) in
      try set.messages(query, .newestFirst, limit: Self.threadLimit)
    }
    var people: Set<[UInt8]> = []
    for message in messages + [message] {
      let recipients = mail.openRecipients(of: message, try mail.files(of: message))
      people.formUnion(message.from.map { PersonAddress.key($0.address) })
      people.formUnion(recipients.map { PersonAddress.key($0.address) })
    }
    return people
  }
}
