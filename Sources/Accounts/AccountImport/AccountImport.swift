internal import Octets

/// What other programs' configurations come to: accounts, and all that has no equivalent.
///
/// A pure function of the files; nothing that stands in them is run.
package struct AccountImport: Hashable, Sendable {
  /// The accounts, each with a name of its own, in the order of the files.
  package private(set) var accounts: [ImportedAccount] = []
  /// What has no equivalent, or is left to do, in the order of the files.
  package private(set) var remarks: [Remark] = []
  /// Tags that searches leave out; for the section search.
  package private(set) var excludedTags: [String] = []
  /// Named queries; for the section search.
  package private(set) var queries: [Query] = []
  /// The account that sends where none fits; nil where it is not said.
  package private(set) var standard: String?

  /// A query with its name.
  package struct Query: Hashable, Sendable {
    package let name: String
    /// The query.
    package let text: String
  }

  /// Reads the files, mbsync's and offlineimap's before the others: those say where mail lies.
  package init(_ files: [ForeignFile]) {
    var joining = Joining()
    remarks = files.compactMap(\.lengthRemark)
    for file in files where file.kind == .mbsync {
      let found = MbsyncImport(file)
      joining.add(found.accounts)
      remarks += found.remarks
    }
    for file in files where file.kind == .offlineIMAP {
      let found = OfflineIMAPImport(file)
      joining.add(found.accounts)
      remarks += found.remarks
    }
    for file in files where file.kind == .msmtp { addMsmtp(MsmtpImport(file), &joining) }
    for file in files where file.kind == .notmuch { addNotmuch(NotmuchImport(file), &joining) }
    for file in files where file.kind == .goimapnotify { remarks += Goimapnotify.remarks(file) }
    for account in joining.accounts { addUnlessShared(account) }
    if !accounts.contains(where: { $0.name == standard }) { standard = nil }
  }

  /// Accounts whose folders lie in one directory, or in another's, cannot be told apart: all but the first are left out.
  private mutating func addUnlessShared(_ account: ImportedAccount) {
    let other = account.maildir.flatMap { ImportedAccount.first(in: accounts, sharing: $0) }
    guard let other else { return accounts.append(account) }
    remarks.append(
      Remark(
        file: account.origins.joined(separator: ", "),
        line: nil,
        directive: account.name,
        kind: .notImported,
        text: other.sharing
      )
    )
  }

  private mutating func addMsmtp(_ found: MsmtpImport, _ joining: inout Joining) {
    let names = joining.join(senders: found.accounts)
    remarks += found.remarks
    if let (_, name) = found.standard { standard = names[name] ?? standard }
  }

  private static let noServer =
    "no file says what server this mail is from, so that it is searched and changed here only; to have it synced, "
    + "import the file of mbsync or offlineimap instead, or together with this one"

  private mutating func addNotmuch(_ found: NotmuchImport, _ joining: inout Joining) {
    excludedTags += found.excludedTags
    queries += found.queries.map { Query(name: $0.name, text: $0.query) }
    remarks += found.remarks
    let isKnown = joining.add(identity: found.identity)
    if let mail = found.mail, let line = found.mailLine, joining.add(mail: mail) {
      remarks.append(Remark(line, .toDo, Self.noServer))
    } else if !isKnown, let line = found.addressLine {
      let text = "no imported account has this address: write name and addresses where they belong"
      remarks.append(Remark(line, .noEquivalent, text))
    }
  }
}

