internal import MailModel
internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Glibc
internal import MIME
internal import MailboxActions
internal import Octets
internal import Platform
internal import Protection
internal import Terminal

/// One message, and what is done with its attachments.
struct AttachmentsTask {
  /// What decrypting the message showed.
  private struct Secrecy {
    var reading: ProtectionReading?
    /// Whether something was not decrypted that should have been.
    var isClosed = false
  }

  /// A part that can be saved.
  struct Item {
    let part: Part
    /// A name that any directory can have.
    let name: [UInt8]

    var number: String { part.section?.description ?? "" }
    /// Whether its content is here, and not only on the server.
    var isHere: Bool { part.externalSection == nil }
    /// Whether it is a message.
    var isMessage: Bool { shown.kind == .message }
    /// The media type.
    var type: [UInt8] { shown.contentType.octets }
    private var shown: Part { part.external ?? part }
    /// About how many octets the content has, where it is only on the server; else nil.
    var remoteSize: Int? {
      guard let external = part.external else { return nil }
      let encoded = Int(clamping: part.externalSize ?? 0)
      return external.encoding == .base64 ? encoded / 4 * 3 : encoded
    }
  }

  private let options: AttachmentsCommand.Options
  private let context: CommandContext
  private let configuration: Configuration
  private let found: MessageFinder.Found
  private let contents: PartContents
  private let secrecy: Secrecy
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  private var console: Console { context.console }

  /// Reads the message that the operands name.
  init(
    _ options: AttachmentsCommand.Options,
    _ context: CommandContext
  ) throws(Explanation) {
    let configuration = try Self.configuration(context)
    let found = try Self.finder(configuration, context).one(context.operands)
    try self.init(options, context, configuration, found)
  }

  private init(
    _ options: AttachmentsCommand.Options,
    _ context: CommandContext,
    _ configuration: Configuration,
    _ found: MessageFinder.Found
  ) throws(Explanation) {
    self.options = options
    self.context = context
    self.configuration = configuration
    if options.decrypt == .true {
      (self.found, secrecy) = try Self.decrypted(found, options, context)
    } else {
      (self.found, secrecy) = (found, Secrecy())
    }
    contents = PartContents(self.found, configuration, context)
  }

  /// The message decrypted, as far as that can be done; what cannot is reported.
  private static func decrypted(
    _ found: MessageFinder.Found,
    _ options: AttachmentsCommand.Options,
    _ context: CommandContext
  ) throws(Explanation) -> (MessageFinder.Found, Secrecy) {
    var wanted = ProtectionLook.Options(decrypts: true)
    wanted.part = options.part.flatMap { Section([UInt8]($0.utf8)) }
    let look = ProtectionLook(wanted, context, isOnTerminal: false)
    var secrecy = Secrecy()
    let opened = try found.opened { (message) throws(Explanation) in
      let reading = try look.read(message)
      secrecy.reading = reading
      for line in look.hasFailed ? ProtectionLines(reading).all : [] {
        context.console.writeNote("\(context.name): \(line)")
      }
      return reading.message
    }
    secrecy.isClosed = look.hasFailed
    return (opened, secrecy)
  }

  /// The configuration, which a message that is named by its file does not need.
  private static func configuration(
    _ context: CommandContext
  ) throws(Explanation) -> Configuration {
    guard case .files = try MessageWords(context.operands) else {
      return try context.configuration(isNeeded: true)
    }
    return try context.configuration(isNeeded: false)
  }

  private static func finder(
    _ configuration: Configuration,
    _ context: CommandContext
  ) throws(Explanation) -> MessageFinder {
    try MessageFinder(
      configuration,
      accounts: context.globals.accounts,
      report: { [context] in context.report($0) }
    )
  }

