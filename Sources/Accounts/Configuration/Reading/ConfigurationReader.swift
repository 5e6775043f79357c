internal import Octets
internal import Platform

/// Makes a configuration of a file: walks its sections, and checks what concerns several accounts.
struct ConfigurationReader {
  let file: ConfigurationFile
  let environment: ConfigurationEnvironment

  private var sections: SectionReader { SectionReader(file: file, environment: environment) }

  /// The configuration that the file describes.
  ///
  /// - Throws: the first mistake found: syntax, then names of sections, then defaults, then the
  ///   accounts in their order, then what concerns several accounts.
  func configuration() throws(ConfigurationError) -> Configuration {
    let root = try entries()
    let general = try checkRoot(root)
    var search = SearchSettings()
    try readEntries(of: SearchSettings.section, in: root) { (entry) throws(Mistake) in
      try search.readEntry(entry)
    }
    var filters = IndexFilterSettings()
    filters.isUnconfined = general.runsFiltersUnconfined
    try readEntries(of: IndexFilterSettings.section, in: root) { (entry) throws(Mistake) in
      try filters.readEntry(entry)
    }
    let defaults = try defaults(in: root)
    var accounts: [(account: Account, line: Int?)] = []
    var senders: [Sender] = []
    for entry in try accountEntries(in: root) {
      let (account, sender) = try account(entry, defaults: defaults)
      if let account { accounts.append((account, Self.maildirLine(of: entry))) }
      if let sender { senders.append(sender) }
    }
    try checkMaildirs(accounts)
    let archives = try archives(
      in: root,
      besides: accounts.map(\.account.name) + senders.map(\.name)
    )
    guard !accounts.isEmpty || !senders.isEmpty || !archives.isEmpty else {
      throw sections.error(
        Mistake(.noAccount, remedy: "add a section [account.NAME]; magnum-config(5) shows one")
      )
    }
    var checksum = Hash64()
    checksum.update(file.octets)
    return Configuration(
      path: file.path,
      checksum: checksum.value,
      accounts: accounts.map(\.account),
      senders: senders,
      defaultSender: try defaultSender(general.sending.defaultAccount, among: senders, root),
      deliveryLog: general.sending.log,
      messageSizeLimit: general.sending.sizeLimit,
      search: search,
      archives: archives,
      agents: try agents(in: root, of: accounts.map(\.account.name)),
      rules: try rules(in: root, of: accounts.map(\.account)),
      indexFilters: filters,
      crypto: general.crypto,
      calendar: general.calendar
    )
  }

  /// The proxy of the section `defaults`, which holds for what is done before there is an account.
  func defaultProxy() throws(ConfigurationError) -> ProxyRule {
    try defaults(in: entries()).proxy.rule
  }

  /// The line that names the account's Maildir; that of the account when the defaults do.
  private static func maildirLine(of account: TOMLEntry) -> Int? {
    guard case .table(let entries) = account.value else { return account.line }
    return entries.first { $0.key == "maildir" }?.line ?? account.line
  }

  // MARK: - The top of the file

  private func entries() throws(ConfigurationError) -> [TOMLEntry] {
    do {
      return try TOMLDocument(file.octets).root
    } catch {
      throw sections.error(Mistake(error.problem, remedy: error.remedy), line: error.line)
    }
  }

  private func checkRoot(_ root: [TOMLEntry]) throws(ConfigurationError) -> AccountDraft {
    var general = AccountDraft()
    for entry in root where !KeySection.root.sections.contains(entry.key) {
      try sections.read(entry, of: .root, below: [], into: &general)
    }
    for section in [KeySection.crypto, .calendar] {
      guard let entry = root.first(where: { $0.key == section.rawValue }) else { continue }
      try sections.readSection(entry, as: section, below: [], into: &general)
    }
    return general
  }

