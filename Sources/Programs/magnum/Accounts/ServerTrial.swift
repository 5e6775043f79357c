internal import Configuration
internal import IMAP
internal import Login
internal import MailModel
internal import MailStore
internal import Octets
internal import Outgoing
internal import Platform
internal import Proxies
internal import SMTP
internal import Submission
internal import SyncEngine
internal import SyncPlan
internal import Terminal

/// What came of trying one server of an account.
struct ServerTrial {
  /// `imap` or `smtp`.
  let service: String
  /// What went wrong; nil where it works.
  private(set) var failure: Explanation?
  /// Names in the configuration that fit nothing on the server.
  private(set) var warnings: [Explanation] = []
  /// What the exit status is to say.
  var status: ExitStatus { failure?.status ?? .success }

  /// What the server's answer is known to mean; nil where it works, and where that is not known.
  private(set) var known: KnownAnswer?

  private let server: String
  private let secret: OfferedSecret
  private let user: String
  /// What it is reached through; nil for a direct connection.
  private let proxy: ProxyAddress?
  /// Whether a certificate takes the place of a secret.
  private let hasCertificate: Bool
  private var isEncrypted = false
  /// Whether it was connected to.
  private var isTried = true
  private var offers: [String] = []
  private var remarks: [String] = []

  init(_ account: Account, _ facts: ServerFacts) {
    self.init(account)
    isEncrypted = facts.isEncrypted
    warnings = facts.unknownNames.map { $0.explanation(account: account.name) }
    offers = facts.capabilities.map { Printable.text($0) }
    let count = facts.mailboxes.count
    remarks.append(count == 1 ? "1 mailbox" : "\(count) mailboxes")
    for role in ["sent", "trash", "drafts"] {
      guard let mailbox = facts.mailboxes.first(where: { $0.role?.rawValue == role }) else {
        continue
      }
      remarks.append("\(role) is \(Printable.text(mailbox.name))")
    }
    remarks += Self.lacking(Capabilities(facts.capabilities))
  }

  init(_ account: Account, _ failure: SyncFailure) {
    self.init(account)
    recordFailure(failure.explanation(account: account.name))
  }

  init(_ sender: Sender, _ probe: SubmissionProbe) {
    self.init(sender)
    isEncrypted = probe.isEncrypted
    offers = probe.extensions.lines.map { Printable.text($0) }
    if let limit = probe.extensions.sizeLimit {
      remarks.append("messages up to \(HumanFormat.bytes(limit))")
    }
    if !probe.extensions.hasEightBitMIME { remarks.append("no 8BITMIME") }
    if !probe.extensions.hasSMTPUTF8 { remarks.append("no SMTPUTF8") }
  }

  init(_ sender: Sender, _ failure: SubmissionFailure) {
    self.init(sender)
    recordFailure(failure.explanation)
  }

  /// A program that takes messages over can be tried only by a message: whether it is there is all that is looked at.
  private init(_ sender: Sender, _ program: SendProgram) {
    self.init(sender)
    isTried = false
    let name = program.words.first ?? ""
    guard !Environment.hasCommand(name) else { return }
    recordFailure(
      Explanation(.unavailable, "send-command: no program \(Printable.text(name.utf8, limit: 100))")
    )
  }

  /// Connects and logs in to the IMAP server of an account; nothing is fetched or changed.
  ///
  /// `trace` gets the conversation, secrets cut; nil for none.
  init(testing account: Account, trace: (@Sendable (String) -> Void)? = nil) {
    var options = SyncOptions()
    options.isTracing = trace != nil
    // A person is there: a secret that was refused before is offered again.
    options.selections = [SyncOptions.Selection(account: account.name, patterns: [])]
    do throws(SyncFailure) {
      let facts = try SyncRun.probe(
        account,
        options: options,
        stateHome: Environment.stateHome,
        interruption: .shared
      ) { event in
        if case .trace(let line) = event.kind { trace?(line) }
      }
      self.init(account, facts)
    } catch {
      self.init(account, error)
    }
  }

  /// Connects and logs in to the server for sending of an account; nothing is sent.
  ///
  /// `trace` gets the conversation, secrets cut; nil for none.
  init(testing sender: Sender, trace: (@Sendable (String) -> Void)? = nil) {
    if case .program(let program) = sender.server {
      self.init(sender, program)
      return
    }
    do throws(SubmissionFailure) {
      self.init(sender, try SubmissionProbe(sender, interruption: .shared, trace: trace))
    } catch {
      self.init(sender, error)
    }
  }

  /// What is known of the answer takes the place of the general advice.
  private mutating func recordFailure(_ explanation: Explanation) {
    var explanation = explanation
    let isRefusal = explanation.status == .refused
    known = secret.knownAnswer(explanation.what, isRefusal: isRefusal)
    if let known { explanation.hint = known.hint }
    failure = explanation
  }

  private init(_ account: Account) {
    service = "imap"
    secret = OfferedSecret(account)
    server = account.server.map { ServerText.text($0) } ?? ""
    user = account.user
    proxy = account.proxy?.address
    hasCertificate = account.clientCertificate != nil && account.secret == .none
  }

  private init(_ sender: Sender) {
    service = "smtp"
    secret = OfferedSecret(sender)
    server = sender.server.description
    user = sender.secret == .none ? "" : sender.user
    proxy = sender.proxy?.address
    hasCertificate = sender.certificateUser != nil && sender.secret == .none
  }

  /// The lines for a person.
  func text(account: String) -> String {
    guard isTried else {
      let head = "\(account)  \(service)  \(server)  found, and not run: it would send"
      return Printable.text(head.utf8)
    }
    let login =
      if hasCertificate {
        "logged in by certificate"
      } else {
        user.isEmpty ? "connected without a log-in" : "logged in as \(user)"
      }
    let way = proxy.map { ["through \($0)"] } ?? []
    let facts = way + [login, isEncrypted ? "TLS" : "not encrypted"] + remarks
    let head = "\(account)  \(service)  \(server)  \(facts.joined(separator: ", "))"
    let list = offers.isEmpty ? "nothing" : offers.joined(separator: ", ")
    return Printable.text(head.utf8) + "\n    offers \(list)"
  }

  /// The object for a program.
  func json(account: String) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("account", account)
    line.add("service", service)
    line.add("server", server)
    line.add("proxy", ifPresent: proxy?.description)
    line.add("works", failure == nil)
    line.add("cause", ifPresent: known?.cause)
    line.add("text", ifPresent: failure?.what)
    line.add("hint", ifPresent: failure?.hint)
    guard failure == nil else { return line }
    line.add("encrypted", isEncrypted)
    line.add("offers", offers)
    line.add("warnings", warnings.map(\.what))
    return line
  }

  /// What makes syncing slower where it is missing.
  private static func lacking(_ capabilities: Capabilities) -> [String] {
    let wanted: [(StaticString, String)] = [
      ("CONDSTORE", "CONDSTORE"), ("UIDPLUS", "UIDPLUS"), ("MOVE", "MOVE"),
    ]
    return wanted.filter { !capabilities.contains($0.0) }.map { "no \($0.1)" }
  }
}
