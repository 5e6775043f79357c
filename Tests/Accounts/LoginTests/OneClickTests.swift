import Configuration
import Login
import Octets
import Platform
import Synchronization
import TestSupport
import Testing
import Web

/// Lists are left by one request to the addresses that were checked.
@Suite struct OneClickTests {
  private static let loopback = NetworkAddress([127, 0, 0, 1])

  /// Requests to a server of the test, for which alone loopback is allowed.
  private static func oneClick(
    _ server: WebScript,
    resolve: @escaping OneClick.Resolver = { _ in [loopback].compactMap(\.self) }
  ) -> OneClick {
    OneClick(
      by: OneClickRequest.Rules(port: server.port) { $0 == loopback ? nil : $0.refused },
      trusting: WebRequest.Trust(
        file: Array(server.authority.utf8),
        directory: Array("/nowhere".utf8)
      ),
      resolve: resolve
    )
  }

  private static func send(
    _ path: String,
    _ server: WebScript,
    _ click: OneClick,
    _ interruption: Interruption? = nil
  ) throws(OneClick.Failure) -> Int {
    let address = "https://\(WebScript.host):\(server.port)\(path)"
    let request = try click.request(to: Array(address.utf8))
    return try click.send(request, through: .none, interruption: interruption)
  }

  @Test(arguments: [200, 201, 202, 204])
  func aSuccessIsOne(status: Int) throws {
    let server = try WebScript()
    let path = "/status/\(status)?id=a%20b"
    #expect(try Self.send(path, server, Self.oneClick(server)) == status)
    let log = server.log
    #expect(log.first == "POST \(path) List-Unsubscribe=One-Click")
    #expect(log.contains("content-type: application/x-www-form-urlencoded"))
    #expect(log.contains("user-agent: Magnum"))
    for name in ["cookie", "referer", "authorization", "origin"] {
      #expect(!log.contains { $0.hasPrefix("\(name):") }, "\(name)")
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308, 400, 404, 410, 500, 503])
  func anyOtherStatusIsNone(status: Int) throws {
    let server = try WebScript()
    #expect(throws: OneClick.Failure.status(status)) {
      try Self.send("/status/\(status)", server, Self.oneClick(server))
    }
    // Neither a redirect nor a second try.
    #expect(server.log.count { $0.hasPrefix("POST ") || $0.hasPrefix("GET ") } == 1)
  }

  /// A proxy of the configuration gets the name; nothing is looked up here.
  @Test(arguments: ["socks5h", "http"]) func aProxyLooksTheNameUp(scheme: String) throws {
    let (server, proxy, place) = (try WebScript(), try ForwardProxy(), try TempDirectory("proxy"))
    let file = try place.write(
      """
      [account.a]
      maildir = "\(place.path)/Mail"
      imap = "imaps://imap.x.test"
      user = "me"
      password = "word"
      proxy = "\(scheme)://127.0.0.1:\(proxy.port)"
      """,
      to: "config.toml",
      mode: 0o600
    )
    let account = try #require(try Configuration.load(explicit: Path(file)).accounts.first)
    let click = Self.oneClick(server) { _ in
      Issue.record("looked up")
      return []
    }
    let address = "https://\(WebScript.host):\(server.port)/status/200"
    let status = try click.send(
      try click.request(to: Array(address.utf8)),
      through: try WebProxy(account.webProxy, interruption: nil),
      interruption: nil
    )
    #expect(status == 200)
    #expect(
      proxy.requests == [
        scheme == "http"
          ? "connect \(WebScript.host):\(server.port)" : "socks \(WebScript.host) \(server.port)"
      ]
    )
  }

  /// The status counts, however long the page is that stands behind it; that is not read to its end.
  @Test(arguments: ["/large", "/endless", "/slow"])
  func longAnswersAreNotRead(path: String) throws {
    let server = try WebScript()
    #expect(try Self.send(path, server, Self.oneClick(server)) == 200)
    if path != "/slow" {
      #expect(Stopwatch.wait(upTo: 60) { server.log.contains("gone") }, "\(server.log)")
    }
  }

  /// A header without an end is no answer.
  @Test func longHeadersAreNotRead() throws {
    let server = try WebScript()
    #expect(throws: OneClick.Failure.self) {
      try Self.send("/header", server, Self.oneClick(server))
    }
  }

  @Test func aCutConnectionIsNoAnswer() throws {
    let server = try WebScript()
    do throws(OneClick.Failure) {
      _ = try Self.send("/cut", server, Self.oneClick(server))
      Issue.record("there was an answer")
    } catch {
      guard case .noAnswer(let failure) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(failure.isTemporary, "\(failure)")
    }
  }

  /// A server that says nothing is left when the person wants that; curl itself ends after 20 s.
  @Test func silenceIsInterrupted() throws {
    let server = try WebScript()
    let interruption = Interruption()
    _ = Background {
      _ = Stopwatch.wait(upTo: 60) { !server.log.isEmpty }
      interruption.request()
    }
    #expect(throws: OneClick.Failure.noAnswer(.interrupted)) {
      try Self.send("/silent", server, Self.oneClick(server), interruption)
    }
  }

  /// A name that means another host once it was checked leads nowhere else: it is looked up once, and curl not at all.
  @Test func aNameIsLookedUpOnce() throws {
    let server = try WebScript()
    let count = Mutex(0)
    let click = Self.oneClick(server) { host in
      #expect(host == WebScript.host)
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      let address = isFirst ? Self.loopback : NetworkAddress([10, 0, 0, 1])
      return [address].compactMap(\.self)
    }
    #expect(try Self.send("/status/200", server, click) == 200)
    #expect(count.withLock { $0 } == 1)
  }

  @Test func noAddressIsNoAnswer() throws {
    let server = try WebScript()
    #expect(throws: OneClick.Failure.noAnswer(.unresolved)) {
      try Self.send("/status/200", server, Self.oneClick(server) { _ in [] })
    }
    #expect(server.log.isEmpty)
  }

  /// One address that is refused is enough, wherever it stands.
  @Test(arguments: [true, false])
  func aHostWithARefusedAddressIsNotAsked(isFirst: Bool) throws {
    let server = try WebScript()
    let bad = try #require(NetworkAddress([169, 254, 169, 254]))
    let good = try #require(Self.loopback)
    let click = Self.oneClick(server) { _ in isFirst ? [bad, good] : [good, bad] }
    #expect(throws: OneClick.Failure.refused(.notPublic(bad, .linkLocal))) {
      try Self.send("/status/200", server, click)
    }
    #expect(server.log.isEmpty)
  }

  /// A certificate of another authority is none.
  @Test func theCertificateIsChecked() throws {
    let server = try WebScript()
    let click = OneClick(
      by: OneClickRequest.Rules(port: server.port) { _ in nil },
      trusting: nil,
      resolve: { _ in [Self.loopback].compactMap(\.self) }
    )
    do throws(OneClick.Failure) {
      _ = try Self.send("/status/200", server, click)
      Issue.record("there was an answer")
    } catch {
      guard case .noAnswer(.untrusted) = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(server.log.isEmpty)
  }

  /// As programs ask: this machine is refused by whatever name.
  @Test(arguments: ["a.localhost", "b.c.localhost"])
  func thisMachineIsRefused(host: String) throws {
    let click = OneClick()
    let request = try click.request(to: Array("https://\(host)/".utf8))
    do throws(OneClick.Failure) {
      _ = try click.send(request, through: .none, interruption: nil)
      Issue.record("there was an answer")
    } catch {
      guard case .refused(.notPublic(_, .loopback)) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}
