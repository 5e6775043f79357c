internal import MailModel

/// Reads sections of a file into drafts: hands every key to the table of keys.
struct SectionReader {
  let file: ConfigurationFile
  let environment: ConfigurationEnvironment

  func readSection(
    _ entry: TOMLEntry,
    as section: KeySection,
    below parents: [String],
    into draft: inout AccountDraft
  ) throws(ConfigurationError) {
    let path = parents + [entry.key]
    let entries = try table(entry, at: path)
    try checkGroups(entries, of: section, at: path)
    if section == .account { Self.forgetCertificates(entries, &draft) }
    if section == .account { Self.forgetProxy(entries, &draft) }
    if section == .oauth { draft.oauth = Self.login(entries, defaults: draft.oauth) }
    for entry in entries {
      if let inner = section.section(named: entry.key) {
        if inner == .mailbox {
          try readMailboxes(entry, below: path, into: &draft)
        } else {
          try readSection(entry, as: inner, below: path, into: &draft)
        }
      } else {
        try read(entry, of: section, below: path, into: &draft)
      }
    }
  }

  /// Reads the sections of mailboxes by their patterns; those of the defaults come behind.
  private func readMailboxes(
    _ entry: TOMLEntry,
    below parents: [String],
    into draft: inout AccountDraft
  ) throws(ConfigurationError) {
    let path = parents + [entry.key]
    let remedy = "write [\(KeyName.text(path + ["Archive/*"]))]"
    let inherited = draft.sync.mailboxes
    draft.sync.mailboxes = []
    for inner in try table(entry, at: path, remedy: remedy) {
      _ = try table(inner, at: path + [inner.key], remedy: remedy)
      guard !inner.key.isEmpty, !inner.key.hasPrefix("!") else {
        let mistake = Mistake(.badValue(reason: "not a pattern of mailboxes"), remedy: remedy)
        throw error(mistake, line: inner.line, key: path + [inner.key])
      }
      draft.sync.mailboxes.append(MailboxSettings(MailboxPattern(inner.key)))
      try readSection(inner, as: .mailbox, below: path, into: &draft)
    }
    draft.sync.mailboxes += inherited
  }

  /// The key of the defaults is never for another certificate.
  private static func forgetCertificates(_ entries: [TOMLEntry], _ draft: inout AccountDraft) {
    let names = entries.map(\.key)
    if names.contains("tls-client-certificate") { draft.clientCertificate = .init() }
    if names.contains("smtp-tls-client-certificate") { draft.sending.clientCertificate = .init() }
  }

  /// The login of the defaults is never for another proxy.
  private static func forgetProxy(_ entries: [TOMLEntry], _ draft: inout AccountDraft) {
    if entries.contains(where: { $0.key == "proxy" }) { draft.proxy = ProxyDraft() }
  }

  /// A login before its keys are read: as in the defaults, unless another server is named; client and secret of one server
  /// are never for another.
  private static func login(_ entries: [TOMLEntry], defaults: OAuthDraft?) -> OAuthDraft {
    let namesServer = entries.contains { entry in
      ConfigurationKey.named(entry.key, in: .oauth)?.isAuthorizationServer ?? false
    }
    guard namesServer else { return defaults ?? OAuthDraft() }
    var draft = OAuthDraft()
    (draft.read, draft.write) = (defaults?.read, defaults?.write)
    return draft
  }

  func read(
    _ entry: TOMLEntry,
    of section: KeySection,
    below parents: [String],
    into draft: inout AccountDraft
  ) throws(ConfigurationError) {
    let path = parents + [entry.key]
    guard let key = ConfigurationKey.named(entry.key, in: section) else {
      throw error(unknown(entry, in: section, below: parents), line: entry.line, key: path)
    }
    let value = KeyValue(
      key: key,
      node: entry.value,
      file: file,
      environment: environment,
      line: entry.line
    )
    do {
      try key.read(value, &draft)
    } catch {
      throw self.error(error, line: entry.line, key: path)
    }
  }

  func table(
    _ entry: TOMLEntry,
    at path: [String],
    remedy: String? = nil
  ) throws(ConfigurationError) -> [TOMLEntry] {
    guard case .table(let entries) = entry.value else {
      let problem = ConfigurationProblem.wrongType(
        expected: "a section",
        found: entry.value.typeName
      )
      throw error(
        Mistake(problem, remedy: remedy ?? "write [\(KeyName.text(path))]"),
        line: entry.line,
        key: path
      )
    }
    return entries
  }

  private func checkGroups(
    _ entries: [TOMLEntry],
    of section: KeySection,
    at path: [String]
  ) throws(ConfigurationError) {
    var seen: [KeyGroup: String] = [:]
    for entry in entries {
      guard let group = Self.group(of: entry, in: section) else { continue }
      if let other = seen[group] {
        let mistake = Mistake(.exclusive(with: other), remedy: "keep one of the two")
        throw error(mistake, line: entry.line, key: path + [entry.key])
      }
      seen[group] = entry.key
    }
    guard let other = seen[.authorizationServer],
      let entry = entries.first(where: {
        ConfigurationKey.named($0.key, in: section)?.isEndpoint ?? false
      })
    else { return }
    let mistake = Mistake(.exclusive(with: other), remedy: "keep one of the two")
    throw error(mistake, line: entry.line, key: path + [entry.key])
  }

  /// The group of a key; a login at an authorization server is one of the sources of a secret.
  private static func group(of entry: TOMLEntry, in section: KeySection) -> KeyGroup? {
    if section == .account, entry.key == KeySection.oauth.rawValue { return .secret }
    return ConfigurationKey.named(entry.key, in: section)?.group
  }

  private func unknown(
    _ entry: TOMLEntry,
    in section: KeySection,
    below parents: [String]
  ) -> Mistake {
    let isSection = if case .table = entry.value { true } else { false }
    return Mistake(
      isSection ? .unknownSection : .unknownKey,
      remedy: KeySuggestion.remedy(for: entry.key, in: section, below: parents)
    )
  }

  func error(
    _ mistake: Mistake,
    line: Int? = nil,
    key: [String] = []
  ) -> ConfigurationError {
    ConfigurationError(
      file: file.path,
      line: line,
      key: key,
      mistake: mistake,
      environment: environment
    )
  }
}
