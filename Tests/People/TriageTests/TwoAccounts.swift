import Configuration
import Platform
import TestSupport

@testable import Triage

/// Two accounts without servers, each with INBOX, Archive and Trash, and what acts on them.
struct TwoAccounts {
  let home: TempDirectory
  let triage: Triage

  init() throws {
    home = try TempDirectory()
    for account in ["one", "two"] {
      for folder in ["INBOX", "Archive", "Trash"] {
        for name in ["cur", "new", "tmp"] {
          try Files.makeDirectories(home["\(account)/\(folder)/\(name)"])
        }
      }
    }
    var text = ""
    for account in ["one", "two"] {
      text += "[account.\(account)]\nmaildir = \"\(home[account])\"\nindex = false\n"
    }
    let file = try home.write(text, to: "config.toml", mode: 0o600)
    let configuration = try Configuration.load(explicit: Path(file))
    triage = Triage(configuration, stateHome: Path(home.path), now: { 1_795_384_893 })
  }

  /// The messages, as `one/INBOX/m:2,S`.
  var files: [String] {
    ["one", "two"].flatMap { account in
      ["INBOX", "Archive", "Trash"].flatMap { folder in
        Files.names(in: home["\(account)/\(folder)/cur"]).map {
          "\(account)/\(folder)/\(String(decoding: $0, as: UTF8.self))"
        }
      }
    }.sorted()
  }
}