  private func defaultSender(
    _ name: String?,
    among senders: [Sender],
    _ root: [TOMLEntry]
  ) throws(ConfigurationError) -> Sender? {
    guard let name else { return senders.count == 1 ? senders.first : nil }
    if let sender = senders.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      return sender
    }
    let key = "default-account"
    throw sections.error(
      .badValue("no account of that name can send", remedy: "give [account.\(name)] a key smtp"),
      line: root.first { $0.key == key }?.line,
      key: [key]
    )
  }

  private func defaults(in root: [TOMLEntry]) throws(ConfigurationError) -> AccountDraft {
    var draft = AccountDraft()
    draft.environment = environment
    guard let entry = root.first(where: { $0.key == "defaults" }) else { return draft }
    try sections.readSection(entry, as: .account, below: [], into: &draft)
    return draft
  }

  /// Reads a section whose keys are names that people choose.
  private func readEntries(
    of section: String,
    in root: [TOMLEntry],
    _ take: (TOMLEntry) throws(Mistake) -> Void
  ) throws(ConfigurationError) {
    guard let section = root.first(where: { $0.key == section }) else { return }
    for entry in try sections.table(section, at: [section.key]) {
      do {
        try take(entry)
      } catch {
        throw sections.error(error, line: entry.line, key: [section.key, entry.key])
      }
    }
  }

  private func archives(
    in root: [TOMLEntry],
    besides accounts: [String]
  ) throws(ConfigurationError) -> [ArchiveSettings] {
    guard let section = root.first(where: { $0.key == ArchiveSettings.section }) else { return [] }
    var archives: [ArchiveSettings] = []
    for entry in try sections.table(section, at: [section.key], remedy: Self.archiveRemedy) {
      let path = [section.key, entry.key]
      if let reason = AccountName.objection(to: entry.key) {
        throw sections.error(
          .badValue("the name of an archive \(reason)"),
          line: entry.line,
          key: path
        )
      }
      guard !accounts.contains(entry.key) else {
        throw sections.error(.badValue("an account has this name"), line: entry.line, key: path)
      }
      var archive = ArchiveSettings(name: entry.key)
      for key in try sections.table(entry, at: path, remedy: Self.archiveRemedy) {
        do {
          try archive.readEntry(key)
        } catch {
          throw sections.error(error, line: key.line, key: path + [key.key])
        }
      }
      guard !archive.command.isEmpty else {
        throw sections.error(
          .badValue("has no command", remedy: ArchiveSettings.commandRemedy),
          line: entry.line,
          key: path
        )
      }
      archives.append(archive)
    }
    return archives
  }

  private func agents(
    in root: [TOMLEntry],
    of accounts: [String]
  ) throws(ConfigurationError) -> [AgentSettings] {
    let remedy = "an agent has a name: [agent.NAME]"
    let section = AgentSettings.section
    return try named(section, "an agent", remedy, in: root) {
      (entry, keys) throws(ConfigurationError) in
      var agent = AgentSettings(name: entry.key)
      try read(keys, of: [section, entry.key]) { (key) throws(Mistake) in
        try agent.readEntry(key)
        if let name = agent.accounts.first(where: { !accounts.contains($0) }) {
          throw KeyValue.unknownWord(name, among: accounts)
        }
      }
      try checkComplete(agent.missing, entry, [section, entry.key])
      return agent
    }
  }

  private func rules(
    in root: [TOMLEntry],
    of accounts: [Account]
  ) throws(ConfigurationError) -> [RuleSettings] {
    let remedy = "a rule has a name: [rule.NAME]"
    let section = RuleSettings.section
    return try named(section, "a rule", remedy, in: root) {
      (entry, keys) throws(ConfigurationError) in
      var rule = RuleSettings(name: entry.key)
      try read(keys, of: [section, entry.key]) { (key) throws(Mistake) in
        try rule.readEntry(key)
        guard key.key == "accounts" else { return }
        for name in rule.accounts {
          guard let account = accounts.first(where: { $0.name == name }) else {
            throw KeyValue.unknownWord(name, among: accounts.map(\.name))
          }
          if let mistake = RuleSettings.objection(to: account) { throw mistake }
        }
      }
      try checkComplete(rule.missing, entry, [section, entry.key])
      if rule.accounts.isEmpty {
        rule.accounts = accounts.filter { RuleSettings.objection(to: $0) == nil }.map(\.name)
      }
      guard !rule.accounts.isEmpty else {
        let mistake = Mistake.badValue("no account has an index and is synced both ways")
        throw sections.error(mistake, line: entry.line, key: [section, entry.key])
      }
      return rule
    }
  }

  /// Reads the sections that stand in another one by names that people choose.
  private func named<Settings>(
    _ section: String,
    _ kind: String,
    _ remedy: String,
    in root: [TOMLEntry],
    _ read: (TOMLEntry, _ keys: [TOMLEntry]) throws(ConfigurationError) -> Settings
  ) throws(ConfigurationError) -> [Settings] {
    guard let outer = root.first(where: { $0.key == section }) else { return [] }
    var settings: [Settings] = []
    for entry in try sections.table(outer, at: [section], remedy: remedy) {
      let path = [section, entry.key]
      // A key directly in the section is the mistake of leaving the name out.
      let keys = try sections.table(entry, at: path, remedy: remedy)
      if let reason = PlainName.objection(to: entry.key) {
        let mistake = Mistake.badValue("the name of \(kind) \(reason)")
        throw sections.error(mistake, line: entry.line, key: path)
      }
      settings.append(try read(entry, keys))
    }
    return settings
  }

  private func read(
    _ keys: [TOMLEntry],
    of path: [String],
    _ take: (TOMLEntry) throws(Mistake) -> Void
  ) throws(ConfigurationError) {
    for key in keys {
      do throws(Mistake) {
        try take(key)
      } catch {
        throw sections.error(error, line: key.line, key: path + [key.key])
      }
    }
  }

  private func checkComplete(
    _ missing: (key: String, remedy: String)?,
    _ entry: TOMLEntry,
    _ path: [String]
  ) throws(ConfigurationError) {
    guard let (key, remedy) = missing else { return }
    throw sections.error(Mistake(.missing, remedy: remedy), line: entry.line, key: path + [key])
  }

  private func accountEntries(in root: [TOMLEntry]) throws(ConfigurationError) -> [TOMLEntry] {
    guard let entry = root.first(where: { $0.key == "account" }) else { return [] }
    guard case .table(let entries) = entry.value else {
      let problem = ConfigurationProblem.wrongType(
        expected: "a section",
        found: entry.value.typeName
      )
      let mistake = Mistake(problem, remedy: Self.nameRemedy)
      throw sections.error(mistake, line: entry.line, key: ["account"])
    }
    return entries
  }

  private static let nameRemedy = "an account has a name: [account.NAME]"
  private static let archiveRemedy = "an archive has a name: [archive.NAME]"

  // MARK: - One account

  private func account(
    _ entry: TOMLEntry,
    defaults: AccountDraft
  ) throws(ConfigurationError) -> (Account?, Sender?) {
    let path = ["account", entry.key]
    try checkName(entry)
    var draft = defaults
    try sections.readSection(entry, as: .account, below: ["account"], into: &draft)
    try checkEffect(of: entry, in: draft)
    do {
      let sender = try draft.sender(named: entry.key, file: file)
      // Who only sends needs no Maildir.
      let isSender = sender != nil && draft.server == nil && draft.maildir == nil
      return (isSender ? nil : try draft.account(named: entry.key, file: file), sender)
    } catch {
      let line = Self.line(of: error.keys[...], below: entry)
      throw sections.error(error.mistake, line: line, key: path + error.keys)
    }
  }

  /// The line of a key, or of the innermost section that it should be in.
  private static func line(of keys: ArraySlice<String>, below entry: TOMLEntry) -> Int? {
    guard case .table(let entries) = entry.value,
      let next = entries.first(where: { $0.key == keys.first })
    else { return entry.line }
    return line(of: keys.dropFirst(), below: next) ?? entry.line
  }

  /// A key or section directly in `[account]` is the mistake of leaving the name out.
  private func checkName(_ entry: TOMLEntry) throws(ConfigurationError) {
    let path = ["account", entry.key]
    guard case .table = entry.value else {
      let isKey = ConfigurationKey.named(entry.key, in: .account) != nil
      let problem: ConfigurationProblem =
        isKey
        ? .badAccountName(reason: "belongs to no account")
        : .wrongType(expected: "a section", found: entry.value.typeName)
      throw sections.error(Mistake(problem, remedy: Self.nameRemedy), line: entry.line, key: path)
    }
    guard let reason = AccountName.objection(to: entry.key) else { return }
    let words = "the name of an account \(reason)"
    throw sections.error(Mistake(.badAccountName(reason: words)), line: entry.line, key: path)
  }

  /// Refuses keys that the account itself gives although they mean nothing for it.
  private func checkEffect(
    of account: TOMLEntry,
    in draft: AccountDraft
  ) throws(ConfigurationError) {
    guard case .table(let entries) = account.value else { return }
    let path = ["account", account.key]
    for entry in entries {
      if let mistake = draft.objection(to: entry.key) {
        throw sections.error(mistake, line: entry.line, key: path + [entry.key])
      }
    }
  }

  // MARK: - Several accounts

  private func checkMaildirs(
    _ accounts: [(account: Account, line: Int?)]
  ) throws(ConfigurationError) {
    let places = accounts.map { MaildirPlace($0.account.maildir) }
    for (index, account) in accounts.enumerated() {
      for other in accounts.indices where other != index {
        let name = accounts[other].account.name
        guard let problem = places[index].conflict(with: places[other], of: name),
          other < index || problem != .sharedMaildir(account: name)
        else { continue }
        let mistake = Mistake(problem, remedy: "give each account a folder of its own")
        let path = ["account", account.account.name, "maildir"]
        throw sections.error(mistake, line: account.line, key: path)
      }
    }
  }
}