  /// Saves what is attached to all messages that the operands name; of several, those without attachments are left out.
  ///
  /// - Throws: that none is found, or nothing is attached to any.
  static func saveAll(
    _ options: AttachmentsCommand.Options,
    _ context: CommandContext
  ) throws(Explanation) -> ExitStatus {
    let configuration = try configuration(context)
    let finder = try finder(configuration, context)
    guard options.directory != nil, options.part == nil else {
      return try AttachmentsTask(options, context, configuration, finder.one(context.operands))
        .save()
    }
    let files = try finder.all(context.operands)
    guard files.count > 1 else {
      return try AttachmentsTask(options, context, configuration, finder.one(context.operands))
        .save()
    }
    var statuses: [ExitStatus] = []
    for file in files {
      let found: MessageFinder.Found
      do throws(Explanation) {
        found = try finder.one(file: file)
      } catch {
        statuses.append(context.report(error))
        continue
      }
      let task = try AttachmentsTask(options, context, configuration, found)
      guard try !task.chosen().isEmpty else { continue }
      do throws(Explanation) {
        statuses.append(try task.save())
      } catch {
        // A disk that is full is so for the next one too.
        guard error.status != .cannotCreate else { throw error }
        statuses.append(context.report(error))
      }
    }
    guard !statuses.isEmpty else { throw Explanation(.partial, "nothing is attached") }
    return ExitStatus.mostSevere(of: statuses)
  }

  /// What is to be saved; none where nothing is attached, or nothing has such a name.
  private func chosen() throws(Explanation) -> [Item] {
    let items = items(of: message.root)
    guard let pattern = options.name else { return items.filter { !isInline($0.part) } }
    return items.filter { Self.matches($0.name, pattern) }
  }

  /// The message without most of what is attached: what a part holds has to be asked of `found`.
  private var message: Message { found.message }

  // MARK: Choosing

  /// What the options choose; without any, all.
  private func items() throws(Explanation) -> [Item] {
    if let number = options.part {
      guard let part = Section([UInt8](number.utf8)).flatMap({ message.part($0) }) else {
        throw Explanation(
          .partial,
          "no part \(Printable.text(number.utf8, limit: 40))",
          hint: "magnum attachments list, or magnum show, has the numbers"
        )
      }
      guard secrecy.reading?.isHidden(part) != true else {
        throw ShowExplanation.hidden(number)
      }
      return [item(part)]
    }
    let items = items(of: message.root)
    guard let pattern = options.name else { return items }
    let chosen = items.filter { Self.matches($0.name, pattern) }
    guard !chosen.isEmpty else {
      throw Explanation(
        .partial,
        "no attachment is called \(Printable.text(pattern.utf8, limit: 100))"
      )
    }
    return chosen
  }

  /// Whether a part is shown within the text, or is a report that is read as one; a part that is only on the server as it is
  /// once the message is whole.
  private func isInline(_ part: Part) -> Bool {
    guard let external = part.external else { return part.role == .inline }
    if external.contentType.isReport { return true }
    let header = external.header
    guard header.first("Content-ID") != nil || header.first("Content-Location") != nil,
      external.disposition?.isInline ?? true
    else { return false }
    let container = message.parts.first { $0.children.contains { $0.section == part.section } }
    if container?.contentType.isType("multipart", "related") == true {
      return container?.children.first?.section != part.section
    }
    return external.disposition != nil && !external.contentType.isType("text")
  }

  /// What is attached to a message, that of messages inside behind each of them.
  private func items(of root: Part) -> [Item] {
    (secrecy.reading?.attachments(of: root) ?? root.attachments)
      .flatMap { part in [item(part)] + (part.messageInside.map { items(of: $0) } ?? []) }
  }

  private func item(_ part: Part) -> Item {
    let name = part.fileName(decoder) ?? AttachmentName.made(of: part)
    return Item(part: part, name: name)
  }

  private static func matches(_ name: [UInt8], _ pattern: String) -> Bool {
    Path(name).withCString { fnmatch(pattern, $0, 0) == 0 }
  }

  // MARK: What is done

  func list() throws(Explanation) -> ExitStatus {
    let items = try items()
    for item in items {
      let type = item.type
      let size = try size(of: item)
      if context.globals.json {
        var line = line(item, type, size)
        if try !losses(of: item).isEmpty { line.add("damaged", true) }
        console.print(octets: line.octets)
      } else {
        let inline = isInline(item.part) ? "  inline" : ""
        let place = item.isHere ? "" : "  on the server"
        let remark = PartRemark.text(item.part, try losses(of: item)).map { "  (\($0))" } ?? ""
        console.print(
          "\(item.number)  \(Printable.text(type))  \(HumanFormat.bytes(UInt64(size)))  "
            + "\(Printable.text(item.name))\(inline)\(place)\(remark)"
        )
      }
    }
    if items.isEmpty, !context.globals.json { console.writeNote("nothing is attached") }
    return items.isEmpty || secrecy.isClosed ? .partial : .success
  }

