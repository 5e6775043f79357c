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
}
