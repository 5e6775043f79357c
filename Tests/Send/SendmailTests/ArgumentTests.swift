import SMTP
import Sendmail
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/arguments.txt"))
func commandLines(_ fixture: Fixture) throws {
  for line in fixture.lines() {
    let parts = line.firstRange(of: "-> ").map { (line[..<$0.lowerBound], line[$0.upperBound...]) }
    let (arguments, expected) = try #require(parts, "\(line)")
    #expect(text("sendmail", try words(arguments)) == expected, "\(line)")
  }
}

@Test func namesOfTheProgram() {
  for (name, expected) in [
    ("/usr/sbin/sendmail", "deliver"), ("mailq", "list"), ("/usr/bin/newaliases", "aliases"),
    ("runq", "run"), ("send-mail", "deliver"), ("magnum-send", "deliver"), ("", "deliver"),
    ("/usr/sbin/", "deliver"),
  ] {
    #expect(text(name, []) == expected, "\(name)")
  }
}

/// The words of a line of a fixture, escapes undone.
func words(_ line: some StringProtocol) throws -> [[UInt8]] {
  try line.split(separator: " ").map { try Fixtures.unescape(String($0)) }
}

private func text(_ name: String, _ arguments: [[UInt8]]) -> String {
  do throws(UsageError) {
    return try SendmailCommandLine.parse(name: Array(name.utf8), arguments).text
  } catch {
    return "! \(error)"
  }
}

extension SendmailRequest {
  fileprivate var text: String {
    var words: [String] = []
    switch mode {
    case .deliver: words.append("deliver")
    case .verify: words.append("verify")
    case .listQueue: return "list"
    case .runQueue(let name): return name.map { "run \(shown($0))" } ?? "run"
    case .rebuildAliases: return "aliases"
    case .showServer: return "server" + (account.map { " of \(shown($0))" } ?? "")
    case .showHelp: return "help"
    case .showVersion: return "version"
    }
    switch delivery {
    case .attempted: break
    case .awaited: words.append("and wait")
    case .queued: words.append("to the queue")
    }
    if isVerbose { words.append("verbosely") }
    if isQuiet { words.append("quietly") }
    if ignoresDots { words.append("ignoring dots") }
    if isDryRun { words.append("dry") }
    switch sender {
    case .unspecified: break
    case .null: words.append("without sender")
    case .address(let octets): words.append("from \(shown(octets))")
    }
    if readsSender { words.append("from the field") }
    if let host { words.append("host \(shown(host))") }
    if let fullName { words.append("name \(shown(fullName))") }
    if let notification {
      words.append("notify")
      if notification.contains(.delay) { words.append("delay") }
      if notification.contains(.failure) { words.append("failure") }
      if notification.contains(.success) { words.append("success") }
    }
    if let returned { words.append("return \(returned)") }
    if let label { words.append("tag \(shown(label))") }
    if let identifier { words.append("id \(shown(identifier))") }
    if let configuration { words.append("config \(shown(configuration))") }
    if let account { words.append("account \(shown(account))") }
    if readsRecipients { words.append("to those in the header") }
    if !recipients.isEmpty { words.append("to") }
    return (words + recipients.map(shown)).joined(separator: " ")
  }

  private func shown(_ octets: [UInt8]) -> String {
    octets == [0x1B] ? "\\x1B" : String(decoding: octets, as: UTF8.self)
  }
}
