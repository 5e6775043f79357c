internal import MailModel
internal import Configuration
internal import Agents
internal import Login
internal import OAuth
internal import Octets
internal import Outgoing
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import SyncPlan
internal import Syncing
internal import Terminal
internal import Triage
internal import Verification
internal import Watch

/// How one account stands.
struct StatusReport {
  private let name: String
  private let hasServer: Bool
  private var isWatched = false
  /// Why a watch does not log in now; nil where it may.
  private var logins: String?
  private var standing: AccountStanding?
  private var verified: VerificationMemory?
  private var counts: [EntryState: Int] = [:]
  private var block: SendingBlock?
  /// Entries of the queue that nothing works on.
  private var stranded = 0
  /// Entries of the queue that a server has refused for now very often.
  private var late = 0
  /// Messages that were sent without a copy, which a person was not shown.
  private var uncopied = 0
  /// Drafts of agents that are as they were written.
  private var agentDrafts = 0
  /// Messages of agents that wait until a person releases them.
  private var agentHeld = 0
  /// Acts of agents on messages since midnight.
  private var agentActs = 0
  /// Messages that are snoozed here, and when the first comes back, in seconds since 1970.
  private var snoozed: (count: Int, first: Int64?) = (0, nil)
  /// Sent messages that did not reach a recipient.
  private var bounced = 0
  /// What needs a person, and what to do about it.
  private var needs: [(what: String, hint: String?)] = []

  init(_ name: String, _ configuration: Configuration, _ outboxes: [Outbox]) {
    self.name = name
    let account = configuration.account(named: name)
    hasServer = account?.server != nil
    if let account, hasServer {
      addSync(account)
      verified = VerificationMemory(of: account, in: Environment.stateHome)
    }
    let sender = configuration.sender(named: name)
    addLogin(account?.secret ?? .none, sender?.secret ?? .none)
    addCertificates(
      account?.clientCertificate?.certificate,
      sender?.clientCertificate?.certificate,
      account?.secret.clientCertificateFile,
      sender?.secret.clientCertificateFile
    )
    agentDrafts = configuration.agentDrafts(of: name)
    addAgentActs(configuration)
    addRules(configuration)
    addSnoozed(configuration)
    addBounces(configuration)
    for outbox in outboxes { addQueue(outbox, AccountFlush(configuration, outbox)) }
    addNeeds(sender.map { OfferedSecret($0) })
  }

  /// Whether something needs a person.
  var needsPerson: Bool { !needs.isEmpty }

  private mutating func addAgentActs(_ configuration: Configuration) {
    guard !configuration.agents.isEmpty else { return }
    let triage = Triage(configuration, stateHome: Environment.stateHome)
    do throws(Explanation) {
      agentActs = try triage.agentActs(in: name, since: LocalTime.midnight(before: Clock.now()))
    } catch {
      needs.append((error.what, error.hint))
    }
  }

  /// Adds what keeps rules for this machine from being used in the account.
  private mutating func addRules(_ configuration: Configuration) {
    guard !configuration.rules.isEmpty, let account = configuration.account(named: name) else {
      return
    }
    do throws(Explanation) {
      let set = try RuleSet(in: configuration, on: MachineName.current, now: Clock.now())
      for (rule, problem) in try set.problems(in: account) {
        needs.append(("rule \(rule): \(problem.what)", problem.hint))
      }
      let resting = try Triage(configuration, stateHome: Environment.stateHome).restingRules()
      for rule in set.rules {
        guard let problem = resting.problem(of: rule, in: account) else { continue }
        needs.append(("rule \(rule.settings.name): \(problem.what)", problem.hint))
      }
    } catch {
      needs.append((error.what, error.hint))
    }
  }

  private mutating func addSnoozed(_ configuration: Configuration) {
    guard let account = configuration.account(named: name) else { return }
    let work = LaterWork(configuration, account, stateHome: Environment.stateHome)
    do throws(Explanation) {
      let unanswered = try work.unanswered()
      if unanswered > 0 {
        let hint = "magnum search tag:remind tag:flagged; magnum unflag"
        needs.append((LaterWords.unanswered(unanswered), hint))
      }
      guard work.delay != nil else { return }
      let dues = try work.snoozed().compactMap(\.due)
      snoozed = (dues.count, dues.first)
    } catch {
      needs.append((error.what, error.hint))
    }
  }

