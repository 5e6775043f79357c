internal import IMAP
internal import MailModel
internal import MailStore

/// What changed in a mailbox since a complete run, asked before it is known what is here (RFC 7162 §3.2.5); or all of a mailbox of
/// which nothing is known.
///
/// Of changes only the last few messages, and those that are new, are asked for: all below UIDNEXT are known.
struct PrefetchedQuestion {
  private enum State {
    case sent
    case answered
    /// The server refused it, or named a limit.
    case refused(SyncFailure)
  }

  private let connection: Connection
  /// Since when; nil where all is asked for.
  private let token: MailboxQuestion.Token?
  /// The commands, in the order in which they were sent.
  private let commands: (opening: CommandTag, fetch: CommandTag, octets: CommandTag?)
  private var state = State.sent
  private var replies: MailboxReplies
  /// The limit that the server named for octets alone.
  private var octetLimit: SyncFailure?
  /// Messages whose octets came with the answer.
  private(set) var messages: PrefetchedMessages

  /// Whether the server can be asked like that.
  static func canAsk(_ question: MailboxQuestion, _ session: MailboxSession) -> Bool {
    session.isQuickResync && (question.token?.modSequence != nil || question.isAboutAll)
  }

  /// Sends the question; nil where the server cannot be asked like that.
  ///
  /// With a limit so many first octets of each of the messages that are likely to be new are asked for too, but of those that came
  /// with an earlier answer.
  init?(
    _ session: MailboxSession,
    _ question: MailboxQuestion,
    octetsOfEach limit: Int?,
    holding earlier: PrefetchedMessages? = nil
  ) {
    guard Self.canAsk(question, session) else { return nil }
    connection = session.connection
    token = question.token
    var messages = PrefetchedMessages(holding: earlier)
    replies = MailboxReplies(session, question.name)
    let (opening, fetch) = Self.send(question, over: session)
    let octets = limit.flatMap { messages.command(for: question, limit: $0) }
    commands = (opening, fetch, octets.map { session.connection.send($0) })
    self.messages = messages
  }

  private static func send(
    _ question: MailboxQuestion,
    over session: MailboxSession
  ) -> (opening: CommandTag, fetch: CommandTag) {
    guard let token = question.token, let since = token.modSequence else {
      return session.sendOpening(question.name)
    }
    let next = token.uidNext ?? 1
    let checked = min(UInt32(MailboxQuestion.checkedCount), next)
    return session.sendQuickResync(
      question.name,
      token.validity,
      since: since,
      from: max(1, next - checked)
    )
  }

  /// The replies that make up the answer.
  var tags: [CommandTag] {
    [commands.opening, commands.fetch] + (commands.octets.map { [$0] } ?? [])
  }

  /// Whether there is no answer, as the server refused it.
  var isRefused: Bool {
    if case .refused = state { true } else { false }
  }

  /// The limit that the server named for a part of it; nil where it named none.
  var limit: SyncFailure? {
    if case .refused(let failure) = state, failure.isLimit { failure } else { octetLimit }
  }

  /// Waits for the answer; one that has come is not waited for again.
  ///
  /// - Throws: `SyncFailure` that ends the connection. What the server refuses is thrown where the answer is asked for, and so is
  ///   a limit behind which the connection goes on.
  mutating func finish() throws(SyncFailure) {
    guard case .sent = state else { return }
    var open = tags
    do throws(SyncFailure) {
      try replies.finishOpening(open.removeFirst())
      // Servers work on both requests at once, so that their answers may come in any order.
      try replies.finishFetch(open.removeFirst()) { messages.applyEvent($0) }
      if let octets = open.popLast() {
        try finishOctets(octets)
      } else {
        messages.finishAnswer(replies.listing.mailbox.identity)
      }
      state = .answered
    } catch {
      guard !error.endsConnection || isPassed(error) else { throw error }
      state = .refused(try drop(open, because: error))
    }
  }

  /// Whether it is a limit behind which the connection goes on.
  private func isPassed(_ failure: SyncFailure) -> Bool { failure.isLimit && !connection.isOver }

  /// Waits for the replies to what was asked behind a command that was refused: it is about no mailbox, or of no use.
  ///
  /// Gives the refusal that says most of how long the server wants to be left alone.
  private func drop(
    _ tags: [CommandTag],
    because refusal: SyncFailure
  ) throws(SyncFailure) -> SyncFailure {
    var refusal = refusal
    for tag in tags {
      do throws(SyncFailure) {
        _ = try connection.finish(tag)
      } catch {
        guard isPassed(error) else { throw refusal.isLimit ? refusal : error }
        if !refusal.isLimit || error.wantsPause { refusal = error }
      }
    }
    return refusal
  }

  /// What is not given now is asked for once it is known what is wanted: one message that cannot be read is no reason to leave
  /// the mailbox alone.
  private mutating func finishOctets(_ tag: CommandTag) throws(SyncFailure) {
    defer { replies.listing.sortMessages() }
    do throws(SyncFailure) {
      let response = try connection.finish(tag) { event in
        messages.applyEvent(event)
        replies.listing.applyEvent(event)
      }
      if response.kind == .ok { messages.finishAnswer(replies.listing.mailbox.identity) }
    } catch {
      guard isPassed(error) else { throw error }
      octetLimit = error
    }
  }

  /// The mailbox as the answer describes it; nil where that leaves something to be asked, or the answer has not come.
  ///
  /// - Throws: what the server refused.
  func answer(to question: MailboxQuestion) throws(SyncFailure) -> RemoteMailbox? {
    guard var listing = try answered(), question.token == token else { return nil }
    guard let token else { return whole(listing, question) }
    guard listing.mailbox.modSequence != nil else { return nil }
    listing.isPartial = true
    guard token.validity == listing.mailbox.validity else { return listing.mailbox }
    guard listing.undated(but: question.known).isEmpty else { return nil }
    guard question.since == nil else { return listing.described }
    let surplus = listing.surplus(over: question.known)
    // A message that is not known has the UID of one that was here: all of them may be other ones than they were.
    guard surplus <= 0, !listing.hasUnknown(below: token.uidNext ?? 1, but: question) else {
      return nil
    }
    listing.miss(-surplus)
    return listing.described
  }

  /// All of the mailbox; nil where more was asked, or UIDNEXT was not told.
  private func whole(_ listing: RemoteListing, _ question: MailboxQuestion) -> RemoteMailbox? {
    guard question.isAboutAll, listing.mailbox.uidNext != nil, listing.undated(but: []).isEmpty
    else { return nil }
    var listing = listing
    listing.takeCount(listing.messages.count)
    return listing.described
  }

  /// What the answer tells of changes: sizes and dates may be missing; nil where it tells nothing, or the mailbox no longer
  /// keeps modification sequences.
  ///
  /// - Throws: what the server refused.
  func changes() throws(SyncFailure) -> RemoteMailbox? {
    guard var listing = try answered(), listing.mailbox.modSequence != nil else { return nil }
    listing.isPartial = true
    return listing.described
  }

  /// The answer; nil where it has not come.
  private func answered() throws(SyncFailure) -> RemoteListing? {
    switch state {
    case .sent: return nil
    case .refused(let failure): throw failure
    case .answered: if let octetLimit, octetLimit.wantsPause { throw octetLimit }
    }
    return replies.listing
  }
}
