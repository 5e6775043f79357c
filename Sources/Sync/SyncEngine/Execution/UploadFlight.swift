internal import MailStore
internal import Mailboxes
internal import MessageContent
internal import Platform
internal import SyncPlan
internal import SyncState

/// Sends new files of several mailboxes at once.
///
/// The intents of all of them are on record before the first file is sent.
struct UploadFlight {
  /// The files of one mailbox.
  struct Lot {
    let mailbox: OpenMailbox
    /// The files, each with the number of its intent once that is on record.
    fileprivate(set) var uploads: [Upload]
    /// What is asked behind them.
    fileprivate let late: LateQuestions

    /// `isAll` says that these are all that are for the mailbox.
    init(_ mailbox: OpenMailbox, _ uploads: [Upload], isAll: Bool) {
      self.mailbox = mailbox
      self.uploads = uploads
      var late = LateQuestions(about: isAll ? [mailbox] : [], behind: uploads.count)
      late.arrivals = (mailbox.reference, mailbox.uidNext)
      self.late = late
    }

    fileprivate var order: AppendOrder {
      AppendOrder(uploads, to: mailbox.mailbox.name, asking: late)
    }

    var octets: UInt64 { uploads.reduce(0) { $0 + $1.content.wireSize } }
  }

  /// What was sent, and what came of it.
  typealias Sent = [(lot: Lot, outcome: AppendAnswer)]

  private let context: AccountContext
  private let store: any MailStore

  init(_ context: AccountContext, _ store: any MailStore) {
    self.context = context
    self.store = store
  }

  /// Sends the files; gives what came of them, and the mailboxes of which it could not be recorded that they are under way.
  ///
  /// - Throws: `SyncFailure` of the connection, or why a file cannot be read, behind which there is none.
  func send(_ lots: [Lot]) throws(SyncFailure) -> (sent: Sent, failures: [MailboxFailure]) {
    if context.interruption.isRequested { throw .interrupted }
    var lots = lots
    for index in lots.indices { lots[index].number() }
    let failures = OpenMailbox.record(lots.map { ($0.mailbox, $0.intents()) })
    lots.removeAll { lot in failures.contains { $0.mailbox === lot.mailbox } }
    guard !lots.isEmpty else { return ([], failures) }
    return (Array(zip(lots, try append(lots))), failures)
  }

  private func append(_ lots: [Lot]) throws(SyncFailure) -> [AppendAnswer] {
    let files = lots.flatMap(\.files)
    do throws(SyncFailure) {
      let outcomes = try store.append(lots.map(\.order))
      let settled = zip(files, outcomes.flatMap(\.results)).filter { !$0.1.isTaken }.map(\.0)
      context.uploads.noteAnswers(to: files, settled: settled)
      return outcomes
    } catch {
      if error.isBreak {
        let sizes = zip(files, lots.flatMap(\.uploads)).map {
          ($0, UInt64($1.content.version.size))
        }
        context.uploads.noteBreak(over: sizes, isFinal: error.isProtocolViolation)
      }
      throw error
    }
  }
}

extension UploadFlight.Lot {
  /// The files as those are named over which a connection may break.
  fileprivate var files: [UploadedFile] {
    uploads.map { UploadedFile(directory: mailbox.mailbox.directory, name: $0.name) }
  }

  /// Gives each file the number that its intent gets.
  fileprivate mutating func number() {
    let first = mailbox.state.nextIntent
    for index in uploads.indices { uploads[index].number = first + UInt64(index) }
  }

  /// What is recorded before they are sent.
  fileprivate func intents() -> [StateRecord] {
    let missing = mailbox.takeMissingUploads(of: uploads.map(\.name))
    let uidNext = mailbox.uidNext
    return missing.map { .resolved(number: $0) }
      + uploads.map { .intent(number: $0.number, .append($0.intent(uidNext: uidNext))) }
  }
}
