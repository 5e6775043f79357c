internal import MailModel
package import MailStore
package import Mailboxes
package import Maildir
internal import MessageContent
internal import Octets
internal import Platform
package import SyncPlan
internal import SyncState

/// Takes messages whose files have only parts of them, and exchanges each file for the whole message.
///
/// What the record says stays true whatever ends it: a file that is whole already, though its record says otherwise, is
/// recorded so the next time. Used by one thread.
package final class CompletionDownload: MessageSink {
  private let target: DownloadTarget
  private let mailbox: OpenMailbox
  private var wanted: [UInt32: FileCompletion] = [:]
  private var incoming: IncomingMessage
  /// Apart from those of the connections that fetch new messages.
  private static let number = 62

  /// Messages that are whole now.
  package private(set) var completed = 0
  /// Octets that came.
  package private(set) var octets: UInt64 = 0
  /// What was changed in the Maildir and is recorded.
  package private(set) var changes: [MaildirChange] = []
  /// Whether a file was not as it was seen, so that the next run looks again.
  package private(set) var isComplete = true
  /// The message that was to come next when the connection broke; nil where it did not.
  package private(set) var brokenOver: UInt32?
  /// What did not work out.
  package private(set) var failures: [SyncFailure] = []

  /// A download into the files of a mailbox.
  package init(
    _ mailbox: OpenMailbox,
    _ completions: [FileCompletion],
    report: @escaping @Sendable (SyncEvent.Kind) -> Void
  ) {
    self.mailbox = mailbox
    target = DownloadTarget(mailbox, nil, report)
    incoming = IncomingMessage(to: mailbox.directory, mailbox.state.header, number: Self.number)
    for completion in completions { wanted[completion.uid] = completion }
  }

  // MARK: Octets

  /// The octets of a message begin.
  package func begin() { incoming.begin() }

  /// Its next octets, as they came over the wire.
  package func receiveOctets(_ octets: ArraySlice<UInt8>) throws(SyncFailure) {
    try incoming.receiveOctets(octets)
  }

  /// Its octets are complete.
  package func end() throws(SyncFailure) { try incoming.end() }

  /// What is complete is no message that was asked for.
  package func discard() throws(SyncFailure) {
    guard let body = incoming.takeBody() else { return }
    try remove(body.file)
  }

  /// All that the server gives of the order has come.
  package func finishOrder() { incoming.abandon() }

  /// The server did not give a message that it lists.
  package func fail(_ uid: UInt32, _ problem: MessageProblem) {
    wanted[uid] = nil
    isComplete = false
    failures.append(.message(uid: uid, problem))
  }

  /// The connection broke when this message was to come next.
  package func noteBreak(over uid: UInt32) { brokenOver = uid }

  // MARK: Messages

  /// What is complete is this message.
  package func deliver(_ message: RemoteMessage) throws(SyncFailure) {
    guard let body = incoming.takeBody() else { return }
    octets += UInt64(body.file.wireSize)
    let isExchanged = try exchange(message, body.file, body.identity)
    wanted[message.uid] = nil
    guard isExchanged else { return try remove(body.file) }
    completed += 1
    target.report(
      .fetched(
        mailbox: mailbox.mailbox.path.display,
        messages: 1,
        new: 0,
        octets: UInt64(body.file.wireSize)
      )
    )
  }

  private func remove(_ file: DeliveredMessage) throws(SyncFailure) {
    try attempt { () throws(SystemError) in
      if try FileSystem.status(file.temporaryPath) != nil {
        try FileSystem.remove(file.temporaryPath)
      }
    }
  }

  /// Puts the whole message in the place of its file; false where it was left out, which is said.
  private func exchange(
    _ message: RemoteMessage,
    _ file: DeliveredMessage,
    _ identity: ContentIdentity
  ) throws(SyncFailure) -> Bool {
    guard let completion = wanted[message.uid], let record = mailbox.state.messages[message.uid],
      record.completeness.isPartial
    else { return false }
    guard !file.containsNUL else {
      fail(message.uid, .containsNUL)
      return false
    }
    guard identity.messageID == record.identity?.messageID, !message.size.differs(from: record.size)
    else {
      fail(message.uid, .otherMessage)
      return false
    }
    let came = UInt64(file.wireSize)
    guard !message.isCut(at: came) else {
      fail(message.uid, .cutShort(told: message.size ?? came, came: came))
      return false
    }
    guard let path = try Self.currentPath(completion.name, mailbox) else {
      isComplete = false
      return false
    }
    let outcome = try attempt(
      FileExchange(record, path).exchangeFile(file, identity, date: message.date)
    )
    switch outcome {
    case .exchanged, .wholeAlready: try recordWhole(record, identity, path)
    case .moved: isComplete = false
    case .changed: fail(message.uid, .changedHere)
    }
    return outcome == .exchanged
  }

  /// Whether the message may be fetched for the file: not where that was changed here, which would be fetched again by each
  /// run.
  package static func isPossible(
    _ completion: FileCompletion,
    in mailbox: OpenMailbox
  ) throws(SyncFailure) -> Bool {
    guard let record = mailbox.state.messages[completion.uid],
      let path = try currentPath(completion.name, mailbox)
    else { return true }
    return try attempt(FileExchange(record, path).isPossible())
  }

  private static func currentPath(
    _ name: [UInt8],
    _ mailbox: OpenMailbox
  ) throws(SyncFailure) -> Path? {
    guard let path = mailbox.path(of: name) else { return nil }
    let directory = mailbox.directory
    return try attempt(CurrentPath.find(name, in: directory, seenAt: path))
  }

  private func recordWhole(
    _ record: BaseRecord,
    _ identity: ContentIdentity,
    _ path: Path
  ) throws(SyncFailure) {
    var record = record
    record.identity = identity
    record.completeness = .whole
    try mailbox.record([.message(record)] + version(record, path))
    let isNew = path.parent == Subdirectory.new.path(in: mailbox.directory)
    let file = ScannedFile(name: FileName(path.lastComponent), subdirectory: isNew ? .new : .cur)
    let folder = mailbox.mailbox.directory
    changes += [.removed(folder: folder, file), .added(folder: folder, file)]
  }

  /// What the file looks like from now on, where it is looked at for changes as drafts are.
  private func version(_ record: BaseRecord, _ path: Path) throws(SyncFailure) -> [StateRecord] {
    guard mailbox.state.versions[record.uid] != nil else { return [] }
    let content = try attempt(MessageContents(of: path))
    guard let content else { return [] }
    let isAgreed = record.identity.map(content.holds) ?? false
    return [.version(uid: record.uid, isAgreed ? content.version : .other)]
  }
}
