internal import Octets

/// Makes accounts of an offlineimaprc.
struct OfflineIMAPImport {
  private(set) var accounts: [ImportedAccount] = []
  private(set) var remarks: [Remark] = []
  private let file: INIFile
  private let name: String
  /// The names of the accounts that are synced; nil where it is not said.
  private let active: Set<String>?

  init(_ source: ForeignFile) {
    file = INIFile(source, interpolates: true)
    name = source.name
    remarks = file.remarks
    var general = file.section("general")?.set
    active = general?.takeLast("accounts").map {
      Set($0.value.split(separator: ",").map(Self.trimmed))
    }
    let used = Set(
      file.sections.filter { $0.name.hasPrefix("Account ") }.flatMap { $0.set.rest.map(\.value) }
    )
    for section in file.sections { add(section) }
    for section in file.sections { remarkUnused(section, used) }
  }

  private static let prefixes = ["Account ", "Repository "]

  private func head(_ section: INIFile.Section) -> Directive {
    Directive(file: name, line: section.line, name: "[\(section.name)]", arguments: [])
  }

  private static func trimmed(_ text: Substring) -> String {
    text.split(separator: " ").joined(separator: " ")
  }

  private mutating func add(_ section: INIFile.Section) {
    switch section.name {
    case "general":
      remarks += DirectiveNotes.offlineGeneral.remarks(on: section.set)
    case let name where name.hasPrefix("Account "):
      addAccount(section, String(name.dropFirst("Account ".count)))
    case let name where name.hasPrefix("Repository "):
      break
    default:
      let text = "only what is said of accounts and repositories is taken over"
      remarks.append(Remark(head(section), .noEquivalent, text))
    }
  }

  private mutating func addAccount(_ section: INIFile.Section, _ name: String) {
    if let active, !active.contains(name) {
      let text = "not among the accounts of [general]"
      return remarks.append(Remark(head(section), .notImported, text))
    }
    do throws(ImportProblem) {
      let (account, found) = try imported(section, name)
      accounts.append(account)
      remarks += found
    } catch {
      remarks.append(error.remark)
    }
  }

  // MARK: - One account

  private func imported(
    _ section: INIFile.Section,
    _ name: String
  ) throws(ImportProblem) -> (ImportedAccount, [Remark]) {
    var set = section.set
    let remote = try repository(set.takeLast("remoterepository"), of: section)
    let local = try repository(set.takeLast("localrepository"), of: section)
    var account = ImportedAccount(name: name, origins: [self.name])
    var remarks = takeWindow(&set, into: &account)
    remarks += DirectiveNotes.offlineAccount.remarks(on: set)
    remarks += try takeServer(remote, into: &account)
    remarks += try takeFolders(local, into: &account)
    account.duties = remarks.filter { [.secret, .toDo].contains($0.kind) }
    return (account, remarks)
  }

  private func repository(
    _ directive: Directive?,
    of section: INIFile.Section
  ) throws(ImportProblem) -> INIFile.Section {
    guard let directive else {
      let text = "has to have a localrepository and a remoterepository"
      throw ImportProblem(Remark(head(section), .notImported, text))
    }
    guard let found = file.section("Repository \(directive.value)") else {
      throw ImportProblem(Remark(directive, .notImported, "no such repository"))
    }
    return found
  }

  private func takeWindow(
    _ set: inout DirectiveSet,
    into account: inout ImportedAccount
  ) -> [Remark] {
    guard let age = set.takeLast("maxage") else { return [] }
    guard let days = Int(age.value), (1...36_500).contains(days) else {
      return [Remark(age, .noEquivalent, "window takes a number of days")]
    }
    account.sync.window = "\(days)d"
    return []
  }