  private mutating func addBounces(_ configuration: Configuration) {
    guard let account = configuration.account(named: name), account.isIndexed,
      configuration.sender(named: name) != nil
    else { return }
    // Where there is no index yet, no report was looked for.
    let triage = Triage(configuration, stateHome: Environment.stateHome)
    bounced = (try? triage.bouncedCount(in: account)) ?? 0
    guard bounced > 0 else { return }
    needs.append(
      (
        BounceWords.count(bounced),
        "magnum queue list --bounced says why; magnum tag -bounced ends it"
      )
    )
  }

  private mutating func addSync(_ account: Account) {
    isWatched = WatchLock(account, Environment.stateHome).isHeld
    if isWatched { logins = LoginState(of: account, in: Environment.stateHome).words }
    do throws(SystemError) {
      let standing = try AccountStanding(account, stateHome: Environment.stateHome)
      self.standing = standing
      if standing.refused != nil {
        let secret = OfferedSecret(account)
        needs.append(
          (
            "the server refused \(secret.name)",
            secret.remedy(nil, then: "magnum-sync \(name)")
          )
        )
      }
      for file in standing.resting?.files ?? [] {
        needs.append(
          (
            "\(Printable.text(file, limit: 255)): could not be uploaded",
            "it is tried again a few times a day; magnum-sync -v \(name) says why"
          )
        )
      }
      let trouble = addTrouble(account, isRefused: standing.refused != nil)
      for mailbox in standing.guarded
      where !trouble.contains("\(name)/\(Printable.text(mailbox.name))") {
        addGuarded(mailbox.name, mailbox.losses)
      }
      for mailbox in standing.stuck where !trouble.contains("\(name)/\(Printable.text(mailbox))") {
        needs.append(
          (
            "\(Printable.text(mailbox)): sync incomplete",
            "magnum-sync -v \(name) says why"
          )
        )
      }
    } catch {
      needs.append((error.description, nil))
    }
  }

  /// What ended the last sync, or what it left undone; gives the places of what is named.
  private mutating func addTrouble(_ account: Account, isRefused: Bool) -> Set<String> {
    guard let trouble = LastTrouble(of: account, in: Environment.stateHome),
      trouble.needsPerson(now: Clock.now())
    else { return [] }
    // Said above, with what to do.
    if isRefused, trouble.status == .refused { return [] }
    let age =
      trouble.status == .tryAgain ? ", for \(HumanFormat.age(Clock.now() - trouble.since))" : ""
    for problem in trouble.problems {
      let place = problem.place == name ? "" : "\(problem.place.dropFirst(name.count + 1)): "
      needs.append(("\(place)\(problem.what)\(age)", problem.hint))
    }
    if trouble.problems.isEmpty {
      needs.append(("the last sync did not do everything\(age)", "magnum-sync -v \(name) says why"))
    }
    return Set(trouble.problems.map(\.place))
  }

  /// The deletion guard waits for a person, who knows whether it was a mistake.
  private mutating func addGuarded(_ mailbox: [UInt8], _ losses: BlockedDeletions) {
    let shown = Printable.text(mailbox)
    let target = ShellWord.inQuotes("\(name)/\(shown)")
    let right =
      "if that is right: magnum-sync --allow-mass-delete \(target) \(ShellWord.quoted(name))"
    if losses.here {
      needs.append(
        (
          "\(shown): too many messages were removed here at once; they stay on the server",
          "\(right); if not: magnum-sync --fetch-again \(target)"
        )
      )
    }
    if losses.there {
      needs.append(
        ("\(shown): the server deleted too many messages at once; they are kept here", right)
      )
    }
  }

  /// A login at an authorization server that a person has to make again.
  private mutating func addLogin(_ secrets: SecretSource...) {
    for secret in secrets {
      guard case .oauth(let settings) = secret else { continue }
      let tokens = AccessTokens(settings, interruption: nil)
      if let error = tokens.obstacle() {
        // The last sync may have ended with it.
        let isSaid = needs.contains { $0.what == error.message }
        if !isSaid { needs.append((error.message, error.hint)) }
      } else if let forecast = tokens.forecast() {
        needs.append(Self.words(forecast, settings.account))
      }
      return
    }
  }

  /// Seconds before the end of a client certificate in which a person is told of it.
  private static let certificateNotice: Int64 = 14 * 86_400

