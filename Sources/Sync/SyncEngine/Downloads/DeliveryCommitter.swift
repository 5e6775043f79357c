internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Puts messages of a mailbox that are fetched into files: streams them to tmp, and has them committed flight by flight.
final class DeliveryCommitter {
  private let target: DownloadTarget
  private let header: MailboxHeader

  private(set) var result = DownloadResult()
  private let flight: DeliveryFlight
  private var incoming: IncomingMessage
  /// Why the last commit did not work out; nil where it did, or that was thrown.
  private var failure: SystemError?

  /// A committer of messages of a mailbox; each of several has a number below 64.
  ///
  /// What it takes is committed with all that is in the flight, which others may share.
  init(_ target: DownloadTarget, number: Int, in flight: DeliveryFlight = DeliveryFlight()) {
    self.target = target
    self.flight = flight
    header = target.journal.read { $0.header }
    incoming = IncomingMessage(to: target.directory, header, number: number)
  }

  /// Makes the last of them durable and records them; also where the server broke off.
  ///
  /// Nothing is left in tmp of a message that did not come to its end, be it only the last parenthesis.
  func finish() throws(SyncFailure) {
    incoming.abandon()
    flight.commit()
    try throwFailure()
  }

  private func throwFailure() throws(SyncFailure) {
    if let failure = failure.take() { throw .system(failure) }
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
    flight.add(
      DownloadBatch.Item(
        message: message,
        file: body.file,
        identity: body.identity,
        completeness: completeness
      ),
      of: self
    )
    try throwFailure()
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

  // MARK: Commits

  /// Where its messages are recorded.
  var journal: SharedJournal { target.journal }
  /// What counts the octets of the day; nil where nothing does.
  var meter: FetchMeter? { target.allowance?.meter }
  /// What is told of new messages before they are recorded; nil where nothing is.
  var arriving: ArrivalObserver? { target.arriving }
  /// Whether all of its messages are drafts.
  var isDrafts: Bool { target.mailbox.role == .drafts }
  /// The keyword of those unseen messages that are new to the user; nil where all are.
  var arrivalKeyword: [UInt8]? { target.mailbox.arrivalKeyword }

  /// Takes what became of messages in the flight, which are durable and recorded unless that failed.
  func recordOutcome(_ outcome: DownloadBatch.Outcome, _ failure: SystemError?) {
    guard failure == nil else { return self.failure = failure }
    let mailbox = target.mailbox
    Memory.makeRoom(forMessages: journal.read { $0.messages.count })
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

  /// Those of messages in the flight that came since the mailbox was synced first, and to where new mail lies; nil where none did.
  func newMessages(of items: [DownloadBatch.Item]) -> ArrivingMessages? {
    var new = items.map(\.message)
    if !wasSynced { new = new.filter { target.allowance?.counts($0.uid) == false } }
    if let keyword = arrivalKeyword { new = new.filter { $0.flags.keywords.contains(keyword) } }
    guard !new.isEmpty else { return nil }
    return ArrivingMessages(
      mailbox: header.id,
      validity: header.validity,
      role: target.mailbox.role,
      messages: new
    )
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
