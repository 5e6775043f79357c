internal import CommandLine
internal import Glibc
internal import Octets
internal import Platform
internal import SMTP
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// `magnum queue edit`.
struct QueueEdit {
  /// What its options ask for.
  struct Options {
    var to: [String] = []
    var message: String?

    func check() throws(UsageMistake) {
      for address in to where (try? Address(Array(address.utf8))) == nil {
        throw UsageMistake("\"\(address)\" is no address")
      }
    }
  }

  private let options: Options
  private let queue: QueueContext

  static var command: CommandDefinition {
    CommandDefinition(
      "edit",
      abstract: "Change the recipients or the message of an entry, and put it back into the queue.",
      discussion:
        "The message comes from standard input with --message -, or from a file. Without --to and "
        + "--message an editor shows it: $VISUAL, $EDITOR, or vi.",
      initial: Options(),
      globals: [.config, .account, .quiet],
      options: [
        .texts(
          "--to",
          value: "address",
          addsTo: \.to,
          help: "Send to this address in place of those left."
        ),
        .text(
          "--message",
          value: "file",
          completion: .files,
          sets: \.message,
          help: "Take the message from this file."
        ),
      ],
      operands: .one("entry"),
      check: { (options, _) throws(UsageMistake) in try options.check() },
      run: { options, command in
        QueueContext.run(command) { (queue) throws(SpoolError) in
          try QueueEdit(options: options, queue: queue).run()
        }
      }
    )
  }

  private func run() throws(SpoolError) -> ExitStatus {
    let recipients = options.to.compactMap { try? Recipient(Address(Array($0.utf8))) }
    return try queue.with(queue.command.operands.first ?? "") { (outbox, item) throws(SpoolError) in
      if let action = item.content?.entry.action, !action.hasMessage {
        queue.command.report(place: "\(item.id)", "it has no message to edit")
        return .partial
      }
      if options.to.isEmpty, options.message == nil { return try editInPlace(item, outbox) }
      var octets: [UInt8]?
      if let message = options.message {
        octets = try read(message)
        guard fits(octets ?? []) else { return .partial }
      }
      let new = try outbox.edit(item) { sending, message in
        (sending.replacing(recipients), octets ?? message)
      }
      show(new)
      return .success
    }
  }

  private func show(_ entry: Entry?) {
    if let entry, !queue.command.globals.quiet { queue.console.print("\(entry.id)") }
  }

  /// Shows the message in an editor; the queue goes on meanwhile, and what it has sent stays sent.
  private func editInPlace(
    _ item: QueuedItem,
    _ outbox: Outbox
  ) throws(SpoolError) -> ExitStatus {
    guard let old = try item.spool.load(item.id, in: item.state)?.message else {
      throw .noEntry(item.id)
    }
    guard let new = try MessageEditor().edit(old) else {
      queue.command.report("the editor failed; nothing is changed")
      return .partial
    }
    guard new != old, !new.isEmpty else {
      queue.command.report("nothing is changed")
      return .success
    }
    guard fits(new) else { return .partial }
    let entry = try outbox.edit(item) { sending, _ in (sending, new) }
    show(entry)
    return .success
  }

  private func read(_ file: String) throws(SpoolError) -> [UInt8] {
    let path = Path(file == "-" ? "/dev/stdin" : file)
    do throws(SystemError) {
      guard let octets = try FileSystem.readFile(path, limit: 50 << 20) else {
        throw SystemError(operation: "open", path: path, code: ENOENT)
      }
      return octets
    } catch {
      throw .system(error)
    }
  }

  /// Whether the message can be sent at all.
  private func fits(_ message: [UInt8]) -> Bool {
    do throws(MessageError) {
      let facts = try MessageScanner.scan(message)
      guard let line = facts.firstOverlongLine else { return true }
      queue.command.report("line \(line) of the message is longer than 998 octets")
    } catch {
      queue.command.report("the message cannot be sent: \(error)")
    }
    return false
  }
}

extension Sending {
  /// The same to other recipients, if there are any.
  fileprivate func replacing(_ recipients: [Recipient]) -> Sending {
    var envelope = envelope
    if !recipients.isEmpty { envelope.recipients = recipients }
    return Sending(
      envelope,
      messageID: messageID,
      copy: copy,
      blindCopies: blindCopies,
      label: label
    )
  }
}
