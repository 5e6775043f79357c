internal import AgentPlan
internal import Configuration
internal import Correspondence
internal import Glibc
internal import JSON
internal import MIME
internal import MailModel
internal import Octets
internal import Outgoing
internal import Platform
internal import Protection
internal import Query
internal import SearchIndex
internal import Sendmail
internal import Threads

/// The tool `draft`: a plain text in the folder for drafts, for a person to send.
struct DraftTool {
  private let mail: AgentMail
  private let call: ToolCall
  private let drafts: AgentDrafts
  private let now: Int64
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  private static let textLimit = 256 << 10
  /// Addresses to which a message of an agent goes at most: a person has to look at each of them.
  private static let addressLimit = 50
  /// Octets of an address at most (RFC 5321 §4.5.3.1), with room for those that break the rule a little.
  private static let addressLength = 320

  init(_ mail: AgentMail, _ call: ToolCall, _ record: AgentRecord, now: Int64) {
    (self.mail, self.call, self.now) = (mail, call, now)
    drafts = AgentDrafts(mail.profile, record)
  }

  private var configuration: Configuration { mail.profile.configuration }

  /// What is done, once it is decided: the record of the call stands between the two.
  struct Decision {
    /// The handle of the draft that goes; nil where none does.
    let ends: String?
    /// The octets of the new draft; nil where one is discarded.
    let octets: [UInt8]
    fileprivate let account: Account?
    fileprivate let id: MessageID?
    fileprivate let warnings: [String]
    fileprivate let mail: JSONValue

    var isDiscarding: Bool { account == nil }
  }

  // MARK: Deciding

  /// What the call asks for; nothing is changed.
  func decide() throws(ToolFailure) -> Decision {
    if let handle = call.text("discard") {
      guard case .object(let members) = call.arguments, members.count == 1 else {
        throw .arguments
      }
      _ = try drafts.draft(handle)
      return Decision(
        ends: handle,
        octets: [],
        account: nil,
        id: nil,
        warnings: [],
        mail: .null
      )
    }
    if let handle = call.text("replaces") { _ = try drafts.draft(handle) }
    let addresses = (to: try addresses("to"), cc: try addresses("cc"))
    var beginning = try DraftBeginnings(mail, call).beginning()
    if let known = beginning.known,
      !DraftBeginning.keys(addresses.to + addresses.cc).isSubset(of: known)
    {
      beginning.warnings.append("not-in-thread")
    }
    beginning.draft.to += addresses.to
    beginning.draft.cc += addresses.cc
    try Self.checkAddresses(of: beginning.draft)
    if let subject = call.text("subject") { beginning.draft.subject = try line(subject) }
    beginning.draft.text = try text(above: beginning.above, below: beginning.below)
    beginning.draft.agent = [UInt8](mail.profile.settings.name.utf8)
    return try decision(beginning)
  }

  /// - Throws: that it goes to more addresses than a message of an agent may, or to one that is too long.
  static func checkAddresses(of draft: Draft) throws(ToolFailure) {
    let mailboxes = (draft.to + draft.cc).flatMap(\.mailboxes)
    guard mailboxes.count <= addressLimit,
      mailboxes.allSatisfy({ $0.address.count <= addressLength })
    else { throw .tooManyAddresses }
  }

  private func decision(_ beginning: DraftBeginning) throws(ToolFailure) -> Decision {
    var warnings = beginning.warnings
    do {
      let sender = try AccountChoice(configuration, user: geteuid())
        .sender(named: beginning.account.name)
      let dispatch = Dispatch(sender, configuration, user: geteuid())
      var draft = beginning.draft
      // An own address of the account, and no other that a message was sent to.
      if let from = draft.from,
        !OwnAddresses(sender.addresses.map { [UInt8]($0.utf8) }).contains(from)
      {
        draft.from = nil
      }
      draft = try dispatch.completed(draft)
      for warning in DraftWarning.all(in: draft) {
        warnings.append(warning == .noSubject ? "no-subject" : "no-attachment")
      }
      if !draft.hasRecipients { warnings.append("no-recipients") }
      guard let id = draft.messageID else { throw ToolFailure.refused }
      var octets: [UInt8] = []
      var pieces = try dispatch.message(draft, for: .keeping).pieces
      while let piece = try pieces.next() { octets += piece }
      return Decision(
        ends: call.text("replaces"),
        octets: octets,
        account: beginning.account,
        id: id,
        warnings: warnings,
        mail: Self.members(of: draft)
      )
    } catch let error as ToolFailure {
      throw error
    } catch {
      throw .refused
    }
  }

