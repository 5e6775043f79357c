internal import ArgumentParser
internal import Glibc
internal import Octets
internal import Platform
internal import SMTP
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// `magnum queue edit`.
struct QueueEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change the recipients or the message of an entry, and put it back into the queue.",
    discussion:
      "The message comes from standard input with --message -, or from a file. Without --to and "
      + "--message an editor shows it: $VISUAL, $EDITOR, or vi."
  )

  @OptionGroup var global: ConfigurationOption

  @Option(
    name: .long,
    parsing: .singleValue,
    help: ArgumentHelp("Send to this address in place of those left.", valueName: "address")
  )
  var to: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp("Take the message from this file.", valueName: "file"),
    completion: .file()
  )
  var message: String?

  @Argument(help: ArgumentHelp("The entry.", valueName: "entry"))
  var entry: String

  func validate() throws {
    for address in to where (try? Address(Array(address.utf8))) == nil {
      throw ValidationError("\"\(address)\" is no address")
    }
  }

  func run() throws {
    let recipients = to.compactMap { try? Recipient(Address(Array($0.utf8))) }
    try QueueDesk().run(config: global.path) { (desk) throws(SpoolError) in
      guard let item = try desk.item(entry) else { return .partial }
      if let action = item.content?.entry.action, !action.hasMessage {
        desk.complain("\(item.id)", "it has no message to edit")
        return .partial
      }
      if to.isEmpty, message == nil { return try editInPlace(item, desk) }
      var octets: [UInt8]?
      if let message {
        octets = try read(message)
        guard fits(octets ?? [], desk) else { return .partial }
      }
      let new = try desk.outbox.edit(item) { sending, message in
        (sending.replacing(recipients), octets ?? message)
      }
      if let new { desk.console.print("\(new.id)") }
      return .success
    }
  }

  /// Shows the message in an editor; the queue goes on meanwhile, and what it has sent stays sent.
  private func editInPlace(_ item: QueuedItem, _ desk: QueueDesk) throws(SpoolError) -> ExitStatus {
    guard let old = try item.spool.load(item.id, in: item.state)?.message else {
      throw .noEntry(item.id)
    }
    guard let new = try MessageEditor().edit(old) else {
      desk.complain(nil, "the editor failed; nothing is changed")
      return .partial
    }
    guard new != old, !new.isEmpty else {
      desk.complain(nil, "nothing is changed")
      return .success
    }
    guard fits(new, desk) else { return .partial }
    let entry = try desk.outbox.edit(item) { sending, _ in (sending, new) }
    if let entry { desk.console.print("\(entry.id)") }
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
  private func fits(_ message: [UInt8], _ desk: QueueDesk) -> Bool {
    do throws(MessageError) {
      let facts = try MessageScanner.scan(message)
      guard let line = facts.firstOverlongLine else { return true }
      desk.complain(nil, "line \(line) of the message is longer than 998 octets")
    } catch {
      desk.complain(nil, "the message cannot be sent: \(error)")
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
