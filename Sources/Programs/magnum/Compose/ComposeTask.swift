internal import MailModel
internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Glibc
internal import MIME
internal import Octets
internal import Outgoing
internal import Platform
internal import Sendmail
internal import SyncState
internal import Terminal

/// What `magnum compose` and the commands beside it do: from what is named to a draft, and on to its end.
struct ComposeTask {
  let options: ComposeOptions
  let context: CommandContext
  let configuration: Configuration

  let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  var console: Console { context.console }

  private init(_ options: ComposeOptions, _ context: CommandContext) throws(Explanation) {
    self.options = options
    self.context = context
    configuration = try context.neededConfiguration()
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
    try apply(&start.draft)
    let sender = try sender(for: start)
    try addText(&start, sender)
    start.facts.account = sender.name
    let end = try end(start)
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
    switch DraftProtection.decide(wishes) {
    case .decided(let protection): start.draft.protection = protection
    case .ifPossible(let protection):
      start.openProtection = protection
      // What was said of signing is kept with the draft, and that this is open.
      if options.signs != nil || start.draft.protection != nil {
        start.draft.protection = protection
        start.draft.protection?.isOpen = true
      }
    case .refused(let instead):
      // What is only printed as a draft is not sent yet, and says how it has to be.
      guard options.encrypts == nil else { throw Self.holdsEncrypted }
      guard end == .template else { throw Self.concernsEncrypted }
      start.draft.protection = instead
    }
    // Where clear text is allowed now, nothing refuses it later.
    if !start.draft.isEncrypted { start.draft.concernsEncrypted = false }
  }

  /// Whether the text of an encrypted message may go as clear text, which a person is asked.
  private func allowsText(_ start: ComposeStart) -> Bool {
    if options.quotesAll { return true }
    guard start.draft.concernsEncrypted, start.mayHoldText, options.encrypts == false,
      Self.isAtTerminal, !context.globals.json
    else { return false }
    let question = "send as clear text what may be the text of an encrypted message? [y/n] "
    return console.ask(question)?.hasPrefix("y") ?? false
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

  // MARK: What options add

  /// Puts what options say into the draft.
  private func apply(_ draft: inout Draft) throws(Explanation) {
    draft.to += try addresses(options.to)
    draft.cc += try addresses(options.cc)
    draft.bcc += try addresses(options.bcc)
    if let subject = options.subject { draft.subject = [UInt8](subject.utf8) }
    if let from = options.from { draft.from = try address(from) }
    for header in options.headers { draft.extra.append(try field(header)) }
    for file in options.files { draft.attachments.append(.file(try attachment(file))) }
  }

  func addresses(_ texts: [String]) throws(Explanation) -> [Address] {
    var addresses: [Address] = []
    do throws(LetterError) {
      for text in texts { addresses += try recipients([UInt8](text.utf8)) }
    } catch {
      throw error.explanation
    }
    return addresses
  }

  private func recipients(_ text: [UInt8]) throws(LetterError) -> [Address] {
    // A line end within an address would have what follows it taken for a part of it.
    guard !text.contains(where: ASCII.isControl) else { throw .badAddress(text) }
    try AddressBook.checkRecipients(in: text)
    let found = Address.list(text[...], decoder)
    guard !found.isEmpty, found.flatMap(\.mailboxes).allSatisfy(\.canBeRecipient) else {
      throw .badAddress(text)
    }
    return found
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
    let found = ((try? recipients([UInt8](text.utf8))) ?? []).flatMap(\.mailboxes)
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

  /// Which messages lack attachments.
  var partial: PartialFiles { PartialFiles(configuration.accounts) }

  func attachment(_ file: String) throws(Explanation) -> AttachedFile {
    try AttachmentReader(limit: .max, partial).file(Path(argument: file))
  }

  // MARK: Who sends it

  func sender(for start: ComposeStart) throws(Explanation) -> Sender {
    let choice = AccountChoice(configuration, user: geteuid())
    if let name = context.globals.accounts.first { return try choice.sender(named: name) }
    if let from = start.draft.from { return try choice.sender(for: [from.address]) }
    if let name = start.facts.account, let sender = configuration.sender(named: name) {
      return sender
    }
    return try choice.sender(for: [])
  }

  // MARK: The text

  private func addText(_ start: inout ComposeStart, _ sender: Sender) throws(Explanation) {
    if let file = options.body { start.draft.text = try read(body: file) }
    if !start.isGiven { start.hasContent = start.hasContent || hasContent(start.draft) }
    guard start.isFresh else { return }
    var text = start.draft.text
    if let last = text.last, last != ASCII.lineFeed { text.append(ASCII.lineFeed) }
    let signature = options.noSignature ? [] : try SignatureText.octets(sender.composing)
    var pieces = [start.above, text, signature, start.below].filter { !$0.isEmpty }
    // An empty line to begin with.
    if start.above.isEmpty, text.isEmpty, !pieces.isEmpty { pieces.insert([], at: 0) }
    start.draft.text = [UInt8](pieces.joined(separator: [ASCII.lineFeed]))
    // A line to type into, below the one that ends the header.
    if start.draft.text.isEmpty { start.draft.text = [ASCII.lineFeed] }
  }

  /// Whether a draft says anything that its writer has put there.
  private func hasContent(_ draft: Draft) -> Bool {
    !draft.attachments.isEmpty || draft.text.contains { $0 > ASCII.space }
  }

  private func read(body file: String) throws(Explanation) -> [UInt8] {
    let octets = file == "-" ? try standardInput() : try read(Path(argument: file))
    guard String(validating: octets, as: UTF8.self) != nil else {
      throw Explanation(.data, place: file, "the text is not UTF-8", hint: "iconv(1) converts it")
    }
    guard !octets.contains(0) else {
      throw Explanation(
        .data,
        place: file,
        "there is a NUL in the text",
        hint: "attach what is no text: --attach"
      )
    }
    return Self.withLineFeeds(octets)
  }

  /// A text with LF for line ends of any kind.
  static func withLineFeeds(_ text: [UInt8]) -> [UInt8] {
    text.replacing([ASCII.carriageReturn, ASCII.lineFeed], with: [ASCII.lineFeed])
      .map { $0 == ASCII.carriageReturn ? ASCII.lineFeed : $0 }
  }

  private static let limit = 1 << 30

  private func read(_ path: Path) throws(Explanation) -> [UInt8] {
    do throws(SystemError) {
      return try FileSystem.readExistingFile(path, limit: Self.limit, .read.orPipe)
    } catch {
      throw Explanation(.noInput, error.description)
    }
  }

  /// All of standard input.
  ///
  /// - Throws: that there is nothing in it.
  func standardInput() throws(Explanation) -> [UInt8] {
    let octets = try CommandContext.standardInput(limit: Self.limit)
    guard !octets.isEmpty else { throw Self.emptyInput }
    return octets
  }

  static let emptyInput = Explanation(.noInput, "standard input is empty")
}
