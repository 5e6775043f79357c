import Synchronization
import TestSupport
import Testing

/// Changes in mailboxes besides INBOX, of which `magnum watch` has the server tell at once.
@Suite struct WatchElsewhereTests {
  private static let key = "idle-mailboxes = [\"Arch*\", \"INBOX\"]"

  private func scene(_ options: DovecotOptions = DovecotOptions().hiding("NOTIFY")) throws
    -> WatchScene
  {
    let scene = try WatchScene(options)
    try scene.stage.configure(sync: Self.key)
    return scene
  }

  @Test func aMailboxOfTheKeyIsListenedTo() throws {
    let scene = try scene()
    let watch = try scene.start(["--poll", "3600"], WatchScene.fast)
    try watch.waitForListening()
    #expect(watch.becomesQuiet())
    for number in 1...3 {
      #expect(try scene.deliver("elsewhere \(number)", to: "Archive") < 4)
    }
    try scene.stage.imap.append(scene.mail("in the inbox"))
    try scene.waitUntilMirrored()
    #expect(watch.logins == 1)
    let file = scene.stage.program.home[".local/state/magnum/accounts/test/logins"]
    #expect((Files.text(file) ?? "").split(separator: "\n").count == 2)
    // Its own changes there wake it once, and not for ever.
    let other = try #require(scene.stage.tree["Archive"].first)
    try scene.shell("mv \"$1/Archive/$2/$3\" \"$1/Archive/cur/${3%%:*}:2,F\"", other)
    try scene.waitUntilMirrored()
    #expect(watch.becomesQuiet(), "\(watch.syncs) syncs")
    try watch.end()
    try scene.stage.expectSettled()
  }

