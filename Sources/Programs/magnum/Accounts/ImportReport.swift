internal import AccountImport
internal import Configuration
internal import Octets
internal import Platform
internal import Terminal

/// What an import comes to, for people and for programs.
struct ImportReport {
  let found: AccountImport
  let addition: ConfigurationAddition

  /// Whether the configuration has a section search already, so that a second one would be a mistake in it.
  private let hasSearch: Bool

  init(found: AccountImport, addition: ConfigurationAddition) {
    self.found = found
    self.addition = addition
    hasSearch =
      !addition.isNew
      && found.searchText.map { (try? addition.configuration(adding: $0)) == nil } ?? false
  }

  /// The directory of the configuration, as paths in it are written.
  private var directory: String { addition.shown(addition.directory) }

  var blocks: [AccountBlock] { found.accounts.map { AccountBlock($0, directory: directory) } }

  /// What is appended to the configuration.
  var text: String {
    found.text(directory: directory, isNew: addition.isNew, hasSearch: hasSearch)
  }

  /// What has to be written by hand, since it concerns all accounts; nil where there is nothing.
  var linesForAll: String? { found.linesForAll(isNew: addition.isNew, hasSearch: hasSearch) }

  /// The passwords, each with the file that it goes to.
  var passwords: [(path: Path, octets: [UInt8])] {
    blocks.flatMap(\.passwords).map { (addition.directory.appending($0.name), $0.octets) }
  }

  // MARK: - For people

  /// What has no equivalent, what will be run, where secrets go: what a person agrees to.
  func tell(_ console: Console) {
    for remark in found.remarks {
      console.writeNote("\(remark.kind.rawValue): \(remark.description)")
    }
    for account in found.accounts {
      for server in account.servers { console.writeNote("\(account.name) logs in to \(server)") }
      for command in account.commands { console.writeNote("\(account.name) runs: \(command)") }
    }
    for (path, _) in passwords { console.writeNote("a password goes to \(addition.shown(path))") }
    if let lines = linesForAll {
      console.writeNote("to be written by hand, since it concerns all accounts:")
      for line in lines.split(separator: "\n") { console.writeNote("  \(line)") }
    }
  }

  /// The accounts of which a sync would show that nothing is to be fetched or sent.
  var proved: [String] {
    found.accounts.filter { $0.imap != nil && $0.maildir != nil }.map(\.name)
  }

  /// What to do next.
  func tellProof(_ console: Console) {
    let names = proved.map { ShellWord.quoted($0) }
    let all = found.accounts.filter { !$0.servers.isEmpty }.map { ShellWord.quoted($0.name) }
    guard !all.isEmpty else {
      if !found.accounts.isEmpty { console.writeNote("next: magnum index, then magnum-search") }
      return
    }
    console.writeNote("next: magnum accounts test \(all.joined(separator: " "))")
    guard !names.isEmpty else { return }
    console.writeNote("then: magnum-sync --dry-run \(names.joined(separator: " "))")
    console.writeNote(
      "which changes nothing, and says what a sync would fetch and send: nothing, if all is right"
    )
  }

  // MARK: - For programs

  /// The object for a program.
  func json(isWritten: Bool) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("config", addition.path.display)
    line.add("written", isWritten)
    line.add("accounts", blocks.map(accountLine))
    line.add("remarks", found.remarks.map(Self.remarkLine))
    line.add("by-hand", ifPresent: linesForAll)
    return line
  }

  private func accountLine(_ block: AccountBlock) -> JSONLine {
    var line = JSONLine()
    line.add("account", block.account.name)
    line.add("address", ifPresent: block.account.address)
    line.add("maildir", ifPresent: block.account.maildir)
    line.add("servers", block.account.servers)
    line.add("commands", block.account.commands)
    line.add(
      "password-files",
      block.passwords.map { addition.directory.appending($0.name).display }
    )
    line.add("block", block.text)
    return line
  }

  private static func remarkLine(_ remark: Remark) -> JSONLine {
    var line = JSONLine()
    line.add("file", remark.file)
    if let number = remark.line { line.add("line", number) }
    line.add("directive", ifPresent: remark.directive)
    line.add("kind", remark.kind.rawValue)
    line.add("text", remark.text)
    return line
  }
}