  private func takeServer(
    _ section: INIFile.Section,
    into account: inout ImportedAccount
  ) throws(ImportProblem) -> [Remark] {
    var set = section.set
    let type = set.rest.last { $0.isNamed("type") }
    guard ["imap", "gmail"].contains(type?.value.lowercased()) else {
      let text = "Magnum mirrors an IMAP server to a Maildir; this is neither"
      throw ImportProblem(Remark(type ?? head(section), .notImported, text))
    }
    let server = try OfflineIMAPServer(head(section), &set)
    account.imap = server.access
    if let user = server.access.user, AddressSyntax.isAddress(user) { account.address = user }
    if OfflineIMAPServer.isYes(set.takeLast("readonly"), otherwise: false) {
      account.sync.rules.direction = "pull"
    }
    if !OfflineIMAPServer.isYes(set.takeLast("sync_deletes"), otherwise: true) {
      account.sync.rules.onRemoteDelete = "keep"
    }
    if !OfflineIMAPServer.isYes(set.takeLast("createfolders"), otherwise: true) {
      account.sync.rules.create = "local"
    }
    if let count = set.takeLast("maxconnections").flatMap({ Int($0.value) }), count >= 1 {
      account.sync.connections = min(count, 5)
    }
    if let trash = set.takeLast("trashfolder") {
      account.roles["trash"] = MbsyncPatterns.decoded(trash.value)
    }
    if let junk = set.takeLast("spamfolder") {
      account.roles["junk"] = MbsyncPatterns.decoded(junk.value)
    }
    takeFilter(&set, into: &account)
    return server.remarks + DirectiveNotes.offlineServer.remarks(on: set)
  }

  /// Imports a filter that only names folders; any other one is left, and reported.
  private func takeFilter(_ set: inout DirectiveSet, into account: inout ImportedAccount) {
    let more = set.rest.last { $0.isNamed("folderincludes") }
    let list = more.map { PythonLists.list($0.value) } ?? []
    guard let directive = set.rest.last(where: { $0.isNamed("folderfilter") }) else {
      // Without a filter all folders take part anyway.
      if more != nil, list != nil { _ = set.takeLast("folderincludes") }
      return
    }
    guard let filter = PythonLists.filter(directive.value), let list else { return }
    _ = set.takeAll(["folderfilter", "folderincludes"])
    switch filter {
    case .only(let names): account.sync.include = (names + list).map(Self.mailbox)
    case .but(let names):
      account.sync.exclude = names.filter { !list.contains($0) }.map(Self.mailbox)
    }
  }

  /// A mailbox by its name on the server; a name below the inbox tells the hierarchy separator.
  private static func mailbox(_ name: String) -> String {
    let isDotted = name.utf8.prefix(6).equalsCaseless("INBOX.".utf8)
    let levels = isDotted ? name.split(separator: ".").joined(separator: "/") : name
    return MbsyncPatterns.decoded(levels)
  }

  private func takeFolders(
    _ section: INIFile.Section,
    into account: inout ImportedAccount
  ) throws(ImportProblem) -> [Remark] {
    var set = section.set
    let type = set.takeLast("type")
    guard ["maildir", "gmailmaildir"].contains(type?.value.lowercased()) else {
      let text = "Magnum mirrors an IMAP server to a Maildir; this is no Maildir"
      throw ImportProblem(Remark(type ?? head(section), .notImported, text))
    }
    guard let path = set.takeLast("localfolders") else {
      throw ImportProblem(Remark(head(section), .notImported, "no localfolders"))
    }
    guard path.value.hasPrefix("/") || path.value.hasPrefix("~/") else {
      throw ImportProblem(Remark(path, .notImported, "not an absolute path"))
    }
    account.maildir = MbsyncFolders.trimmed(path.value)
    var remarks: [Remark] = []
    if OfflineIMAPServer.isYes(set.takeLast("readonly"), otherwise: false) {
      account.sync.rules.direction = "push"
    }
    if !OfflineIMAPServer.isYes(set.takeLast("sync_deletes"), otherwise: true) {
      account.sync.rules.onLocalDelete = "keep"
    }
    if !OfflineIMAPServer.isYes(set.takeLast("createfolders"), otherwise: true) {
      account.sync.rules.create = account.sync.rules.create == "local" ? "none" : "remote"
    }
    if let separator = set.takeLast("sep"), ![".", "/"].contains(separator.value) {
      let text = "folders are found only if a dot or a slash stands between the levels"
      remarks.append(Remark(separator, .noEquivalent, text))
    }
    return remarks + DirectiveNotes.offlineMaildir.remarks(on: set)
  }

  private mutating func remarkUnused(_ section: INIFile.Section, _ used: Set<String>) {
    guard section.name.hasPrefix("Repository ") else { return }
    guard !used.contains(String(section.name.dropFirst("Repository ".count))) else { return }
    remarks.append(Remark(head(section), .notImported, "no account uses it"))
  }
}
