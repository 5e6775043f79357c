internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Puts messages that are fetched into files: streams them to tmp, and commits them batch by batch.
final class DeliveryCommitter {
  private let target: DownloadTarget
  private let header: MailboxHeader

  private(set) var result = DownloadResult()
  private var batch = DownloadBatch()
  private var incoming: IncomingMessage

  /// A committer of messages of a mailbox; each of several has a number below 64.
  init(_ target: DownloadTarget, number: Int) {
    self.target = target
    header = target.journal.read { $0.header }
    incoming = IncomingMessage(to: target.directory, header, number: number)
  }

  /// Makes the last of them durable and records them; also where the server broke off.
  ///
  /// Nothing is left in tmp of a message that did not come to its end, be it only the last parenthesis.
  func finish() throws(SyncFailure) {
    incoming.abandon()
    try commit()
  }

  // MARK: Messages

  func begin() { incoming.begin() }

  func receiveOctets(_ octets: ArraySlice<UInt8>) throws(SyncFailure) {
    try incoming.receiveOctets(octets)
  }

  func end() throws(SyncFailure) { try incoming.end() }

  func deliver(
    _ message: RemoteMessage,
    _ completeness: Completeness = .whole
  ) throws(SyncFailure) {
    guard let body = incoming.takeBody() else { return }
    guard !body.file.containsNUL else {
      try remove(body.file)
      return fail(message.uid, .containsNUL)
    }
    let came = UInt64(body.file.wireSize)
    if completeness == .whole, let told = message.size, message.isCut(at: came) {
      // All that the server gives, so it is kept.
      report(message.uid, .cutShort(told: told, came: came))
    }
    try setArrival(body.file, message.date)
    batch.add(
      DownloadBatch.Item(
        message: message,
        file: body.file,
        identity: body.identity,
        completeness: completeness
      )
    )
    if batch.isFull { try commit() }
  }

  /// Octets on the wire of the message that is complete; 0 where none is.
  var octets: UInt64 { incoming.octets }

  func discard() throws(SyncFailure) {
    if let body = incoming.takeBody() { try remove(body.file) }
  }

  func fail(_ uid: UInt32, _ problem: MessageProblem) {
    result.failed += 1
    report(uid, problem)
  }

  private func report(_ uid: UInt32, _ problem: MessageProblem) {
    target.report(.problem(mailbox: target.mailbox.path.display, .message(uid: uid, problem)))
  }

  /// Other programs take a file's time for the message's arrival.
  private func setArrival(_ file: DeliveredMessage, _ date: Int64?) throws(SyncFailure) {
    guard let date else { return }
    try attempt(FileSystem.setTimes(file.temporaryPath, date))
  }

  private func remove(_ file: DeliveredMessage) throws(SyncFailure) {
    try attempt(FileSystem.remove(file.temporaryPath))
  }

  // MARK: Batches

  private func commit() throws(SyncFailure) {
    guard !batch.isEmpty else { return }
    let full = batch
    batch = DownloadBatch()
    let (mailbox, journal, meter) = (target.mailbox, target.journal, target.allowance?.meter)
    Memory.makeRoom(forMessages: journal.read { $0.messages.count })
    let outcome = try attempt { () throws(SystemError) in
      // First: what came counts, whatever becomes of it.
      try meter?.save()
      let outcome = try full.commit(journal, isDrafts: mailbox.role == .drafts)
      try journal.record(outcome.records)
      return outcome
    }
    let new = mailbox.isForArrivals ? outcome.unseen.count : 0
    noteArrivals(outcome)
    result.messages += outcome.messages
    result.partial += outcome.partial
    result.new += new
    result.octets += outcome.octets
    for (uid, path) in outcome.taken { fail(uid, .nameTaken(path)) }
    let folder = mailbox.directory
    target.report(.changed(outcome.files.map { .added(folder: folder, $0) }))
    target.report(
      .fetched(
        mailbox: mailbox.path.display,
        messages: outcome.messages,
        new: new,
        octets: outcome.octets
      )
    )
  }

  private func noteArrivals(_ outcome: DownloadBatch.Outcome) {
    guard target.mailbox.isForArrivals else { return }
    let name = target.mailbox.path.display
    let arrivals = (wasSynced ? outcome.unseen : newest(of: outcome)).map {
      Arrivals.Message(mailbox: name, maildir: target.directory, file: $0)
    }
    result.arrivals.add(arrivals)
  }

  /// What came to INBOX while older messages wait for another day.
  private func newest(of outcome: DownloadBatch.Outcome) -> [ScannedFile] {
    guard let allowance = target.allowance else { return [] }
    var names: OctetSet = []
    for case .message(let record) in outcome.records where !allowance.counts(record.uid) {
      names.insert(record.name)
    }
    return outcome.unseen.filter { names.contains($0.name.base) }
  }

  /// Whether a run came to its end in the mailbox before: only then is a message there that came since.
  ///
  /// Where the server tells no UIDNEXT, the run before has to have left nothing undone.
  private var wasSynced: Bool {
    if header.uidNext != nil { return true }
    guard let entry = target.mailbox.entry else { return false }
    return entry.isComplete && entry.header.validity == header.validity
  }
}
