internal import Carriage
internal import MailModel
internal import CommandLine
internal import Configuration
internal import MIME
internal import Octets
internal import Platform
internal import Protection
internal import SearchIndex
internal import SyncState
internal import Terminal

/// `magnum show`: messages and threads for reading.
struct ShowCommand {
  let options: ShowOptions
  let context: CommandContext
  let now = Clock.now()
  let room: Room
  let protection: ProtectionLook
  let senders: SenderLook
  let bounces: BounceLook

  /// How many octets of JSON there is room for still.
  final class Room {
    var left: Int
    init(_ left: Int) { self.left = left }
  }

  private init(options: ShowOptions, context: CommandContext) {
    (self.options, self.context) = (options, context)
    room = Room(options.maxBytes ?? .max)
    senders = SenderLook(context)
    bounces = BounceLook(context)
    protection = ProtectionLook(
      options.protection(options.format(json: context.globals.json)),
      context,
      isOnTerminal: TerminalTraits.of(descriptor: 1).isTerminal
    )
  }

  var console: Console { context.console }

  static var command: CommandDefinition {
    CommandDefinition(
      "show",
      abstract: "Show a message or a thread.",
      discussion:
        "Files, - for standard input, or a query as in magnum-query(7), such as id:x@y or "
        + "thread:0123456789abcdef. See magnum-show(1).",
      initial: ShowOptions(),
      globals: [.config, .account, .json, .verbose],
      options: ShowOptions.table,
      operands: .many(
        "file-or-query",
        minimum: 1,
        completion: .namesOrFiles(.terms),
        mayBeginWithDash: true
      ),
      check: { (options, line) throws(UsageMistake) in try options.check(line) },
      changes: { _, _ in false },
      run: { options, context in ShowCommand(options: options, context: context).run() }
    )
  }

  private func run() -> ExitStatus {
    do throws(Explanation) {
      switch options.format(json: context.globals.json) {
      case .text: try showText(try messages())
      case .raw: try showRaw(try messages())
      case .eml: return try shownExport([try one()]).write(as: .eml)
      case .mbox: return try shownExport(try messages()).write(as: .mbox)
      case .html:
        let status = try shownExport(try messages()).write(as: .html)
        if status != .success { return status }
      case .json, .sexp: try showJSON()
      }
      return protection.hasFailed ? .partial : .success
    } catch {
      return context.report(error)
    }
  }

  /// The operands as one text: a query.
  var target: String { context.operands.joined(separator: " ") }

  // MARK: How to show it

  /// The one message that is meant.
  private func one() throws(Explanation) -> ShownMessage {
    let messages = try messages()
    guard messages.count == 1 else { throw ShowExplanation.severalFiles(messages.count) }
    return messages[0]
  }

  private func shownExport(_ messages: [ShownMessage]) throws(Explanation) -> ShownExport {
    let isArchived = messages.contains { $0.found != nil && $0.path == nil }
    return ShownExport(
      context,
      messages,
      isArchived ? try set() : SearchSet([]),
      roots: options.maildir.map { Path(argument: $0) },
      to: options.output.map { Path(argument: $0) },
      MessagePage(
        protection,
        senders,
        bounces,
        prefersHTML: options.html,
        showsAllHeaders: options.headers
      )
    )
  }

  private func showRaw(_ messages: [ShownMessage]) throws(Explanation) {
    if let number = options.part {
      try show(number, of: messages) { message in
        Section(Array(number.utf8)).flatMap { message.part($0) }
      }
    } else if let number = options.nthPart, number > 0 {
      try show("\(number)", of: messages) { $0.parts.dropFirst(number - 1).first }
    } else {
      for message in messages { console.print(content: message.message.octets) }
    }
  }

  private func show(
    _ number: String,
    of messages: [ShownMessage],
    _ find: (Message) -> Part?
  ) throws(Explanation) {
    guard messages.count == 1 else { throw ShowExplanation.ambiguous(messages.count) }
    let reading =
      options.decrypt?.isWanted == true
      ? try protection.read(messages[0].message) : .unread(messages[0].message)
    for line in protection.hasFailed ? ProtectionLines(reading).all : [] {
      console.writeNote("\(context.name): \(line)")
    }
    guard let part = find(reading.message) else { throw ShowExplanation.noPart(number) }
    guard !reading.isHidden(part) else {
      throw ShowExplanation.hidden(number)
    }
    // A message inside may be encoded against the standard; what it is read from is decoded.
    console.print(content: part.messageInside.map { Array($0.octets) } ?? part.decoded)
  }

  /// What a message says of an event.
  func invitation(in reading: ProtectionReading, of message: ShownMessage) -> InvitationLook? {
    InvitationLook(in: reading, tags: message.found?.tags.map(\.rawValue) ?? [], senders)
  }

  private func showText(_ messages: [ShownMessage]) throws(Explanation) {
    var text = MessageText(
      prefersHTML: options.html,
      showsAllHeaders: options.headers,
      style: TextStyle(options.colour, TerminalTraits.of(descriptor: 1))
    )
    for message in messages {
      let reading = try protection.read(message.message)
      let tags = message.found?.tags.map(\.rawValue) ?? []
      text.add(
        reading,
        tags: tags,
        sender: senders.verdict(on: message),
        unsubscribed: senders.unsubscribed(message.message.header, at: message.path),
        bounces: bounces.recipients(of: message),
        invitation: invitation(in: reading, of: message)
      )
    }
    if !options.noPager, Pager.isWanted, Pager.show(text.octets) { return }
    console.print(octets: text.octets)
  }
}
