internal import MailModel
internal import CommandLine
internal import Configuration
internal import MIME
internal import Octets
internal import Outgoing
internal import Platform
internal import SMTP
internal import Sendmail
internal import Spool
internal import SpoolPlan
internal import Submission
internal import SyncState
internal import Terminal

/// One message: from the caller into the spool, and on at once if that can be.
struct SendTask {
  /// Seconds to wait for the IMAP server that keeps the copy, while a caller waits for us.
  static let connectLimit = 10.0

  let request: SendmailRequest
  let context: CommandContext

  var console: Console { context.console }

  init(_ request: SendmailRequest, _ context: CommandContext) {
    self.request = request
    self.context = context
  }

  func run() throws(Explanation) -> ExitStatus {
    let configuration = try ConfigurationSource(request).load()
    let letter = try read(configuration)
    let sender = try choose(letter, configuration)
    guard let prepared = try prepare(letter, sender, configuration) else { return .success }
    if request.mode == .verify || request.isDryRun { return show(prepared, sender) }
    let outbox = Outbox(root: SendEnvironment.spools(configuration), user: SendEnvironment.user)
    try checkProgram(sender, configuration)
    try checkPassword(sender, configuration, outbox)
    let schedule = try request.moment.map { (text) throws(Explanation) in try ScheduledTime(text) }
    try schedule?.check(outbox.spool(of: sender.name))
    let entry = try enqueue(prepared, sender, configuration, outbox, schedule)
    guard request.delivery != .queued else { return .success }
    if let schedule {
      guard schedule.isNear else { return .success }
      switch schedule.wait(for: entry.id, of: sender.name, in: outbox) {
      case .due: break
      case .interrupted:
        if !request.isQuiet {
          say(
            sender,
            "queued: interrupted before its time",
            hint: "at that time magnum-sync sends it, or: magnum queue flush \(sender.name)"
          )
        }
        return .success
      case .gone: return end(entry, sender, outbox)
      }
    }
    return try attempt(entry, sender, configuration, outbox)
  }

  private func read(_ configuration: Configuration) throws(Explanation) -> Letter {
    let message: any OctetSource
    do throws(MessageInput.Failure) {
      // There is no message where only the recipients are to be looked at.
      message =
        request.mode == .verify
        ? [UInt8]()
        : try MessageInput.standard(
          ignoringDots: request.ignoresDots,
          limit: configuration.messageSizeLimit.octets
        )
    } catch {
      throw SendExplanation.of(error, configuration)
    }
    do {
      return try Letter(message)
    } catch {
      throw error.explanation
    }
  }

  private func choose(
    _ letter: Letter,
    _ configuration: Configuration
  ) throws(Explanation) -> Sender {
    let choice = AccountChoice(configuration, user: SendEnvironment.user)
    if let sender = try choice.sender(namedBy: request) { return sender }
    var addresses: [[UInt8]] = []
    if case .address(let octets) = request.sender { addresses.append(octets) }
    if let address = letter.senderAddress { addresses.append(address.octets) }
    return try choice.sender(for: addresses)
  }

  private func prepare(
    _ letter: Letter,
    _ sender: Sender,
    _ configuration: Configuration
  ) throws(Explanation) -> PreparedLetter? {
    let correspondent = Correspondent(sender, configuration, user: SendEnvironment.user)
    let book = try correspondent.book()
    do throws(LetterError) {
      return try letter.prepared(for: request, correspondent.identity, book)
    } catch {
      // The aliases ask for that.
      if case .discarded = error { return nil }
      throw error.explanation
    }
  }

  private func show(_ letter: PreparedLetter, _ sender: Sender) -> ExitStatus {
    let from = letter.envelope.reversePath.map { Printable.text($0.octets) } ?? ""
    console.print("account \(Printable.text(sender.name.utf8)) through \(sender.server)")
    console.print("from <\(from)>")
    for recipient in letter.envelope.recipients {
      let original = recipient.original.map { " (\(Printable.text($0.octets)))" } ?? ""
      console.print("to <\(Printable.text(recipient.address.octets))>\(original)")
    }
    return .success
  }

  /// What would never be sent is not queued.
  private func checkProgram(
    _ sender: Sender,
    _ configuration: Configuration
  ) throws(Explanation) {
    guard configuration.isSystem, SendEnvironment.user == 0, case .program = sender.server else {
      return
    }
    var explanation = SubmissionFailure.program(.isRoots).explanation
    explanation.place = sender.name
    throw explanation
  }

  /// What the user cannot send must lie where root can: it would never be sent from the home.
  private func checkPassword(
    _ sender: Sender,
    _ configuration: Configuration,
    _ outbox: Outbox
  ) throws(Explanation) {
    guard configuration.isSystem, outbox.root.parent != SpoolPlace.system,
      case .passwordFile(let file, _) = sender.secret
    else { return }
    do throws(SystemError) {
      _ = try Descriptor.open(file, .read)
    } catch {
      guard error.isForbidden else { return }
      throw Explanation(
        .configuration,
        place: sender.name,
        "this user may not read the password, and root would not find the mail: not queued",
        hint:
          "as root: mkdir -m 1777 \(SpoolPlace.system.display), and start magnum-queue-system.timer"
      )
    }
  }

  private func enqueue(
    _ letter: PreparedLetter,
    _ sender: Sender,
    _ configuration: Configuration,
    _ outbox: Outbox,
    _ schedule: ScheduledTime?
  ) throws(Explanation) -> Entry {
    let sending = Sending(
      letter.envelope,
      messageID: letter.messageID,
      copy: SendEnvironment.keepsCopy(sender, configuration) ? SentCopy() : nil,
      blindCopies: letter.blindCopies,
      label: request.label,
      notBefore: schedule?.moment
    )
    // What cannot be read fails below.
    let finding = try? PartialFiles(configuration.accounts).finding(letter.message)
    guard finding ?? .whole == .whole else {
      throw Explanation(
        .data,
        "attachments of the message are only on the IMAP server that it is from: not queued",
        hint: "magnum attachments fetch MESSAGE makes the message whole where it is mirrored"
      )
    }
    // No half of a large message is left.
    Interruption.shared.watchSignals(withRareOnes: true)
    let spool = outbox.spool(of: sender.name)
    do throws(SpoolError) {
      try spool.prepare(user: SendEnvironment.user)
      let entry = try ProcessEnd.postponed { () throws(SpoolError) in
        let entry = try spool.enqueue(
          .send(sending),
          message: letter.message,
          interruption: .shared
        )
        // A caller that sees a signal as the end hands the message in again, and it is in the queue already.
        Interruption.shared.setEndStatus(ExitStatus.success.rawValue)
        return entry
      }
      guard let entry else { Interruption.shared.endProcess() }
      return entry
    } catch {
      throw SendExplanation.notQueued(error)
    }
  }
}
