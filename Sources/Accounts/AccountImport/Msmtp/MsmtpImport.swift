internal import Octets

/// Makes accounts of an msmtprc.
struct MsmtpImport {
  private(set) var accounts: [ImportedAccount] = []
  private(set) var remarks: [Remark] = []
  /// The account that is used where none is named, by its name there.
  private(set) var standard: (directive: Directive, name: String)?
  private let name: String
  private var said: Set<Remark> = []

  init(_ source: ForeignFile) {
    let file = MsmtpFile(source)
    name = source.name
    remarks = file.remarks
    standard = file.standard
    let bases = Set(file.accounts.flatMap(\.bases))
    for account in file.accounts { add(account, isBase: bases.contains(account.name)) }
  }

  private mutating func add(_ account: MsmtpFile.Account, isBase: Bool) {
    var set = account.set
    do throws(ImportProblem) {
      let server = try MsmtpServer(account, &set)
      var imported = ImportedAccount(name: account.name, origins: [name])
      imported.smtp = server.access
      takeSender(&set, into: &imported)
      imported.duties = server.remarks.filter { [.secret, .toDo].contains($0.kind) }
      add(server.remarks + DirectiveNotes.msmtp.remarks(on: set))
      join(imported, account.head)
    } catch {
      // A section from which others inherit need not be an account by itself.
      if !isBase || set.rest.contains(where: { $0.isNamed("host") }) { add([error.remark]) }
    }
  }

  private mutating func add(_ found: [Remark]) {
    for remark in found where said.insert(remark).inserted { remarks.append(remark) }
  }

  private mutating func takeSender(_ set: inout DirectiveSet, into account: inout ImportedAccount) {
    if let name = set.takeLast("from_full_name") { account.fullName = name.value }
    guard let from = set.takeLast("from") else {
      if let user = account.smtp?.user, AddressSyntax.isAddress(user) { account.address = user }
      return
    }
    if AddressSyntax.isAddress(from.value),
      !from.value.utf8.contains(where: { "%*".utf8.contains($0) })
    {
      account.address = from.value
    } else {
      add([Remark(from, .noEquivalent, "address takes a whole mail address, without patterns")])
    }
  }

  /// Accounts with one log-in are one, with several addresses.
  private mutating func join(_ account: ImportedAccount, _ head: Directive) {
    guard let address = account.address,
      let place = accounts.firstIndex(where: { $0.smtp == account.smtp && $0.address != nil })
    else { return accounts.append(account) }
    // Anyone who names it means that one.
    if standard?.name == account.name { standard?.name = accounts[place].name }
    guard accounts[place].address != address, !accounts[place].addresses.contains(address) else {
      return add([Remark(head, .approximated, "the same as \(accounts[place].name)")])
    }
    accounts[place].addresses.append(address)
    let text = "the same log-in as \(accounts[place].name): a further address of that account"
    add([Remark(head, .approximated, text)])
  }
}
