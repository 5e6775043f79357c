import Testing
import TestSupport

/// The same mirror, whatever the server cannot do.
@Suite struct CapabilityTests {
  static let hidden: [[String]] = [
    ["QRESYNC"], ["QRESYNC", "CONDSTORE"], ["LIST-STATUS"], ["SPECIAL-USE"], ["ENABLE"],
    ["ESEARCH"],
    ["LITERAL+"], ["SASL-IR"], ["UIDPLUS"], ["UNSELECT"], ["LIST-EXTENDED"],
    ["QRESYNC", "CONDSTORE", "ESEARCH"],
    [
      "QRESYNC", "CONDSTORE", "LIST-STATUS", "LIST-EXTENDED", "SPECIAL-USE", "ENABLE", "ESEARCH",
      "LITERAL+",
      "SASL-IR", "UIDPLUS", "UNSELECT", "MOVE", "NAMESPACE", "CHILDREN", "IDLE", "ID", "BINARY",
      "NOTIFY",
    ],
  ]

  @Test(arguments: hidden)
  func aMirrorWithout(capabilities: [String]) throws {
    var options = DovecotOptions()
    for name in capabilities { options = options.hiding(name) }
    let stage = try Stage(options)
    var link = DelayProxy.Link()
    link.isRecorded = true
    let proxy = try DelayProxy(to: stage.server.ports.clear, link)
    try stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)")
    try stage.fill()
    try stage.settle()
    try stage.expectMirrored()

    try stage.imap.select()
    try stage.imap.expunge("2,4")
    try stage.imap.store("6:8", "+FLAGS (\\Seen Keyword1)")
    try stage.imap.append(mail("new"))
    try stage.imap.move("9", to: "Archive")
    try stage.syncWell()
    try stage.expectMirrored()
    #expect(stage.stateText().contains("Keyword1"))

    try stage.imap.store("6", "-FLAGS (\\Seen)")
    try stage.imap.select("Archive")
    try stage.imap.expunge("1")
    try stage.syncWell()
    try stage.expectMirrored()
    for word in capabilities.filter({ Self.traces[$0] != nil }) {
      let trace = Self.traces[word] ?? ""
      #expect(!proxy.transcript.uppercased().contains(trace), "\(word) was used all the same")
    }
  }

  /// What on the wire would show that a capability was used.
  static let traces = [
    "QRESYNC": "QRESYNC", "CONDSTORE": "CHANGEDSINCE", "LIST-STATUS": "RETURN (STATUS",
    "ENABLE": "ENABLE ",
    "ESEARCH": "SEARCH RETURN", "LITERAL+": "+}", "UNSELECT": "UNSELECT",
    "SPECIAL-USE": "SPECIAL-USE",
  ]

  /// A capability that goes between two runs must not be believed from memory.
  @Test func capabilitiesMayGoBetweenRuns() throws {
    let rich = try Stage()
    let poor = try Dovecot.shared(DovecotOptions().hiding("QRESYNC").hiding("CONDSTORE"))
    try rich.fill()
    try rich.settle()
    let mailFolder = "\(rich.server.folder)/mail/\(rich.user)"
    try Command.shell("cp -a \"$1\" \"$2/mail/\"", [mailFolder, poor.folder])
    let imap = try RawIMAP(poor, user: rich.user)
    try imap.append(mail("after the change"))
    try imap.select()
    try imap.expunge("3")
    try rich.program.configure(
      """
      [account.test]
      maildir = "~/Mail/test"
      imap = "\(poor.tlsURL)"
      user = "\(rich.user)"
      password = "pass"
      tls-ca-file = "\(poor.trustFile)"

      """
    )
    let outcome = try rich.sync()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(rich.tree.differences(from: try imap.everything()) == [])
  }
}
