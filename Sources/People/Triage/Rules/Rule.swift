package import Configuration
internal import Correspondence
internal import MailModel
internal import Octets
internal import Platform
internal import Query

/// A rule of the configuration, ready to be asked and carried out.
package struct Rule: Sendable {
  package let settings: RuleSettings
  /// The accounts for whose mail it is.
  package let accounts: [String]
  let query: Query
  /// What decides besides the query; nil for nothing.
  package let command: RuleCommand?
  /// What moves its messages; nil where it moves none.
  let mover: TriageVerb?
  /// The tags and flags that its messages get and lose; nil for none.
  let edit: TagEdit?

  /// What decides which files of its messages are meant.
  let verb: TriageVerb

  /// Where no account is named, those that have the folder to which it moves messages; all where none has it.
  ///
  /// - Throws: a mistake in it that needs more than the configuration to be found, with the line.
  init(
    _ settings: RuleSettings,
    in configuration: Configuration,
    _ folders: (Account) -> AccountFolders,
    now: Int64
  ) throws(Explanation) {
    let key = "rule.\(settings.name)"
    self.settings = settings
    query = try configuration.query(settings.when, of: "\(key).when", now: now)
    command = settings.command.isEmpty ? nil : RuleCommand(settings.command, of: settings.name)
    mover = settings.move.map(Self.mover)
    accounts = try Self.accounts(of: settings, in: configuration, folders)
    let edit = try Self.edit(of: settings, in: configuration, "\(key).do")
    self.edit = edit.words.isEmpty ? nil : edit
    verb = mover ?? .tag(edit)
  }

  var trait: RuleDecision.Trait {
    RuleDecision.Trait(
      isMoving: mover != nil,
      isMarking: edit != nil,
      isLast: settings.isLast
    )
  }

  private static func accounts(
    of settings: RuleSettings,
    in configuration: Configuration,
    _ folders: (Account) -> AccountFolders
  ) throws(Explanation) -> [String] {
    guard !settings.namesAccounts, case .folder(let name)? = settings.move else {
      return settings.accounts
    }
    var accounts: [String] = []
    for account in configuration.accounts where settings.accounts.contains(account.name) {
      let folder = try folders(account).existing([UInt8](name.utf8))
      if folder != nil { accounts.append(account.name) }
    }
    return accounts.isEmpty ? settings.accounts : accounts
  }

  private static func mover(_ move: RuleSettings.Move) -> TriageVerb {
    switch move {
    case .folder(let name): .move(name)
    case .archive: .archive
    case .junk: .junk
    case .delete: .delete
    }
  }

  private static func edit(
    of settings: RuleSettings,
    in configuration: Configuration,
    _ key: String
  ) throws(Explanation) -> TagEdit {
    let place = configuration.place(ofLine: settings.deedsLine)
    let edit = try configuration.reading(key, at: place) { () throws(Explanation) in
      try TagEdit(settings.tags)
    }
    guard !edit.isMoving else {
      throw Explanation(
        .configuration,
        place: place,
        "\(key): the tag inbox says where a message lies",
        hint: "write \"archive\", or \"move INBOX\""
      )
    }
    return edit
  }

  // MARK: Standing

  /// Why it cannot be carried out in an account; nil where it can.
  ///
  /// A rule makes no folder, and moves nothing out of its account.
  ///
  /// - Throws: that the folders cannot be read.
  func problem(in folders: AccountFolders, _ accounts: [Account]) throws(Explanation)
    -> Explanation?
  {
    guard let mover else { return nil }
    let account = folders.account.name
    var destinations = Destinations(mover, accounts) { _ in folders }
    if case .move(let name) = mover, folders.account.sync.labels == .tags,
      try destinations.isLabel(name, of: folders.account)
    {
      return labelProblem(name, folders.account)
    }
    guard try mover.target(in: folders) != nil else {
      return Explanation(
        .partial,
        place: "rule \(settings.name)",
        "left out: \(account) has no folder \(Self.folder(of: mover))",
        hint: "a rule makes no folder" + (mover.role.map { Self.advice(account, $0) } ?? "")
      )
    }
    do throws(Explanation) {
      _ = try destinations.destination(from: folders.account)
      return nil
    } catch {
      return leftOut(account, error)
    }
  }

  /// Where labels are tags, a label need not be there before.
  private func labelProblem(_ name: String, _ account: Account) -> Explanation? {
    do throws(Explanation) {
      _ = try account.tag(ofLabel: [UInt8](name.utf8))
      return nil
    } catch {
      return leftOut(account.name, error)
    }
  }

  private func leftOut(_ account: String, _ error: Explanation) -> Explanation {
    Explanation(
      .partial,
      place: "rule \(settings.name)",
      "left out: \(account): \(error.what)",
      hint: error.hint
    )
  }

  private static func folder(of mover: TriageVerb) -> String {
    if case .move(let name) = mover { return Printable.text(name.utf8, limit: 200) }
    let role = mover.role?.rawValue ?? ""
    return role.prefix(1).uppercased() + role.dropFirst()
  }

  private static func advice(_ account: String, _ role: MailboxRole) -> String {
    "; [account.\(account).roles] can name one, as \(role.rawValue) = \"NAME\""
  }

  /// The folders in which messages arrive for it: never those of own, deleted or unwanted mail.
  ///
  /// Where labels are tags, what arrives in INBOX lies in the folder of all mail.
  ///
  /// - Throws: that the folders cannot be read.
  func mailboxes(in folders: AccountFolders) throws(Explanation) -> [[UInt8]] {
    var mailboxes: [[UInt8]] = []
    for folder in try folders.all() {
      var forms = folders.forms(of: folder)
      if try folders.isLabelled(folder) { forms.append([UInt8](ascii: "INBOX")) }
      guard settings.mailboxes.contains(where: { $0.matches(anyOf: forms) }) else { continue }
      if try !folders.isAside(folder) { mailboxes.append(folder) }
    }
    return mailboxes
  }
}

extension AccountFolders {
  /// Whether a folder is for own, deleted or unwanted mail.
  func isAside(_ folder: [UInt8]) throws(Explanation) -> Bool {
    switch try role(of: folder) {
    case .trash, .junk, .drafts, .sent: true
    default: false
    }
  }
}
