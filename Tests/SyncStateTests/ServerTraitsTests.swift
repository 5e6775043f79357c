import MailModel
import Testing

@testable import SyncState

@Suite("What a server was seen to do")
struct ServerTraitsTests {
  private static let digest = Array("0123abcd".utf8)

  private static let samples: [ServerTraits] = {
    var seen = ServerTraits()
    seen.loggedIn(.max)
    var working = seen
    working.pipelining = .works
    working.logsInByPlain = true
    working.roles = [.trash: Array("Papierkorb".utf8), .drafts: Array("a b/c%\n".utf8)]
    var failing = seen
    failing.pipelining = .fails
    failing.refusesInitialResponse = true
    failing.awaitsGreeting = true
    failing.needsIdentity = true
    failing.limitConnections(to: 2, now: 1_795_000_000)
    _ = failing.postpone(now: 1_795_000_000, seconds: nil, reason: [0, 10, 32, 37, 255])
    return [ServerTraits(), seen, working, failing]
  }()

  @Test("comes back whole", arguments: samples)
  func roundTrip(traits: ServerTraits) {
    let octets = ServerTraitsFile.encode(traits, digest: Self.digest)
    #expect(ServerTraitsFile.decode(octets, digest: Self.digest) == traits)
  }

  @Test("is not believed of another server, user or secret")
  func otherAccount() {
    let octets = ServerTraitsFile.encode(Self.samples[2], digest: Self.digest)
    #expect(ServerTraitsFile.decode(octets, digest: Array("other".utf8)) == nil)
  }

  @Test("is not believed of a damaged file, or one of a later version")
  func damage() {
    let octets = ServerTraitsFile.encode(Self.samples[2], digest: Self.digest)
    for index in octets.indices {
      var flipped = octets
      flipped[index] ^= 1
      #expect(ServerTraitsFile.decode(flipped, digest: Self.digest) == nil, "octet \(index)")
      #expect(ServerTraitsFile.decode(Array(octets[..<index]), digest: Self.digest) == nil)
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
    #expect(!traits.needsIdentity && traits.pause != nil, "a pause is the account's")
  }
}
