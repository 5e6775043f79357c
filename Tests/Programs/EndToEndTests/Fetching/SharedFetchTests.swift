import TestSupport
import Testing

/// One large mailbox that is fetched over several connections.
@Suite struct SharedFetchTests {
  /// An account with a mailbox that takes six seconds over one connection: about 400 kB a second go over each.
  private func stage(
    _ options: DovecotOptions = DovecotOptions(),
    connections: Int,
    _ change: (inout DelayProxy.Link) -> Void = { _ in }
  ) throws -> (Stage, DelayProxy) {
    let stage = try Stage(options)
    let line = String(repeating: "x", count: 70) + "\r\n"
    let body = String(repeating: line, count: 5000 / 72)
    for number in 1...520 {
      try stage.imap.append(mail("message \(number)", body: body), to: "INBOX")
    }
    var link = DelayProxy.Link.delayed(0.08)
    link.window = 4096
    change(&link)
    let proxy = try DelayProxy(to: stage.server.ports.clear, link)
    let url = "imap+plain://127.0.0.1:\(proxy.port)"
    try stage.configure(url: url, sync: "connections = \(connections)")
    return (stage, proxy)
  }

  @Test func aSecondConnectionHelps() throws {
    let (stage, proxy) = try stage(connections: 2)
    let outcome = try stage.syncWell("-v")
    #expect(proxy.counters.connections == 2)
    #expect(outcome.output.contains("+520 new ("), "\(outcome)")
    let (first, second) = (proxy.counters.downOver[1] ?? 0, proxy.counters.downOver[2] ?? 0)
    #expect(second > first / 8, "\(first) and \(second) octets")
    try stage.expectMirrored()
  }

  @Test func asManyConnectionsAsTheAccountMayHave() throws {
    let (stage, proxy) = try stage(connections: 1)
    try stage.syncWell()
    #expect(proxy.counters.connections == 1)
    try stage.expectMirrored()
  }

  /// What it took and did not bring comes over the first.
  @Test func aSecondConnectionThatBreaks() throws {
    let (stage, proxy) = try stage(connections: 2) { link in
      link.cutAfterDown = 100_000
      link.meant = 2...Int.max
    }
    let outcome = try stage.syncWell("-v")
    #expect(proxy.counters.cuts == 1)
    #expect(outcome.output.contains("+520 new ("), "\(outcome)")
    try stage.expectMirrored()
  }

  /// What both have brought stays, and the rest comes over a new connection.
  @Test func theFirstConnectionBreaksWhileTheSecondHelps() throws {
    let (stage, proxy) = try stage(connections: 2) { link in
      link.cutAfterDown = 1_000_000
      link.meant = 1...1
    }
    try stage.syncWell()
    #expect(proxy.counters.cuts == 1)
    try stage.expectMirrored()
  }

  /// What another client removes during the fetch is gone, and no problem; the oldest are fetched last.
  @Test(arguments: [DovecotOptions(), DovecotOptions().hiding("CONDSTORE", "QRESYNC")])
  func messagesThatGoMeanwhile(_ options: DovecotOptions) throws {
    let (stage, proxy) = try stage(options, connections: 2)
    let run = try stage.program.command(["-v"]).start()
    #expect(Stopwatch.wait(upTo: 10) { proxy.counters.connections == 2 })
    try stage.imap.select()
    try stage.imap.expunge("1:20")
    let outcome = run.wait()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("+500 new ("), "\(outcome)")
    #expect(!outcome.errors.contains("does not give"), "\(outcome)")
    try stage.syncWell()
    try stage.expectMirrored()
  }
}
