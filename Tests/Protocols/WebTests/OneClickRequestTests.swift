import Octets
import TestSupport
import Testing
import Web

/// Where a request may go to which a stranger's message asks.
@Suite struct OneClickRequestTests {
  @Test(arguments: try Fixtures.load("Fixtures/one-click.txt"))
  func addressesAreChecked(_ fixture: Fixture) throws {
    do throws(OneClickRequest.Refusal) {
      let request = try OneClickRequest(try Self.octets(fixture))
      #expect(String(decoding: request.address.octets, as: UTF8.self) == fixture["is"])
    } catch {
      #expect("\(error)" == fixture["fails"])
    }
  }

  private static func octets(_ fixture: Fixture) throws(OneClickRequest.Refusal) -> [UInt8] {
    (try? fixture.octets()) ?? []
  }

  @Test(arguments: try Fixtures.load("Fixtures/network-addresses.txt"))
  func hostsAreOfThePublicInternet(_ fixture: Fixture) throws {
    for line in fixture.lines() {
      let address = try #require(Hex.decode(Array(line.utf8)).flatMap { NetworkAddress($0) })
      #expect(address.refused?.rawValue ?? "public" == fixture.name, "\(line)")
    }
  }

  @Test func whatIsNoAddressIsNone() {
    for count in [0, 3, 5, 15, 17] {
      #expect(NetworkAddress([UInt8](repeating: 8, count: count)) == nil)
    }
  }

  /// One address that is not public is enough: which of them is asked is not known before.
  @Test func eachAddressOfAHostIsChecked() throws {
    let request = try OneClickRequest([UInt8](ascii: "https://a.example/u?x=1"))
    let good = try #require(NetworkAddress([8, 8, 8, 8]))
    let bad = try #require(NetworkAddress([127, 0, 0, 1]))
    #expect(throws: OneClickRequest.Refusal.notPublic(bad, .loopback)) {
      try request.bound(to: [good, bad])
    }
    #expect(throws: OneClickRequest.Refusal.notPublic(bad, .loopback)) {
      try request.bound(to: [bad, good])
    }
  }

  /// What curl gets: one POST to the addresses that were checked, and nothing that leads elsewhere.
  @Test func curlAsksTheCheckedAddressesAlone() throws {
    let request = try OneClickRequest([UInt8](ascii: "https://a.example/u?x=1"))
    let addresses = [
      [8, 8, 4, 4], [0x26, 6, 0x28, 0, 2, 0x20, 0, 1, 2, 0x48, 0x18, 0x93, 0x25, 0xC8, 0x19, 0x46],
    ].compactMap { NetworkAddress($0 as [UInt8]) }
    let bound = try request.bound(to: addresses)
    let lines = String(decoding: bound.curlConfiguration, as: UTF8.self).split(separator: "\n")
    #expect(lines.contains("url = \"https://a.example/u?x=1\""))
    #expect(lines.contains("data-raw = \"List-Unsubscribe=One-Click\""))
    #expect(
      lines.contains(
        "resolve = \"a.example:443:8.8.4.4,[2606:2800:0220:0001:0248:1893:25c8:1946]\""
      )
    )
    #expect(lines.contains("proto = \"=https\"") && lines.contains("max-time = \"20\""))
    for word in ["location", "cookie", "referer", "user ", "netrc "] {
      #expect(!lines.contains { $0.hasPrefix(word) }, "\(word)")
    }
    #expect(bound.limit == 64 << 10 && bound.wantsStatusOnly && lines.contains("include"))
  }

  @Test(
    arguments: [
      ("HTTP/1.1 200 OK\r\nA: b\r\n\r\nwords", 200), ("HTTP/2 204 \r\n", 204),
      ("HTTP/1.1 500\r\n", 500),
      (
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 302 Found\r\n",
        302
      ),
      ("HTTP/1.1 100 Continue\r\n\r\n", nil), ("HTTP/1.1 100 Continue\r\nA: b\r\n", nil),
      ("HTTP/1.1 200", nil), ("HTTP/1.1\r\n", nil), ("HTTP/1.1 2000 OK\r\n", nil),
      ("HTTP/1.1 99 OK\r\n", nil), ("HTTP/1.1 OK 200\r\n", nil), ("", nil), ("<html>\n", nil),
    ] as [(String, Int?)]
  )
  func theStatusIsInTheHeader(_ text: String, _ status: Int?) {
    #expect(WebReply.status(ofHeader: Array(text.utf8)) == status)
  }
}