  /// Dovecot offers NOTIFY: all is told over one connection.
  @Test func allMailboxesAreToldWhereTheServerDoesSo() throws {
    let scene = try scene(DovecotOptions())
    let proxy = try BendingProxy(to: scene.stage.server.ports.clear) { _ in .passed }
    try scene.stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)", sync: Self.key)
    let watch = try scene.start(["--poll", "3600"], WatchScene.fast)
    try watch.waitForListening()
    for number in 1...3 {
      #expect(try scene.deliver("elsewhere \(number)", to: "Archive") < 4)
    }
    try scene.stage.imap.append(scene.mail("in the inbox"))
    try scene.waitUntilMirrored()
    try scene.stage.imap.command("CREATE Made")
    _ = try scene.measure {
    } until: {
      Files.names(in: scene.maildir).contains(Array("Made".utf8))
    }
    let file = try #require(scene.stage.tree["Archive"].first)
    try scene.shell("mv \"$1/Archive/$2/$3\" \"$1/Archive/cur/${3%%:*}:2,F\"", file)
    try scene.waitUntilMirrored()
    #expect(watch.becomesQuiet(), "\(watch.syncs) syncs")
    #expect(proxy.commands.count { $0.hasPrefix("AUTHENTICATE") || $0.hasPrefix("LOGIN") } == 1)
    #expect(proxy.commands.contains { $0.hasPrefix("NOTIFY SET") })
    try watch.end()
    try scene.stage.expectSettled()
  }

  /// NOTIFY tells of the user's own mailboxes; others are found in each interval.
  @Test func sharedMailboxesArePolledBesideNotify() throws {
    var options = DovecotOptions()
    options.lines = [
      "namespace others {", "  type = public", "  separator = /", "  prefix = Public/",
      "  location = maildir:~/public", "  subscriptions = no", "  list = yes", "}",
    ]
    let scene = try scene(options)
    try scene.stage.imap.create("Public/Box")
    try scene.stage.imap.append(scene.mail("shared one"), to: "Public/Box")
    let watch = try scene.start(["--poll", "2", "--trace"])
    try watch.waitForListening()
    #expect(scene.holds("shared one"))
    try scene.deliver("shared two", to: "Public/Box")
    #expect(watch.output.contains("NOTIFY SET"))
    #expect(try scene.deliver("of one's own", to: "Archive") < 4)
    try scene.waitUntilMirrored()
    #expect(watch.logins == 1)
    try watch.end()
  }

  /// A sync has listed the mailboxes by then, and the server tells of none yet.
  @Test(arguments: [
    "mailbox create -u \"$2\" Made",
    "mailbox rename -u \"$2\" Archive Other",
    "flags add -u \"$2\" '\\Answered' mailbox Archive all",
    "expunge -u \"$2\" mailbox Archive subject elsewhere",
    "move -u \"$2\" Archive mailbox INBOX subject before",
  ])
  func whatChangesBeforeNotifyBeginsIsFound(_ change: String) throws {
    let scene = try scene(DovecotOptions())
    try scene.stage.imap.append(scene.mail("elsewhere"), to: "Archive")
    try scene.stage.imap.append(scene.mail("before"))
    let isArmed = Atomic(false)
    let arguments = [scene.stage.server.folder, scene.stage.user]
    let proxy = try BendingProxy(to: scene.stage.server.ports.clear) { line in
      guard line.hasPrefix("NOTIFY SET"), isArmed.exchange(false, ordering: .relaxed) else {
        return .passed
      }
      return .after {
        _ = try? Command.shell("doveadm -c \"$1/dovecot.conf\" \(change)", arguments)
      }
    }
    try scene.stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)")
    let watch = try scene.start(["--poll", "3600"], WatchScene.fast)
    try watch.waitForListening()
    try scene.waitUntilMirrored()
    #expect(watch.becomesQuiet())
    isArmed.store(true, ordering: .relaxed)
    try scene.deliver("after")
    try scene.waitUntilMirrored()
    let hasHappened = !isArmed.load(ordering: .relaxed)
    #expect(hasHappened)
    try watch.end()
  }

  /// What a server says that does not tell of all mailboxes after all, and how often it is asked to.
  @Test(arguments: ["NO [BADEVENT (MessageNew)] no", "NO [NOTIFICATIONOVERFLOW] no", "BAD what"])
  func aServerThatRefusesThatIsListenedToAsOthers(_ reply: String) throws {
    let scene = try scene(DovecotOptions())
    let proxy = try BendingProxy(to: scene.stage.server.ports.clear) { line in
      line.hasPrefix("NOTIFY") ? .refused(reply) : .passed
    }
    try scene.stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)", sync: Self.key)
    let watch = try scene.start(["--poll", "3600"], WatchScene.fast)
    try watch.waitForListening()
    try scene.stage.imap.append(scene.mail("in the inbox"))
    try scene.waitUntilMirrored()
    #expect(watch.becomesQuiet())
    #expect(try scene.deliver("elsewhere", to: "Archive") < 4)
    #expect(proxy.commands.count { $0.hasPrefix("NOTIFY") } <= 2)
    try watch.end()
  }

  @Test func aServerForWhichItIsTooMuchIsListenedToAsOthers() throws {
    let scene = try scene(DovecotOptions())
    let isArmed = Atomic(false)
    let proxy = try BendingProxy(
      to: scene.stage.server.ports.clear,
      reply: { line in
        guard line.hasPrefix("* STATUS"), isArmed.exchange(false, ordering: .relaxed) else {
          return line
        }
        return "* OK [NOTIFICATIONOVERFLOW] too much"
      }
    )
    try scene.stage.configure(url: "imap+plain://127.0.0.1:\(proxy.port)", sync: Self.key)
    let watch = try scene.start(["--poll", "3600"], WatchScene.fast)
    try watch.waitForListening()
    #expect(watch.becomesQuiet())
    isArmed.store(true, ordering: .relaxed)
    #expect(try scene.deliver("that is too much", to: "Archive") < 4)
    #expect(watch.becomesQuiet())
    #expect(try scene.deliver("after it", to: "Archive") < 4)
    #expect(proxy.commands.count { $0.hasPrefix("NOTIFY SET") } == 1)
    try watch.end()
  }

  @Test func aConnectionThatEndsIsMadeAnew() throws {
    let scene = try scene()
    let watch = try scene.start(["--poll", "3600"], WatchScene.fast)
    try watch.waitForListening()
    #expect(watch.becomesQuiet())
    try scene.stage.reconnect { try scene.kick() }
    try scene.stage.imap.append(scene.mail("while it was away"), to: "Archive")
    try scene.waitUntilMirrored()
    #expect(watch.becomesQuiet())
    #expect(try scene.deliver("after it was back", to: "Archive") < 4)
    try watch.end()
  }
}
