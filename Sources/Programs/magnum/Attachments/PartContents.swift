internal import MailModel
internal import CommandLine
internal import Configuration
internal import Correspondence
internal import MIME
internal import MailStore
internal import MailboxActions
internal import Octets
internal import Outgoing
internal import Platform
internal import Syncing
internal import Terminal

/// The contents of parts of one message, wherever they are: in its file, in the cache, on the server.
///
/// A part that is only on the server is fetched alone; where the server does not give it so, the message is made whole.
final class PartContents {
  /// Seconds to wait before another attempt to reach the server, while a person waits too.
  private static let retryDelays = [5.0, 15.0, 45.0]

  private let found: MessageFinder.Found
  private let configuration: Configuration
  private let context: CommandContext
  private var remote: RemoteAttachments?
  /// The message once it is whole.
  private var whole: MessageFinder.Found?

  /// Those of a message that was found.
  init(
    _ found: MessageFinder.Found,
    _ configuration: Configuration,
    _ context: CommandContext
  ) {
    self.found = found
    self.configuration = configuration
    self.context = context
  }

  /// What a part holds.
  ///
  /// - Throws: why it cannot be read, or fetched.
  func content(of part: Part) throws(Explanation) -> any OctetSource {
    if part.externalSection == nil { return try Self.content(of: part, in: found) }
    if whole == nil, let content = try fetch(part) { return content }
    let whole = try madeWhole()
    guard let part = part.section.flatMap({ whole.message.part($0) }) else {
      throw Explanation(.unavailable, place: place, "the message has no such part any more")
    }
    return try Self.content(of: part, in: whole)
  }

  private static func content(
    of part: Part,
    in found: MessageFinder.Found
  ) throws(Explanation) -> any OctetSource {
    try explaining(.noInput) { () throws(SystemError) in
      try SystemError.reading { () throws(SourceError) in try found.content.content(of: part) }
    }
  }

  private var place: String { found.place }

  /// The message with all that is attached, which takes the place of its file.
  private func madeWhole() throws(Explanation) -> MessageFinder.Found {
    if let whole { return whole }
    try AttachmentsFetch(found, configuration, context).fetchAttachments()
    let finder = try MessageFinder(
      configuration,
      accounts: context.globals.accounts,
      report: { [context] in context.report($0) }
    )
    guard let path = found.file?.currentPath() else {
      throw Explanation(.unavailable, place: place, "the message was moved meanwhile")
    }
    let message = try finder.one(file: path)
    whole = message
    return message
  }

  // MARK: One part

  /// The content of a part alone; nil where it cannot be had so.
  private func fetch(_ part: Part) throws(Explanation) -> (any OctetSource)? {
    guard let placeholder = PartPlaceholder(part), let file = found.file,
      let account = found.account, account.server != nil
    else { return nil }
    let outcome: RemoteAttachments.Outcome
    do throws(SyncFailure) {
      outcome = try remote(file.path, account).content(of: placeholder)
    } catch {
      context.console.drawFooter([])
      throw Self.explanation(error, account.name)
    }
    context.console.drawFooter([])
    switch outcome {
    case .content(let content): return content
    case .notGiven: return nil
    case .gone:
      throw unavailable("its message is no longer where it was on the server", hint: Self.syncHint)
    case .otherMessage:
      throw unavailable("another message is in its place on the server", hint: Self.syncHint)
    case .otherPart(let difference):
      throw unavailable(
        "the message on the server has another part there: its \(difference.word) differs",
        hint: "magnum attachments fetch makes the message whole"
      )
    case .leftForAnotherDay(let time):
      throw Explanation(
        .tryAgain,
        place: place,
        "daily-limit is reached: "
          + ReportWords.left(1, placeholder.size, until: time, now: TestTime.ofDays()),
        hint: "a higher daily-limit lets it come today"
      )
    }
  }

  private static func explanation(_ failure: SyncFailure, _ account: String) -> Explanation {
    guard case .system(let error) = failure else {
      return failure.explanation(account: account)
    }
    return Explanation(
      .cannotCreate,
      error.description,
      hint: error.isOutOfSpace ? "make room, or set TMPDIR to a directory that has some" : nil
    )
  }

  private static let syncHint = "magnum-sync finds out where it is now; then try again"

  private func unavailable(_ what: String, hint: String) -> Explanation {
    Explanation(.unavailable, place: place, "the attachment cannot be fetched: \(what)", hint: hint)
  }

  private func remote(
    _ path: Path,
    _ account: Account
  ) throws(SyncFailure) -> RemoteAttachments {
    if let remote { return remote }
    Interruption.shared.watchSignals()
    let setting = RemoteAttachments.Setting(
      account,
      cacheHome: Environment.cacheHome,
      stateHome: Environment.stateHome,
      retryDelays: context.console.errorTraits.isTerminal ? Self.retryDelays : [],
      interruption: .shared
    )
    let made = try attempt(
      RemoteAttachments(of: path, setting) { [context] in Self.show($0, context) }
    )
    remote = made
    return made
  }

  private static func show(_ event: RemoteAttachments.Event, _ context: CommandContext) {
    switch event {
    case .store: break
    case .received(let octets, let total):
      let (part, all) = (HumanFormat.bytes(UInt64(octets)), HumanFormat.bytes(total))
      context.console.drawFooter(["fetching \(part) of \(all)"])
    case .notKept:
      context.console.writeNote(
        "the attachment is not kept: the directory of the cache cannot be used, or has no room"
      )
    case .retrying(let seconds):
      context.console.writeNote("the server cannot be reached, trying again in \(Int(seconds)) s")
    }
  }
}

extension PartFacts.Difference {
  fileprivate var word: String {
    switch self {
    case .type: "type"
    case .encoding: "encoding"
    case .name: "name"
    case .size: "size"
    }
  }
}
