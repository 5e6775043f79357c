internal import IMAP
internal import MailStore
internal import Platform
internal import SyncState
internal import Transport

/// Commands that go right behind a log-in, before its outcome is known, where the server was seen to take them.
///
/// What the completion of AUTHENTICATE decides is how the server reads on: some drop what is there already, or read it as
/// part of the exchange. So nothing is sent on an assumption, and whatever goes wrong after something was sent is held
/// against that first: the same is done once more step by step.
final class PrefetchedCommands {
  /// How far the server's behaviour is known.
  private enum Standing {
    /// Nothing may be sent.
    case forbidden
    /// It is sent to see what the server does.
    case trial
    /// The server took it before.
    case proven
  }

  /// The replies that are awaited; empty when nothing was sent.
  private(set) var tags: [CommandTag] = []

  /// The questions that were sent behind them; nil where none were.
  private(set) var questions: PipelinedQuestions?

  let commands: [Command]
  private let expected: Expected?
  private var standing = Standing.forbidden
  /// Whether the answers to the questions are all that is awaited.
  private var isAsking = false
  /// The limit that the server named for one of the questions; nil where it named none.
  private(set) var limit: SyncFailure?

  /// What follows from a failure.
  enum Consequence: Hashable {
    /// What is known now of commands behind a log-in.
    case pipelining(ServerTraits.Pipelining)
    /// That no questions are asked for a while before the list of mailboxes was read.
    case questions
  }

  /// What is likely to be asked next.
  struct Expected {
    /// Whether mailboxes are opened for changes.
    let isWriting: Bool
    /// Called when they are sent.
    let questions: () -> [MailboxQuestion]
  }

  /// Commands to be sent, none where a log-in stands alone, and questions that may follow them to a server that was seen to take
  /// them; they switch QRESYNC on then.
  init(_ commands: [Command] = [], asking expected: Expected? = nil) {
    self.commands = commands
    self.expected = expected
  }

  /// Whether anything was sent.
  var wereSent: Bool { !tags.isEmpty }

  /// Whether it was sent behind a log-in whose outcome was open.
  var wereAtRisk: Bool { wereSent && standing != .forbidden }

  /// Sends them behind a log-in, where the server was seen to take them, or was seen often enough for a trial.
  func send(on connection: Connection, _ traits: ServerTraits, _ identity: UInt64) {
    switch traits.pipelining {
    case _ where traits.identity != identity || commands.isEmpty: return
    case .fails: return
    case .untried: standing = .trial
    case .works: standing = .proven
    }
    if connection.capabilities.contains("ID") || traits.needsIdentity { connection.identify() }
    tags = commands.map { connection.send($0) }
    if case .proven = standing { ask(over: connection) }
  }

  /// Nothing is awaited before, so that nothing can fail.
  private func ask(over connection: Connection) {
    guard let expected else { return }
    let session = MailboxSession(connection, isQuickResync: true, isWriting: expected.isWriting)
    var questions = PipelinedQuestions(session)
    guard (try? questions.send(expected.questions())) != nil else { return }
    self.questions = questions
  }

  /// Watches that the server, which has let us in, dropped nothing of what was sent.
  ///
  /// Where it read the last of these commands, it read the questions behind them as well; opening a mailbox may take long.
  func doubt(on connection: Connection) {
    connection.doubt(tags)
  }

  /// Waits for the answers to the questions, once all else was answered.
  func finishQuestions() throws(SyncFailure) {
    guard questions != nil else { return }
    isAsking = true
    limit = try questions?.finishEarly()
    isAsking = false
  }

  /// Gives up the answers to the questions.
  func forgetAnswers() { questions?.forgetAnswers() }

  /// Sends them once everything is settled that decides how they are read.
  func sendSafely(on connection: Connection) {
    tags = commands.map { connection.send($0) }
  }

  /// They were sent over a connection that is given up, and may be sent anew.
  func forget() {
    tags = []
    questions = nil
    standing = .forbidden
  }

  /// Whether it may be because of them that the server refused the log-in.
  func mayHaveDisturbed(_ response: StatusResponse) -> Bool {
    switch (standing, response.kind) {
    case (.forbidden, _), (_, .ok): false
    case (_, .bad): true
    case (.trial, _): response.code != .authenticationFailed
    case (.proven, _): false
    }
  }

  /// What follows from a failure of the connection after they were sent; nil where it has nothing to do with them.
  ///
  /// What was sent last is left out first.
  func consequence(of failure: SyncFailure) -> Consequence? {
    switch (standing, failure) {
    case (.forbidden, _), (_, .interrupted): nil
    case _ where isAsking: .questions
    case (_, .notNow): questions == nil ? nil : .questions
    case (_, .protocolViolation): questions == nil ? .pipelining(.fails) : .questions
    // A proven server may be out of reach for a moment: that is tried again before it counts.
    case (.proven, .hungUp), (.proven, .transport(.closed)), (.proven, .transport(.system)):
      questions == nil ? .pipelining(.untried) : .questions
    case (.trial, .hungUp), (.trial, .transport(.closed)), (.trial, .transport(.system)),
      (.trial, .transport(.timedOut)):
      .pipelining(.fails)
    case (.trial, _), (.proven, _): nil
    }
  }
}

extension ServerMemory {
  /// Notes that the server did not take questions before the list of mailboxes was read, for this failure.
  func refuseEarlyQuestions(because failure: SyncFailure) {
    let seconds = failure.isLimit ? ServerTraits.limitLifetime : ServerTraits.breakLifetime
    updateTraits { $0.refusesEarlyQuestionsUntil = Clock.now() + seconds }
  }
}
