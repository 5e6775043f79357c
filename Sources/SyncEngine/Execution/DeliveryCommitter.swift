internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncEvents
internal import SyncPlan
internal import SyncState

/// Puts messages that are fetched into files: streams them to tmp, and commits them batch by batch.
final class DeliveryCommitter: MessageSink {
  /// What was fetched.
  struct Result {
    var messages = 0
    /// Those of them that are new to the user.
    var new = 0
    var arrivals = Arrivals()
    var octets: UInt64 = 0
    var failed = 0
  }

  private let context: AccountContext
  private let mailbox: MirroredMailbox
  private let journal: Journal
  private let directory: Path

  private(set) var result = Result()
  private var batch = DownloadBatch()
  private var delivery: MaildirDelivery?
  private var content = ContentBox()
  private var delivered: (file: DeliveredMessage, identity: ContentIdentity)?
  private var deliveries = 0

  /// A committer of messages of a mailbox, in whose journal they are recorded.
  init(_ context: AccountContext, _ mailbox: MirroredMailbox, _ journal: Journal) {
    self.context = context
    self.mailbox = mailbox
    self.journal = journal
    directory = context.path(of: mailbox)
  }

  /// Makes the last of them durable and records them; also where the server broke off.
  ///
  /// Nothing is left in tmp of a message that did not come to its end, be it only the last parenthesis.
  func finish() throws(SyncFailure) {
    delivery = nil
    if let body = delivered.take() { try? remove(body.file) }
    try commit()
  }

  // MARK: Messages

  func begin() {
    deliveries += 1
    let key = MessageKey(
      validity: journal.state.header.validity,
      uid: UInt32(truncatingIfNeeded: deliveries),
      mailbox: mailbox.id
    )
    content = ContentBox()
    let content = content
    delivery = MaildirDelivery(
      to: directory,
      temporaryName: Array("fetch.".utf8) + key.text,
      observer: { content.take($0) }
    )
  }

  func take(_ octets: ArraySlice<UInt8>) throws(SyncFailure) {
    do throws(SystemError) {
      try delivery?.write(octets)
    } catch {
      throw .system(error)
    }
  }

  func end() throws(SyncFailure) {
    guard let ended = delivery.take() else { return }
    do throws(SystemError) {
      delivered = (try ended.finish(), content.finish())
    } catch {
      throw .system(error)
    }
  }

  func deliver(_ message: RemoteMessage) throws(SyncFailure) {
    guard let body = delivered.take() else { return }
    guard !body.file.containsNUL else {
      try remove(body.file)
      return fail(message.uid, .containsNUL)
    }
    try setArrival(body.file, message.date)
    batch.add(DownloadBatch.Item(message: message, file: body.file, identity: body.identity))
    if batch.isFull { try commit() }
  }

  func conclude() throws(SyncFailure) { try finish() }

  func discard() throws(SyncFailure) {
    if let body = delivered.take() { try remove(body.file) }
  }

  func fail(_ uid: UInt32, _ problem: MessageProblem) {
    result.failed += 1
    context.report(.problem(mailbox: mailbox.path.display, .message(uid: uid, problem)))
  }

  /// Other programs take a file's time for the message's arrival.
  private func setArrival(_ file: DeliveredMessage, _ date: Int64?) throws(SyncFailure) {
    guard let date else { return }
    try attempt { () throws(SystemError) in try FileSystem.setTimes(file.temporaryPath, date) }
  }

  private func remove(_ file: DeliveredMessage) throws(SyncFailure) {
    try attempt { () throws(SystemError) in try FileSystem.remove(file.temporaryPath) }
  }

  // MARK: Batches

  private func commit() throws(SyncFailure) {
    guard !batch.isEmpty else { return }
    let full = batch
    batch = DownloadBatch()
    let journal = journal
    let isDrafts = mailbox.role == .drafts
    let outcome = try attempt { () throws(SystemError) in
      let outcome = try full.commit(journal.state, isDrafts: isDrafts)
      try journal.record(outcome.records)
      return outcome
    }
    let new = mailbox.isForArrivals ? outcome.unseen.count : 0
    noteArrivals(outcome)
    result.messages += outcome.messages
    result.new += new
    result.octets += outcome.octets
    for (uid, path) in outcome.taken { fail(uid, .nameTaken(path)) }
    let folder = mailbox.directory
    context.report(.changed(outcome.files.map { .added(folder: folder, $0) }))
    context.report(
      .fetched(
        mailbox: mailbox.path.display,
        messages: outcome.messages,
        new: new,
        octets: outcome.octets
      )
    )
  }

  private func noteArrivals(_ outcome: DownloadBatch.Outcome) {
    guard mailbox.isForArrivals, wasSynced else { return }
    let arrivals = outcome.unseen.map {
      Arrivals.Message(mailbox: mailbox.path.display, maildir: directory, file: $0)
    }
    result.arrivals.add(arrivals)
  }

  /// Whether a run came to its end in the mailbox before: only then is a message there that came since.
  ///
  /// Where the server tells no UIDNEXT, the run before has to have left nothing undone.
  private var wasSynced: Bool {
    let header = journal.state.header
    if header.uidNext > 0 { return true }
    guard let entry = mailbox.entry else { return false }
    return entry.isComplete && entry.header.validity == header.validity
  }
}

/// Holds the content reader of the message that is being delivered, shared with the delivery's observer.
private final class ContentBox {
  private var reader: ContentReader? = ContentReader()

  /// Takes the next octets of the message.
  func take(_ octets: UnsafeRawBufferPointer) {
    reader?.take(octets)
  }

  /// The identity of what was taken; empty when asked twice.
  func finish() -> ContentIdentity {
    reader.take()?.finish() ?? ContentIdentity(messageID: 0, bodyHigh: 0, bodyLow: 0, header: 0)
  }
}
