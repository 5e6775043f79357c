internal import MailModel
package import MailStore
package import Mailboxes
internal import Platform
internal import SyncPlan
internal import SyncState

// Whole messages in place of files without attachments.
extension GroupSync {
  /// Fetches what is to be here with its attachments, and is here without.
  func complete(_ group: [OpenMailbox]) throws(SyncFailure) {
    try each(group) { mailbox, outcome throws(SyncFailure) in
      let planned = mailbox.remainingPlan.completions.map(\.step)
      guard !planned.isEmpty else { return }
      var room = DiskRoom(of: mailbox)
      let completions = try affordable(planned, mailbox, &room, &outcome)
      // Also where it breaks in the midst.
      defer { if let problem = room.problem { outcome[mailbox].fail(.mailbox(problem)) } }
      try complete(mailbox, completions, &room, &outcome)
    }
  }

  /// Those over which a connection broke come last, each alone.
  private func complete(
    _ mailbox: OpenMailbox,
    _ completions: [FileCompletion],
    _ room: inout DiskRoom,
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) {
    let attempts = context.fetches.withLock { $0 }
    let message = { FetchedMessage(mailbox: mailbox.mailbox.id, uid: $0) }
    let others = completions.filter { !attempts.isSuspect(message($0.uid)) }
    if !others.isEmpty { try bring(others, in: mailbox, &room, &outcome) }
    for suspect in completions where attempts.isSuspect(message(suspect.uid)) {
      guard !attempts.isGivenUp(message(suspect.uid)) else {
        outcome[mailbox].fail(.message(uid: suspect.uid, .breaksConnection))
        continue
      }
      try bring([suspect], in: mailbox, isAlone: true, &room, &outcome)
      context.fetches.withLock { $0.noteAnswers(to: [message(suspect.uid)]) }
    }
  }

  private func bring(
    _ completions: [FileCompletion],
    in mailbox: OpenMailbox,
    isAlone: Bool = false,
    _ room: inout DiskRoom,
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) {
    let context = context
    let sink = CompletionDownload(mailbox, completions, report: { context.report($0) })
    let messages = completions.compactMap { mailbox.state.messages[$0.uid] }.map { record in
      RemoteMessage(uid: record.uid, flags: record.flags, size: record.size, date: record.date)
    }
    let queue = RoomyQueue(messages, room)
    defer {
      outcome[mailbox].counts.completed += sink.completed
      outcome[mailbox].counts.octets += sink.octets
      outcome[mailbox].changes += sink.changes
      if !sink.isComplete { outcome[mailbox].isComplete = false }
      for failure in sink.failures { outcome[mailbox].fail(failure) }
      for message in messages { context.mailboxes.meter?.finishRequest(message.size) }
      context.mailboxes.meter?.addOctets(sink.octets)
      room = queue.room
    }
    let order = FetchOrder(queue.next(), in: mailbox.reference, into: sink) { queue.next() }
    do throws(SyncFailure) {
      for result in try store.fetch([order]) {
        switch result {
        case .done(let isComplete): if !isComplete { outcome[mailbox].isComplete = false }
        case .failed(let failure): throw failure
        }
      }
    } catch {
      if error.isBreak, let uid = sink.brokenOver {
        let message = FetchedMessage(mailbox: mailbox.mailbox.id, uid: uid)
        context.noteBreak(over: message, isAlone: isAlone, behind: sink.completed)
      }
      throw error
    }
  }

  /// Those of the completions that fit into the day and on the disk, and says how much they are.
  private func affordable(
    _ completions: [FileCompletion],
    _ mailbox: OpenMailbox,
    _ room: inout DiskRoom,
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) -> [FileCompletion] {
    var wanted: [FileCompletion] = []
    var total: UInt64 = 0
    var left = LeftMessages()
    for completion in completions {
      guard let record = mailbox.state.messages[completion.uid] else { continue }
      guard try CompletionDownload.isPossible(completion, in: mailbox) else {
        outcome[mailbox].fail(.message(uid: completion.uid, .changedHere))
        continue
      }
      let size = record.size ?? 0
      guard room.takes(size, besides: total) else { continue }
      guard context.mailboxes.meter?.ask(record.size) ?? true else {
        left.add(
          RemoteMessage(uid: record.uid, flags: record.flags, size: record.size, date: nil)
        )
        continue
      }
      total += size
      wanted.append(completion)
    }
    outcome[mailbox].leave(left)
    if !wanted.isEmpty { announce(wanted.count, total, mailbox) }
    return wanted
  }

  private func announce(_ messages: Int, _ octets: UInt64, _ mailbox: OpenMailbox) {
    context.report(.expected(messages: messages, octets: octets))
    context.report(
      .completing(mailbox: mailbox.mailbox.path.display, messages: messages, octets: octets)
    )
  }
}

/// Messages that are asked for a few at a time, as long as there is room for them: other connections and programs fill the same
/// disk meanwhile.
private final class RoomyQueue {
  /// Octets that are asked for at once.
  private static let batch: UInt64 = 4 << 20

  private var waiting: ArraySlice<RemoteMessage>
  private(set) var room: DiskRoom

  init(_ messages: [RemoteMessage], _ room: DiskRoom) {
    waiting = messages[...]
    self.room = room
  }

  /// The next ones; none at the end.
  func next() -> [RemoteMessage] {
    var batch: [RemoteMessage] = []
    var octets: UInt64 = 0
    while let message = waiting.first, batch.isEmpty || octets < Self.batch {
      waiting.removeFirst()
      let size = message.size ?? 0
      guard room.takes(size, besides: octets) else { continue }
      batch.append(message)
      octets += size
    }
    return batch
  }
}

/// Whether there is room on the disk for what is fetched into the files of a mailbox, and what had to be left out.
package struct DiskRoom: Sendable {
  /// Octets that stay free whatever is fetched, so that new mail, records and other programs have room.
  private static let reserve: UInt64 = 64_000_000

  private let directory: Path
  private var messages: UInt64 = 0
  private var octets: UInt64 = 0
  private var free: UInt64 = 0

  /// The room of a mailbox, of which nothing was asked.
  package init(of mailbox: OpenMailbox) {
    directory = mailbox.directory
  }

  /// Whether a message of so many octets fits now, besides what is on its way; one that does not is counted.
  ///
  /// Where the file system does not tell, it fits: a write that fails loses nothing.
  package mutating func takes(_ size: UInt64, besides expected: UInt64) -> Bool {
    guard let free = try? FileSystem.freeOctets(at: directory) else { return true }
    let (needed, isHuge) = (expected + Self.reserve).addingReportingOverflow(size)
    guard isHuge || needed > free else { return true }
    messages += 1
    octets += min(size, 1 << 40)
    self.free = free
    return false
  }

  /// What had to be left out; nil where nothing was.
  package var problem: MailboxProblem? {
    messages == 0 ? nil : .noRoom(messages: messages, octets: octets, free: free)
  }
}