  private mutating func addCertificates(_ files: Path?...) {
    var seen: Set<Path> = []
    for file in files.compactMap(\.self) where seen.insert(file).inserted {
      let now = Clock.now()
      guard let end = CertificateFile.validUntil(file), end - now < Self.certificateNotice else {
        continue
      }
      let path = file.display
      needs.append(
        (
          end < now
            ? "the client certificate has expired"
            : "the client certificate expires in \(HumanFormat.age(end - now))",
          "get a new one, and put it in the place of \(path)"
        )
      )
    }
  }

  private static func words(
    _ forecast: LoginForecast,
    _ account: String
  ) -> (what: String, hint: String?) {
    let name = ShellWord.quoted(account)
    switch forecast {
    case .ends(let end):
      let left = HumanFormat.age(end - Clock.now())
      return (
        "the login ends in \(left): the one before did after 7 days, as with clients \"in testing\"",
        "magnum accounts login \(name); see magnum-oauth(7)"
      )
    case .unused(let since, let end):
      let (age, left) = (HumanFormat.age(Clock.now() - since), HumanFormat.age(end - Clock.now()))
      return (
        "the login was not used for \(age), and ends in \(left) if it stays so",
        "magnum-sync \(name) uses it"
      )
    }
  }

  private mutating func addQueue(_ outbox: Outbox, _ flush: AccountFlush) {
    do throws(SpoolError) {
      let spool = outbox.spool(of: name)
      for state in EntryState.wanted {
        counts[state, default: 0] += try spool.entries(state).count
      }
      block = try spool.block() ?? block
      stranded += try flush.stranded(name)
      for item in try outbox.items(of: [name]) {
        if item.state == .hold, item.content?.progress.awaitsApproval == true { agentHeld += 1 }
        if item.content == nil {
          needs.append(
            ("\(item.id): this entry cannot be understood", "magnum queue show \(item.id)")
          )
        } else if item.state == .queue, item.isLate {
          late += 1
        } else if item.isSentWithoutCopy {
          counts[.failed, default: 0] -= 1
          if item.isUnseenWithoutCopy { uncopied += 1 }
        }
      }
    } catch {
      needs.append((error.explanation.what, error.explanation.hint))
    }
  }

  private mutating func addNeeds(_ secret: OfferedSecret?) {
    if let failed = counts[.failed], failed > 0 {
      needs.append(("\(failed) could not be sent", "magnum queue list says which and why"))
    }
    if agentHeld > 0 {
      let ofAgents = agentHeld == 1 ? "1 held of an agent" : "\(agentHeld) held of agents"
      needs.append((ofAgents, "magnum queue release shows each that is named, and asks"))
    }
    let held = counts[.hold, default: 0] - agentHeld
    if held > 0 {
      needs.append(("\(held) held", "magnum queue list says which and why"))
    }
    if late > 0 {
      needs.append(
        ("\(late) repeatedly deferred", "magnum queue list says which and why")
      )
    }
    if let block, block.isLasting(at: Clock.now()) {
      needs.append(
        (
          "nothing could be sent for \(HumanFormat.age(Clock.now() - block.since))",
          "magnum accounts test \(name) says why"
        )
      )
    }
    if let block, block.reason != .unreachable {
      let words = Printable.text(block.words)
      let flush = "magnum queue flush \(name)"
      let remedy = block.reason == .secret ? secret?.remedy(words, then: flush) : nil
      needs.append(("sending stopped: \(words)", remedy ?? "when that is put right: \(flush)"))
    }
    if stranded > 0 {
      needs.append(
        (AccountFlush.strandedWords(stranded), nil)
      )
    }
  }
}

extension QueuedItem {
  /// Whether a server has refused it for now so often that a person should know.
  fileprivate var isLate: Bool {
    (content?.progress.attempts ?? 0) >= RetrySchedule.standard.attemptsBeforeReport
  }
}

// Showing.
extension StatusReport {
  var lines: [String] {
    let head = [Printable.text(name.utf8)] + syncParts + snoozedParts + agentParts + queueParts
    return [head.joined(separator: "  ")]
      + needs.map { need in
        "    \(need.what)" + (need.hint.map { " (\($0))" } ?? "")
      } + notes
  }

  /// What there is to know, and needs no person.
  private var notes: [String] {
    uncopied == 0
      ? [] : ["    \(UncopiedWords.count(uncopied)) (magnum queue list, then magnum queue show)"]
  }