  private func size(of item: Item) throws(Explanation) -> Int {
    if let size = item.remoteSize { return size }
    return try contents.content(of: item.part).count
  }

  private func line(_ item: Item, _ type: [UInt8], _ size: Int) -> JSONLine {
    var line = begun(item)
    line.add("type", octets: type)
    line.add("size", size)
    line.add("inline", isInline(item.part))
    line.add("here", item.isHere)
    if let id = item.part.contentID { line.add("content-id", octets: id.octets) }
    return line
  }

  private func begun(_ item: Item) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    if let id = message.header.messageID { line.add("id", octets: id.octets) }
    line.add("part", item.number)
    line.add("name", octets: item.name)
    return line
  }

  /// Makes the message whole where it is not.
  func fetch() throws(Explanation) -> ExitStatus {
    guard message.parts.contains(where: { $0.externalSection != nil }) else {
      if !context.globals.json { console.writeNote("the message has all that is attached") }
      return .success
    }
    try AttachmentsFetch(found, configuration, context).fetchAttachments()
    return .success
  }

  /// Pictures within the text are saved only where they are named.
  ///
  /// What is here is saved also where the rest cannot be fetched. After the first that cannot be fetched, the server is not asked again. What is saved with a loss is reported.
  func save() throws(Explanation) -> ExitStatus {
    let all = try items()
    let isNamed = options.part != nil || options.name != nil
    let items = isNamed ? all : all.filter { !isInline($0.part) }
    guard !items.isEmpty else { throw Explanation(.partial, "nothing is attached") }
    var failure: Explanation?
    for item in items where item.isHere || failure == nil {
      let content: any OctetSource
      do throws(Explanation) {
        content = try contents.content(of: item.part)
      } catch {
        guard !item.isHere else { throw error }
        failure = error
        continue
      }
      try write(item, content)
    }
    if let failure { throw failure }
    return try reportLosses(of: items) || secrecy.isClosed ? .partial : .success
  }

  /// Whether there are any.
  private func reportLosses(of items: [Item]) throws(Explanation) -> Bool {
    var isDamaged = false
    for item in items {
      let losses = try losses(of: item)
      guard !losses.isEmpty, let remark = PartRemark.text(item.part, losses) else { continue }
      console.writeNote("\(context.name): \(Printable.text(item.name)): \(remark)")
      isDamaged = true
    }
    return isDamaged
  }

  private func losses(of item: Item) throws(Explanation) -> [PartLoss] {
    try explaining(.noInput) { () throws(SystemError) in
      try SystemError.reading { () throws(SourceError) in try found.content.losses(of: item.part) }
    }
  }

  private func write(_ item: Item, _ content: any OctetSource) throws(Explanation) {
    let directory = Path(argument: options.directory ?? ".")
    Interruption.shared.watchSignals()
    let path = try explaining(.cannotCreate) { () throws(SystemError) in
      try AttachmentFile(content, name: item.name).save(in: directory)
    }
    if context.globals.json {
      var line = begun(item)
      line.add("file", octets: path.octets)
      console.print(octets: line.octets)
    } else {
      console.print(octets: path.octets + [ASCII.lineFeed])
    }
  }

  func open() throws(Explanation) -> ExitStatus {
    let items = try items()
    guard let item = items.first, items.count == 1 else {
      throw Explanation(
        .data,
        items.isEmpty ? "nothing is attached" : "\(items.count) parts, and one is wanted",
        hint: items.isEmpty ? nil : "choose it with --part or --name"
      )
    }
    guard ComposeTask.isAtTerminal else {
      throw Explanation(
        .usage,
        "opening needs a terminal",
        hint: "magnum attachments save makes a file of it"
      )
    }
    // A program that fetches what a changed part names would tell its author the text.
    if secrecy.reading?.links(in: item.part) == .omitted,
      !item.part.contentType.isType("text", "plain")
    {
      throw Explanation(
        .data,
        "nothing shows that it was not changed on its way, and what opens it may give its text away",
        hint: "magnum attachments save makes a file of it"
      )
    }
    return try AttachmentOpening(item, contents.content(of: item.part), context).openAttachment()
  }
}
