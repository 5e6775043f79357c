package import Configuration
internal import Login
package import Platform
package import Spool
internal import SpoolPlan

/// The spools of all accounts of a user.
package struct Outbox: Sendable {
  /// The directory with a spool for each account.
  package let root: Path

  /// The user that must own everything in it.
  package let user: UInt32

  /// The longest entry that is read, in octets.
  private let entryLimit: Int

  package init(root: Path, user: UInt32, entryLimit: Int = Spool.ownEntryLimit) {
    self.root = root
    self.user = user
    self.entryLimit = entryLimit
  }

  /// The queues of all users in the system's place, as root sees them; none that another user made in a user's name.
  package static var shared: [Outbox] {
    let configuration = try? Configuration.load(explicit: ConfigurationEnvironment.systemFile)
    return allShared(configuration?.messageSizeLimit ?? .standard)
      .filter { (try? Spool.check(root: $0.root, user: $0.user)) != nil }
  }

  /// The same with those that do not belong to the user whose name they bear.
  ///
  /// What is longer than any message of the configuration is not read: users could fill root's memory with it.
  package static func allShared(_ limit: SizeLimit) -> [Outbox] {
    SpoolPlace.sharedRoots().map {
      Outbox(root: $0.root, user: $0.user, entryLimit: limit.ofEntries)
    }
  }

  /// Does something with the user's rights, as root has to with the spools of others.
  package func asUser<Result>(
    _ body: () throws(SpoolError) -> Result
  ) throws(SpoolError) -> Result {
    try UserIdentity.assume(user, mapping: { SpoolError.system($0) }, body)
  }

  /// The spool of an account; it may not be there.
  package func spool(of account: String) -> Spool {
    Spool(root: root, account: account, entryLimit: entryLimit)
  }

  /// The spools that are there, of accounts that may no longer be in the configuration.
  package func spools() throws(SpoolError) -> [Spool] {
    var names: [String] = []
    do throws(SystemError) {
      try FileSystem.entries(of: root) { name, kind in
        guard kind == .directory, name.first != UInt8(ascii: ".") else { return }
        if let text = String(validating: name, as: UTF8.self) { names.append(text) }
      }
    } catch {
      guard error.isNotFound else { throw .system(error) }
    }
    return names.sorted().map { spool(of: $0) }
  }

  /// Whether something in the queue of an account is to be sent, as far as it can be read.
  package func hasMail(of account: String) -> Bool {
    let spool = spool(of: account)
    return ((try? spool.entries(.queue)) ?? []).contains { id in
      let action = ((try? spool.beginning(of: id, in: .queue)) ?? nil)?.entry.action
      if case .send? = action { return true }
      return false
    }
  }

  /// Works on the queue of an account.
  ///
  /// - Parameters:
  ///   - account: the account.
  ///   - sender: the same as one that sends; nil where it cannot, so that only its mailboxes are worked on.
  ///   - isShared: whether all users of the machine share the account: what it starts runs as the owner of the queue.
  ///   - options: how it is worked on.
  ///   - stepLimit: the most seconds to wait for replies that decide nothing; `nil`: what the RFC says.
  ///   - budget: how long to wait besides for a slow server in all; `nil`: without end.
  ///   - isTracing: whether the conversation with the server is to be reported.
  ///   - performer: does the work on the IMAP server; without one that is left for later.
  ///   - interruption: ends the run between two messages.
  ///   - report: is told what happens.
  /// - Returns: how the queue stands then.
  /// - Throws: `SpoolError` when the spool cannot be worked on.
  package func flush(
    _ account: String,
    by sender: Sender?,
    isShared: Bool = false,
    options: QueueOptions = QueueOptions(),
    stepLimit: Int? = nil,
    budget: WaitBudget? = nil,
    isTracing: Bool = false,
    performer: (any StepPerformer)? = nil,
    interruption: Interruption,
    report: @escaping @Sendable (QueueEvent) -> Void
  ) throws(SpoolError) -> QueueReport {
    let spool = spool(of: account)
    try spool.prepare(user: user)
    var trace: (@Sendable (String) -> Void)?
    if isTracing { trace = { report(.trace($0)) } }
    let submitter = sender.map { sender in
      Submitter(
        sender,
        SubmissionDialer(
          sender,
          secrets: SecretKeeper(sender.secret, interruption: interruption),
          interruption: interruption,
          stepLimit: stepLimit,
          budget: budget,
          trace: trace
        ),
        user: isShared ? user : nil
      )
    }
    var options = options
    if let sender { options.schedule.apply(sender.retry) }
    return try QueueRun(
      spool,
      submitter,
      options: options,
      performer: performer,
      interruption: interruption,
      report: report
    ).processQueue()
  }
}