  private var syncParts: [String] {
    guard hasServer, let standing else { return [] }
    let time =
      standing.synced.map { "synced \(HumanFormat.age(Clock.now() - $0)) ago" } ?? "not synced yet"
    var parts = isWatched ? [time, "watched"] : [time]
    if standing.mailboxes > 0 {
      parts.append("\(standing.mailboxes) mailboxes  \(standing.messages) messages")
    }
    let open = standing.incomplete.count - standing.stuck.count - standing.guarded.count
    if open > 0 { parts.append("\(open) for the next sync to finish") }
    if let logins { parts.append(logins) }
    if let paused = standing.paused {
      parts.append("waits \(HumanFormat.age(paused - Clock.now())) for the server")
    }
    if let left = standing.left {
      let now = TestTime.ofDays()
      parts.append(
        "daily-limit: " + ReportWords.left(left.messages, left.octets, until: left.end, now: now)
      )
    }
    if standing.tagsKeptHere > 0 {
      let count = standing.tagsKeptHere
      let messages = count == 1 ? "message has" : "messages have"
      parts.append("\(count) \(messages) tags that the server cannot store")
    }
    if standing.detached > 0 { parts.append("\(standing.detached) detached files") }
    if let verified { parts.append(Self.text(verified)) }
    return parts
  }

  /// What the last deep verification of the account came to.
  private static func text(_ verified: VerificationMemory) -> String {
    let differences =
      verified.differences == 0
      ? "" : " and \(VerificationWords.differences(verified.differences))"
    let age = HumanFormat.age(Clock.now() - verified.date)
    return "\(verified.equal) messages equal\(differences) \(age) ago"
  }

  private var snoozedParts: [String] {
    guard let first = snoozed.first else { return [] }
    return ["\(snoozed.count) snoozed, the first until \(ScheduledTime.local(first))"]
  }

  private var agentParts: [String] {
    var parts: [String] = []
    if agentDrafts > 0 {
      parts.append(agentDrafts == 1 ? "1 draft of an agent" : "\(agentDrafts) drafts of agents")
    }
    if agentActs > 0 {
      parts.append(
        agentActs == 1 ? "1 act of an agent today" : "\(agentActs) acts of agents today"
      )
    }
    return parts
  }

  private var queueParts: [String] {
    guard let waiting = counts[.queue], waiting > 0 else { return [] }
    guard let block, block.reason == .unreachable else { return ["\(waiting) waiting"] }
    return ["\(waiting) waiting: \(Printable.text(block.words))"]
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("account", name)
    if hasServer { line.add("watched", isWatched) }
    if let synced = standing?.synced {
      line.add("synced", String(decoding: Timestamp.octets(synced), as: UTF8.self))
    }
    if let paused = standing?.paused {
      line.add("paused-until", String(decoding: Timestamp.octets(paused), as: UTF8.self))
    }
    line.add("logins", ifPresent: logins)
    if let standing {
      line.add("mailboxes", standing.mailboxes)
      line.add("messages", standing.messages)
      line.add("incomplete", standing.incomplete.map { Printable.text($0) })
      line.add("detached", standing.detached)
      line.add("tags-kept-here", standing.tagsKeptHere)
      if let left = standing.left {
        line.add("left", left.messages)
        line.add("left-octets", left.octets)
        line.add("resumes", String(decoding: Timestamp.octets(left.end), as: UTF8.self))
      }
    }
    if let verified {
      line.add("verified", String(decoding: Timestamp.octets(verified.date), as: UTF8.self))
      line.add("equal", verified.equal)
      line.add("differences", verified.differences)
    }
    for (name, state) in [("waiting", EntryState.queue), ("failed", .failed), ("held", .hold)] {
      line.add(name, counts[state] ?? 0)
    }
    if uncopied > 0 { line.add("uncopied", uncopied) }
    if snoozed.count > 0 { line.add("snoozed", snoozed.count) }
    if bounced > 0 { line.add("bounced", bounced) }
    if agentDrafts > 0 { line.add("agent-drafts", agentDrafts) }
    if agentHeld > 0 { line.add("agent-held", agentHeld) }
    if agentActs > 0 { line.add("agent-acts", agentActs) }
    line.add("blocked", ifPresent: block.map { Printable.text($0.words) })
    line.add("needs", needs.map(\.what))
    return line
  }
}