extension AccountImport {
  /// The same without accounts that are configured already.
  ///
  /// - Parameter known: the names that those have in the configuration, by their names here.
  /// - Returns: the others, with a remark on each that is left out.
  package func leavingOut(_ known: [String: String]) -> AccountImport {
    var result = self
    result.accounts.removeAll { known[$0.name] != nil }
    result.standard = standard.map { known[$0] ?? $0 }
    // Nothing is written of them, and so nothing is left to do.
    let duties = Set(accounts.filter { known[$0.name] != nil }.flatMap(\.duties))
    let others = Set(result.accounts.flatMap(\.duties))
    result.remarks.removeAll { duties.contains($0) && !others.contains($0) }
    for account in accounts {
      guard let name = known[account.name] else { continue }
      result.remarks.append(
        Remark(
          file: account.origins.joined(separator: ", "),
          line: nil,
          directive: account.name,
          kind: .notImported,
          text: "configured already as \(name)"
        )
      )
    }
    return result
  }

  /// The same without mail that lies in the Maildir of a configured account; what sends stays.
  ///
  /// - Parameter known: the names that those have in the configuration, by the names of accounts here.
  /// - Returns: the others, with a remark on each that is left out.
  package func leavingOutMail(_ known: [String: String]) -> AccountImport {
    var result = leavingOut(
      known.filter { name, _ in
        accounts.contains { $0.name == name && $0.smtp == nil }
      }
    )
    for index in result.accounts.indices where known[result.accounts[index].name] != nil {
      result.accounts[index].maildir = nil
    }
    // The configured account has a server, or is known to have none.
    if !known.isEmpty { result.remarks.removeAll { $0.text == Self.noServer } }
    return result
  }

  /// The same with other names for accounts whose names are taken.
  package func avoiding(_ names: Set<String>) -> AccountImport {
    var result = self
    var taken = Set(names.map { $0.lowercased() }).union(accounts.map { $0.name.lowercased() })
    for index in accounts.indices where names.contains(where: { $0 == accounts[index].name }) {
      let name = accounts[index].name
      let free = (2...).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0.lowercased()) }
      guard let free else { continue }
      taken.insert(free.lowercased())
      result.accounts[index].name = free
      if standard == name { result.standard = free }
    }
    return result
  }

  /// All blocks as they are appended to the configuration, with an empty line between them.
  ///
  /// - Parameters:
  ///   - directory: the directory of the configuration, as it is to be written in paths.
  ///   - isNew: whether there is no configuration yet: only then can the default account be written.
  ///   - hasSearch: whether the configuration has a section search already, which cannot be added to.
  /// - Returns: the text; empty where there is nothing to add.
  package func text(directory: String, isNew: Bool = true, hasSearch: Bool = false) -> String {
    let search = hasSearch ? nil : searchText
    let blocks = accounts.map { AccountBlock($0, directory: directory).text }
    guard isNew else { return (blocks + [search].compactMap { $0 }).joined(separator: "\n") }
    let senders = accounts.count { $0.smtp != nil }
    let head = standard.flatMap { senders > 1 ? "default-account = \(TOMLText.string($0))\n" : nil }
    return ([head].compactMap { $0 } + blocks + [search].compactMap { $0 })
      .joined(separator: "\n")
  }

  /// The lines that have to be written by hand where there is a configuration already; nil where there are none.
  package func linesForAll(isNew: Bool, hasSearch: Bool) -> String? {
    let head = isNew ? nil : standard.map { "default-account = \(TOMLText.string($0))\n" }
    let lines = [head, hasSearch ? searchText : nil].compactMap { $0 }.joined(separator: "\n")
    return lines.isEmpty ? nil : lines
  }

  /// The section search; nil where it would be empty.
  package var searchText: String? {
    var lines: [String] = []
    if !excludedTags.isEmpty { lines.append("exclude-tags = \(TOMLText.array(excludedTags))") }
    for query in queries {
      lines.append("\(TOMLText.key(query.name)) = \(TOMLText.string(query.text))")
    }
    return lines.isEmpty ? nil : (["[search]"] + lines).joined(separator: "\n") + "\n"
  }
}

/// Why no account was made of something.
struct ImportProblem: Error {
  /// What is said about it.
  let remark: Remark

  init(_ remark: Remark) { self.remark = remark }
}
