import TestSupport
import Testing

/// How many flights of commands a run needs: what a slow line makes of its time.
@Suite struct FlightTests {
  /// One flight asks about all mailboxes, one fetches from all.
  @Test func newMailInManyMailboxesNeedsTwoFlights() throws {
    let stage = try Stage()
    let proxy = try FlightProxy(to: stage.server.ports.clear)
    try stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)")
    let names = (1...100).map { "box\($0)" }
    for name in names { try stage.imap.create(name) }
    for name in names { try stage.imap.append(mail("first in \(name)"), to: name) }
    try stage.settle()
    // What the server takes is learned by now.
    _ = proxy.takeFlights()
    try stage.syncWell()
    let idle = proxy.takeFlights()
    for name in names { try stage.imap.append(mail("second in \(name)"), to: name) }
    let outcome = try stage.syncWell("-v")
    let flights = proxy.takeFlights()
    #expect(flights <= idle + 3, "\(flights) instead of \(idle): \(outcome)")
    #expect(outcome.output.contains("+100 new ("), "\(outcome)")
    try stage.expectMirrored()
  }

  /// One flight moves messages to all mailboxes that their files went to.
  @Test(arguments: [DovecotOptions(), DovecotOptions().hiding("MOVE")])
  func messagesThatGoToManyMailboxesMoveInOneFlight(_ options: DovecotOptions) throws {
    let stage = try Stage(options)
    let proxy = try FlightProxy(to: stage.server.ports.clear)
    try stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)")
    let names = (1...20).map { "box\($0)" }
    for name in names { try stage.imap.create(name) }
    for name in names { try stage.imap.append(mail("for \(name)"), to: "INBOX") }
    try stage.settle()
    try stage.syncWell()
    _ = proxy.takeFlights()
    try stage.syncWell()
    let idle = proxy.takeFlights()
    let files = LocalFolder(stage.maildir, "INBOX")
    for name in names { try files.move(0, to: name, flags: "") }
    try stage.syncWell()
    let flights = proxy.takeFlights()
    #expect(flights <= idle + 6, "\(flights) instead of \(idle)")
    for name in names { #expect(LocalFolder(stage.maildir, name).bases.count == 1, "\(name)") }
    try stage.expectMirrored()
  }
}
