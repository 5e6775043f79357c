import MailModel
import Testing

@testable import SyncState

@Suite("What a server was seen to do")
struct ServerTraitsTests {
  private static let owner = ServerTraitsFile.Owner(
    login: Array("0123abcd".utf8),
    user: Array("4567".utf8)
  )

  private static let samples: [ServerTraits] = {
    var seen = ServerTraits()
    seen.loggedIn(.max)
    var working = seen
    working.pipelining = .works
    working.logsInByPlain = true
    working.cleanRuns = 2
    working.labels = ServerTraits.LabelReading(time: 1_795_000_000, digest: .max)
    working.labelCheck = .passed(1_795_000_000)
    working.roles = [.trash: Array("Papierkorb".utf8), .drafts: Array("a b/c%\n".utf8)]
    var failing = seen
    failing.pipelining = .fails
    failing.refusesInitialResponse = true
    failing.awaitsGreeting = true
    failing.needsIdentity = true
    failing.labelCheck = .failed(1_795_000_000, Array("a b%\n".utf8))
    failing.limitConnections(to: 2, now: 1_795_000_000)
    failing.refusesEarlyQuestionsUntil = 1_795_000_000
    failing.idleBreaks = 2
    failing.refusesIdleUntil = 1_795_000_000
    _ = failing.postpone(now: 1_795_000_000, seconds: nil, reason: [0, 10, 32, 37, 255])
    return [ServerTraits(), seen, working, failing]
  }()

  @Test("comes back whole", arguments: samples)
  func roundTrip(traits: ServerTraits) {
    let octets = ServerTraitsFile.encode(traits, of: Self.owner)
    #expect(ServerTraitsFile.decode(octets, of: Self.owner) == traits)
  }

  @Test("IDLE that ends connections is not asked for any more")
  func idle() {
    var traits = ServerTraits()
    for _ in 0..<2 { traits.noteIdle(seconds: 1, isBroken: true, now: 1000) }
    #expect(traits.mayIdle(now: 1000))
    // One that went well for minutes is no sign of it.
    traits.noteIdle(seconds: 600, isBroken: true, now: 1000)
    for _ in 0..<2 { traits.noteIdle(seconds: 1, isBroken: true, now: 1000) }
    #expect(traits.mayIdle(now: 1000))
    traits.noteIdle(seconds: 1, isBroken: false, now: 1000)
    traits.noteIdle(seconds: 1, isBroken: true, now: 1000)
    #expect(!traits.mayIdle(now: 1001))
    #expect(traits.mayIdle(now: 1000 + ServerTraits.limitLifetime))
  }

  @Test("is not believed of another server or user")
  func otherAccount() {
    let octets = ServerTraitsFile.encode(Self.samples[2], of: Self.owner)
    let other = ServerTraitsFile.Owner(login: Array("other".utf8), user: Array("other".utf8))
    #expect(ServerTraitsFile.decode(octets, of: other) == nil)
  }

  @Test("with another secret only what says nothing of the secret is believed")
  func otherSecret() {
    let octets = ServerTraitsFile.encode(Self.samples[2], of: Self.owner)
    let other = ServerTraitsFile.Owner(login: Array("other".utf8), user: Self.owner.user)
    var expected = ServerTraits()
    expected.roles = Self.samples[2].roles
    expected.labelCheck = Self.samples[2].labelCheck
    #expect(ServerTraitsFile.decode(octets, of: other) == expected)
    // How it takes what comes before its greeting has nothing to do with the secret.
    let failed = ServerTraitsFile.encode(Self.samples[3], of: Self.owner)
    #expect(ServerTraitsFile.decode(failed, of: other)?.awaitsGreeting == true)
  }

  @Test("clean runs are counted up to two, and only after log-ins that count")
  func cleanRuns() {
    var traits = ServerTraits()
    traits.served()
    #expect(traits.cleanRuns == nil)
    traits.cleanRuns = 0
    for count in [1, 2, 2] {
      traits.served()
      #expect(traits.cleanRuns == count)
    }
    traits.loggedIn(1)
    #expect(traits.cleanRuns == nil, "another server")
  }

  @Test("files of older builds tell of no clean run")
  func olderBuilds() throws {
    let old = ServerTraitsFile.encode(Self.samples[3], of: Self.owner)
    #expect(!String(decoding: old, as: UTF8.self).contains("clean-runs"))
    let traits = try #require(ServerTraitsFile.decode(old, of: Self.owner))
    #expect(traits.cleanRuns == nil)
  }

  @Test("is not believed of a damaged file, or one of a later version")
  func damage() {
    let octets = ServerTraitsFile.encode(Self.samples[2], of: Self.owner)
    for index in octets.indices {
      var flipped = octets
      flipped[index] ^= 1
      #expect(ServerTraitsFile.decode(flipped, of: Self.owner) == nil, "octet \(index)")
      #expect(ServerTraitsFile.decode(Array(octets[..<index]), of: Self.owner) == nil)
    }
  }

  @Test("says nothing about a server that offers something else")
  func otherServer() {
    var traits = Self.samples[3]
    traits.loggedIn(.max)
    #expect(traits == Self.samples[3])
    traits.loggedIn(1)
    traits.roles = [.junk: []]
    traits.loggedIn(2)
    #expect(traits.roles.isEmpty)
    #expect(traits.pipelining == .untried && !traits.refusesInitialResponse)
    #expect(!traits.logsInByPlain && !traits.awaitsGreeting)
    traits.awaitsGreeting = true
    traits.loggedIn(3, keepsGreeting: true)
    #expect(traits.awaitsGreeting && traits.identity == 3)
    #expect(!traits.needsIdentity && traits.pause != nil, "a pause is the account's")
  }
}
