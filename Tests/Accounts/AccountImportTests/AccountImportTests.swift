import AccountImport
import Configuration
import Glibc
import Platform
import TestSupport
import Testing

/// What other programs' files come to: the blocks, which our own reader takes, and all that has no equivalent.
@Suite struct AccountImportTests {
  private static let programs = [
    "mbsyncrc", "offlineimaprc", "msmtprc", "notmuch-config", "goimapnotify.json",
  ]

  @Test(
    arguments: try ["mbsync", "offlineimap", "msmtp", "others"].flatMap {
      try Fixtures.load("Fixtures/\($0).txt")
    }
  )
  func files(_ fixture: Fixture) throws {
    let found = AccountImport(Self.files(of: fixture))
    let isNew = !fixture.has("existing")
    let text = found.text(directory: "~/.config/magnum", isNew: isNew, hasSearch: !isNew)
    let byHand = found.linesForAll(isNew: isNew, hasSearch: !isNew) ?? ""
    expect(byHand, fixture["by hand"] ?? "", fixture, "by hand")
    expect(text, fixture["blocks"] ?? "", fixture, "blocks")
    expect(Self.remarks(found), fixture["remarks"] ?? "", fixture, "remarks")
    let passwords = found.accounts.flatMap { AccountBlock($0, directory: "").passwords }
      .map { "\($0.name): \(String(decoding: $0.octets, as: UTF8.self))" }
    expect(passwords.joined(separator: "\n"), fixture["passwords"] ?? "", fixture, "passwords")
    if !found.accounts.isEmpty { try expectAccepted(text, found) }
    for password in found.accounts.flatMap({ AccountBlock($0, directory: "").passwords }) {
      let secret = String(decoding: password.octets, as: UTF8.self)
      #expect(!text.contains(secret) && !Self.remarks(found).contains(secret), "a secret is shown")
    }
    #expect(!Self.remarks(found).contains("verysecret"))
  }

  /// Files of other programs are not taken for one that is known, whatever words they share with it.
  @Test(
    arguments: [
      ("account \"work\" imaps server \"imap.example.org\"\n  user \"me\"\n", nil),
      ("account a pop3s\n", nil), ("set maximum-size 128M\nmatch all action \"keep\"\n", nil),
      ("account work\nhost x\n", .msmtp), ("account a : b, c\n", .msmtp),
      ("account \"a b\"\n", .msmtp), ("account a:b\n", .msmtp),
      ("[\n  {\n", .goimapnotify), ("[{\"host\": 1}]", .goimapnotify), ("[ {", .goimapnotify),
      ("[section]\n", nil), ("[DEFAULT]\nhost = x\n", .offlineIMAP),
    ] as [(String, ForeignKind?)]
  )
  func kinds(text: String, kind: ForeignKind?) {
    #expect(ForeignFile(name: "x", octets: Array(text.utf8)).kind == kind)
  }

  /// Of an account that is configured nothing is left to do, and no password goes anywhere.
  @Test func aSecondImportHasNoDuties() {
    let text = """
      IMAPAccount a
      Host imap.example.org
      User me
      Pass hidden
      SSLType IMAPS

      IMAPStore far
      Account a

      MaildirStore near
      Path ~/Mail/
      Inbox ~/Mail/other

      Channel a
      Far :far:
      Near :near:
      Patterns *

      """
    let found = AccountImport([ForeignFile(name: "rc", octets: Array(text.utf8))])
    #expect(found.remarks.map(\.kind) == [.secret, .toDo])
    let again = found.leavingOut(["a": "mine"])
    #expect(again.remarks.map(\.kind) == [.notImported], "\(again.remarks)")
  }

  private static func files(of fixture: Fixture) -> [ForeignFile] {
    programs.compactMap { name in
      fixture[name].map { ForeignFile(name: "~/.\(name)", octets: Array(($0 + "\n").utf8)) }
    }
  }

  private static func remarks(_ found: AccountImport) -> String {
    let lines = found.remarks.map { "\($0.kind.rawValue): \($0.description)" }
    let standard = found.standard.map { ["default: \($0)"] } ?? []
    return (lines + standard).joined(separator: "\n")
  }

  private func expect(_ text: String, _ expected: String, _ fixture: Fixture, _ part: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let trimmed = lines.reversed().drop { $0.isEmpty }.reversed().joined(separator: "\n")
    #expect(trimmed == expected, "\(fixture.name): \(part)")
  }

  /// The configuration that the text is, as our own reader takes it.
  private func expectAccepted(_ text: String, _ found: AccountImport) throws {
    let home = try TempDirectory("home")
    let file = try home.write(Array(text.utf8), to: "config.toml", mode: 0o600)
    let environment = ConfigurationEnvironment(
      home: Path(home.path),
      configHome: Path(home.path),
      user: geteuid()
    )
    do throws(ConfigurationError) {
      let read = try Configuration.load(explicit: Path(file), environment: environment)
      let names = Set(read.accounts.map(\.name) + read.senders.map(\.name))
      #expect(names == Set(found.accounts.map(\.name)))
    } catch {
      Issue.record("\(error.message) in\n\(text)")
    }
  }
}