  private static func members(of draft: Draft) -> JSONValue {
    var inner = MailMembers(addressLimit: 100)
    for (name, list) in [("to", draft.to), ("cc", draft.cc)] {
      inner.add(name, list.flatMap(\.mailboxes).map { ($0.name, $0.address) })
    }
    inner.add("subject", draft.subject, limit: MailMembers.subjectLimit)
    return inner.value
  }

  // MARK: What is given

  private func addresses(_ name: String) throws(ToolFailure) -> [Address] {
    var addresses: [Address] = []
    for text in call.texts(name) ?? [] {
      let octets = try line(text)
      do throws(LetterError) {
        addresses += try RecipientText.addresses(octets, decoder)
      } catch {
        throw .arguments
      }
    }
    return addresses
  }

  /// A text of one line, without what no reader sees.
  private func line(_ text: String) throws(ToolFailure) -> [UInt8] {
    let octets = [UInt8](text.utf8)
    guard CleanText.isClean(octets), !octets.contains(where: ASCII.isControl) else {
      throw .arguments
    }
    return octets
  }

  /// The whole text: what is given must hold nothing that no reader sees, and of what is quoted such is taken out.
  private func text(above: [UInt8], below: [UInt8]) throws(ToolFailure) -> [UInt8] {
    let given = [UInt8]((call.text("text") ?? "").utf8)
      .replacing([ASCII.carriageReturn, ASCII.lineFeed], with: [ASCII.lineFeed])
    guard given.count <= Self.textLimit, CleanText.isClean(given) else { throw .arguments }
    var clean = CleanText()
    var own = given
    if let last = own.last, last != ASCII.lineFeed { own.append(ASCII.lineFeed) }
    let pieces = [clean.text(above), own, clean.text(below)].filter { !$0.isEmpty }
    return [UInt8](pieces.joined(separator: [ASCII.lineFeed]))
  }

  // MARK: Doing

  /// What the result of a decision says; the handle is known once the draft is written.
  func result(of decision: Decision, handle: String, isFound: Bool) -> JSONValue {
    var members = [ToolAnswer.version, ("draft", .string(handle))]
    let warnings = decision.warnings + (isFound ? [] : ["not-searchable"])
    members.append(("warnings", .array(warnings.map { .string($0) })))
    if !decision.isDiscarding { members.append(("mail", decision.mail)) }
    return .object(members)
  }

  private func discard(_ handle: String, _ record: AgentRecord) throws(ToolFailure) {
    let (draft, file) = try drafts.draft(handle)
    try drafts.remove(draft, file)
    try record.addEnd(of: draft)
  }

  /// Carries a decision out.
  ///
  /// - Parameters:
  ///   - decision: what is done.
  ///   - record: where ends of drafts are recorded.
  ///   - begin: is called with the handle before anything is changed, and keeps it from being changed by what it throws.
  /// - Returns: the result.
  /// - Throws: why nothing is changed.
  func carryOut(
    _ decision: Decision,
    _ record: AgentRecord,
    _ begin: (String) throws(ToolFailure) -> Void
  ) throws(ToolFailure) -> JSONValue {
    guard let account = decision.account, let id = decision.id else {
      let handle = decision.ends ?? ""
      try begin(handle)
      try discard(handle, record)
      return result(of: decision, handle: handle, isFound: true)
    }
    let former = try decision.ends.map { (handle) throws(ToolFailure) in try drafts.draft(handle) }
    let (handle, isFound) = try drafts.write(decision.octets, to: account, id: id, at: now, begin)
    if let (draft, file) = former {
      do throws(ToolFailure) {
        try drafts.remove(draft, file)
      } catch {
        // A person goes on with the former one: then there is no other.
        try? discard(handle, record)
        throw error
      }
      try record.addEnd(of: draft)
    }
    return result(of: decision, handle: handle, isFound: isFound)
  }
}
