internal import MailModel
internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Glibc
internal import MIME
internal import Octets
internal import Outgoing
internal import Platform
internal import SyncState
internal import Terminal

/// What `magnum compose` and the commands beside it do: from what is named to a draft, and on to its end.
struct ComposeTask {
  let options: ComposeOptions
  let context: CommandContext
  let configuration: Configuration
  /// What a template says; nil where none is used.
  let template: DraftText.Edited?

  let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  var console: Console { context.console }

  private init(_ options: ComposeOptions, _ context: CommandContext) throws(Explanation) {
    self.options = options
    self.context = context
    configuration = try context.neededConfiguration()
    template = try Self.template(options, configuration, decoder)
  }

  /// Whether a person is there who can be asked.
  static var isAtTerminal: Bool { isatty(0) == 1 && isatty(1) == 1 }

  /// Makes a draft, and brings it to its end.
  ///
  /// - Parameters:
  ///   - options: what the command line says of it.
  ///   - context: the command.
  ///   - start: what the draft begins with.
  /// - Returns: the status to exit with.
  static func composeDraft(
    _ options: ComposeOptions,
    _ context: CommandContext,
    _ start: (ComposeTask) throws(Explanation) -> ComposeStart
  ) -> ExitStatus {
    do throws(Explanation) {
      if options.ends.contains(.editor), !isAtTerminal { throw noTerminal }
      let task = try ComposeTask(options, context)
      return try task.composeDraft(try start(task))
    } catch {
      return context.report(error)
    }
  }

  private func composeDraft(_ start: ComposeStart) throws(Explanation) -> ExitStatus {
    var start = start
    defer { withExtendedLifetime(start.draftLock) {} }
    try useTemplate(&start)
    try apply(&start.draft)
    let sender = try sender(for: start)
    try addText(&start, sender)
    start.facts.account = sender.name
    let end = try end(start)
    try checkHTML(start, end)
    try decideProtection(&start, sender, end)
    return try ComposeSession(self, sender).end(start, end)
  }

  /// Decides whether the draft is signed and encrypted, as far as that needs no keys.
  private func decideProtection(
    _ start: inout ComposeStart,
    _ sender: Sender,
    _ end: ComposeOptions.End
  ) throws(Explanation) {
    var wishes = DraftProtection.Wishes(sender.composing.protection)
    (wishes.signs, wishes.encrypts) = (options.signs, options.encrypts)
    wishes.draft = start.draft.protection
    wishes.concernsEncrypted = start.draft.concernsEncrypted
    wishes.mayHoldText = start.mayHoldText
    wishes.allowsText = allowsText(start)
    start.wishes = wishes
    let decision = DraftProtection.decide(wishes)
    if case .refused = decision {
      // What is only printed as a draft is not sent yet, and says how it has to be.
      guard options.encrypts == nil else { throw Self.holdsEncrypted }
      guard end == .template else { throw Self.concernsEncrypted }
    }
    start.carryOut(decision)
    // Where clear text is allowed now, nothing refuses it later.
    if !start.draft.isEncrypted { start.draft.concernsEncrypted = false }
  }

  /// Whether the text of an encrypted message may go as clear text, which a person is asked.
  private func allowsText(_ start: ComposeStart) -> Bool {
    if options.quotesAll { return true }
    guard start.draft.concernsEncrypted, start.mayHoldText, options.encrypts == false,
      Self.isAtTerminal, !context.globals.json
    else { return false }
    return console.confirm("send as clear text what may be the text of an encrypted message?")
  }

  /// That a draft may not go as clear text.
  static let concernsEncrypted = Explanation(
    .data,
    "it answers or forwards an encrypted message, and would not be encrypted",
    hint: "--encrypt encrypts it; --no-encrypt sends it all the same, without the text of the other"
  )

  /// The same of a draft that goes on.
  private static let holdsEncrypted = Explanation(
    .data,
    "it may hold the text of an encrypted message, and would not be encrypted",
    hint: "--quote with --no-encrypt sends it all the same"
  )

  private static let noTerminal = Explanation(
    .usage,
    "an editor needs a terminal",
    hint: "say what is to become of it: --send, --draft, --hold, --print or --template"
  )

  func end(_ start: ComposeStart) throws(Explanation) -> ComposeOptions.End {
    if let end = options.ends.first ?? start.end { return end }
    if options.format != nil { return .template }
    guard Self.isAtTerminal, !context.globals.json else { throw Self.noTerminal }
    return .editor
  }

  func finder() throws(Explanation) -> MessageFinder {
    try MessageFinder(configuration, report: { [context] in context.report($0) })
  }

  /// Which messages lack attachments.
  var partial: PartialFiles { PartialFiles(configuration.accounts) }

  func sender(for start: ComposeStart) throws(Explanation) -> Sender {
    let choice = AccountChoice(configuration, user: geteuid())
    if let name = context.globals.accounts.first { return try choice.sender(named: name) }
    if let from = start.draft.from { return try choice.sender(for: [from.address]) }
    if let name = start.facts.account, let sender = configuration.sender(named: name) {
      return sender
    }
    return try choice.sender(for: [])
  }
}
