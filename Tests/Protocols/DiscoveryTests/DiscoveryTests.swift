import Discovery
import TestSupport
import Testing
import Hashing
import Web

/// What is asked about an address, and what is made of the answers.
@Suite struct DiscoveryTests {
  private static let forms = [
    "bücher.test": "xn--bcher-kva.test", "imap.bücher.test": "imap.xn--bcher-kva.test",
  ]

  private static func address(_ text: String) throws(SoughtAddress.Problem) -> SoughtAddress {
    try SoughtAddress(text) { forms[String(decoding: $0, as: UTF8.self)].map { Array($0.utf8) } }
  }

  /// A rule for the last two labels, or three in `co.uk`, and none for anything that ends in `unruly`.
  private static func registeredDomain(_ host: String) -> String? {
    let labels = host.split(separator: ".")
    let count = host.hasSuffix("co.uk") ? 3 : 2
    guard labels.count >= count, labels.last != "unruly" else { return nil }
    return labels.suffix(count).joined(separator: ".")
  }

  private static var tools: DiscoverySearch.Tools {
    DiscoverySearch.Tools(
      sha256: { Hashes.sha256($0) },
      registeredDomain: registeredDomain,
      asciiForm: { forms[String(decoding: $0, as: UTF8.self)].map { Array($0.utf8) } }
    )
  }

  // MARK: - Scenes

  /// Whatever the order of the answers, the same is found.
  @Test(arguments: try Fixtures.load("Fixtures/scenes.txt"), [false, true])
  func scenes(_ scene: Fixture, isReversed: Bool) throws {
    let text = String(decoding: try Fixtures.unescape(scene.body), as: UTF8.self)
    let address: SoughtAddress
    do throws(SoughtAddress.Problem) {
      address = try Self.address(text)
    } catch {
      let problem =
        switch error {
        case .notAnAddress: "notAnAddress"
        case .notADomain: "notADomain"
        }
      #expect(problem == scene["is"])
      return
    }
    var search = DiscoverySearch(address, tools: Self.tools)
    var asked: [String] = []
    var decision: FoundSettings?
    while let question = isReversed ? search.open.last : search.open.first {
      try Self.expectDiscreet(question, address)
      asked.append(Self.text(question))
      _ = search.applyAnswer(try Self.answer(question, scene), to: question)
      decision = decision ?? search.decision
    }
    if let wanted = scene["asked"] {
      #expect(asked.sorted() == wanted.split(separator: "\n").map { "\($0)" }.sorted())
    }
    #expect(Self.text(of: search, address) == scene["is"])
    // What was decided before all had answered was not changed by later answers.
    let end = try? search.end()
    if let decision { #expect(decision == end) }
    #expect(search.decision == end)
  }

  /// Nothing is asked in clear text, and the address is told to its own domain alone.
  private static func expectDiscreet(
    _ question: DiscoveryQuestion,
    _ address: SoughtAddress
  ) throws {
    guard case .document(let place) = question.matter else { return }
    let text = String(decoding: place.octets, as: UTF8.self)
    #expect(text.hasPrefix("https://"))
    let host = try #require(HostName(place.host))
    #expect(host.isIn(address.domain.text) || !text.contains("emailaddress"))
    #expect(host.isIn(address.domain.text) || place.query == nil)
  }

  private static func text(_ question: DiscoveryQuestion) -> String {
    switch question.matter {
    case .document(let address): "document \(String(decoding: address.octets, as: UTF8.self))"
    case .records(let name, .mx): "mx \(name)"
    case .records(let name, .srv): "srv \(name)"
    case .records(let name, .txt): "txt \(name)"
    }
  }

  private static func answer(
    _ question: DiscoveryQuestion,
    _ scene: Fixture
  ) throws -> DiscoveryAnswer {
    let given = scene[text(question)]
    if given == "unreachable" { return .unreachable }
    switch question.matter {
    case .document:
      guard let given else { return .noServer }
      let lines = given.split(separator: "\n", maxSplits: 1)
      return .document(
        status: try #require(Int(lines[0])),
        lines.count > 1 ? Array(lines[1].utf8) : []
      )
    case .records(_, let type):
      let lines = given?.split(separator: "\n") ?? []
      return .records(try lines.map { try record(String($0), type) })
    }
  }

  private static func record(_ line: String, _ type: DNSRecordType) throws -> DNSRecord {
    if type == .txt { return .txt(Array(line.utf8)) }
    let words = line.split(separator: " ").map { "\($0)" }
    let numbers = words.dropLast().compactMap { UInt16($0) }
    let name = words.last == "." ? [] : Array((words.last ?? "").utf8)
    return type == .mx
      ? .mx(preference: numbers[0], host: name)
      : .srv(priority: numbers[0], weight: numbers[1], port: numbers[2], target: name)
  }

  private static func text(of search: DiscoverySearch, _ address: SoughtAddress) -> String {
    do throws(DiscoverySearch.Failure) {
      let settings = try search.end()
      var lines = [
        settings.source.word + (settings.provider.map { " \($0.rawValue)" } ?? "")
      ]
      lines += settings.servers.map(text)
      if let issuer = settings.issuer { lines.append(text(issuer)) }
      if settings.provider == nil {
        let foreign = settings.hosts.filter {
          !(HostName($0.utf8)?.isIn(address.domain.text) ?? false)
        }
        if !foreign.isEmpty { lines.append("foreign: \(foreign.joined(separator: " "))") }
      }
      let missing = Acceptance(isGeneral: true, hosts: [])
        .missing(for: settings, usesIssuer: false)
      if !missing.isEmpty { lines.append("to be agreed to: \(missing.joined(separator: " "))") }
      return lines.joined(separator: "\n")
    } catch {
      switch error {
      case .unknown: return "unknown"
      case .unusable(let source, let reason): return "unusable \(source.word) \(reason)"
      case .unreachable: return "unreachable"
      case .incomplete: return "incomplete"
      }
    }
  }

  private static func text(_ server: FoundServer) -> String {
    "\(server.address) \(server.user) \(server.ways.map(\.rawValue).joined(separator: " "))"
  }

  private static func text(_ issuer: FoundIssuer) -> String {
    "issuer \(issuer.address)\(issuer.clientID.map { " \($0)" } ?? "")"
  }

  /// Usual names are tried only where they exist; `mail.` stands in for either.
  @Test(
    arguments: [
      (["imap", "smtp", "mail"], "imaps://imap.x.test submissions://smtp.x.test"),
      (["mail"], "imaps://mail.x.test submissions://mail.x.test"),
      (["imap"], "imaps://imap.x.test"), (["smtp"], nil), ([], nil),
    ] as [([String], String?)]
  )
  func guesses(names: [String], servers: String?) throws {
    let hosts = names.map { "\($0).x.test" }
    let guess = FoundSettings.guess(for: try Self.address("me@x.test")) { hosts.contains($0) }
    #expect(guess?.servers.map(\.address).joined(separator: " ") == servers)
  }

  // MARK: - Agreement

  @Test func hostsAreAgreedToByName() throws {
    let scene = try Fixtures.block("records for services", of: "Fixtures/scenes.txt")
    var search = DiscoverySearch(try Self.address(scene.body), tools: Self.tools)
    while let question = search.open.first {
      _ = search.applyAnswer(try Self.answer(question, scene), to: question)
    }
    let settings = try search.end()
    func missing(_ isGeneral: Bool, _ hosts: String...) -> [String] {
      Acceptance(isGeneral: isGeneral, hosts: hosts).missing(for: settings, usesIssuer: false)
    }
    #expect(missing(false) == ["a.x.test", "smtp.hoster.test"])
    #expect(missing(true, "A.x.test") == ["smtp.hoster.test"])
    #expect(missing(false, "a.x.test", "smtp.hoster.test") == [])
  }

  /// A person logs in at the authorization server too, so that it is agreed to as the others are.
  @Test func authorizationServersAreAgreedTo() throws {
    let scene = try Fixtures.block("PACC", of: "Fixtures/scenes.txt")
    var search = DiscoverySearch(try Self.address(scene.body), tools: Self.tools)
    while let question = search.open.first {
      _ = search.applyAnswer(try Self.answer(question, scene), to: question)
    }
    let settings = try search.end()
    let some = Acceptance(isGeneral: false, hosts: ["imap.x.test"])
    #expect(some.missing(for: settings, usesIssuer: false) == ["smtp.x.test"])
    #expect(some.missing(for: settings, usesIssuer: true) == ["smtp.x.test", "auth.x.test"])
    let general = Acceptance(isGeneral: true, hosts: [])
    #expect(general.missing(for: settings, usesIssuer: true) == [])
  }

  // MARK: - Files

  @Test(arguments: try Fixtures.load("Fixtures/clientconfig.txt"))
  func files(_ fixture: Fixture) throws {
    #expect(try Self.reading(Array(fixture.body.utf8)) == fixture["is"])
  }

  /// What a file comes to where it is all that there is.
  private static func reading(_ document: [UInt8]) throws -> String {
    let address = try address("me@x.test")
    var search = DiscoverySearch(address, tools: tools)
    while let question = search.open.first {
      let isFile = question.source == .wellKnown
      _ = search.applyAnswer(isFile ? .document(status: 200, document) : .noServer, to: question)
    }
    guard let settings = try? search.end() else { return "none" }
    let lines = settings.servers.map(text) + [settings.issuer.map(text)].compactMap { $0 }
    return lines.joined(separator: "\n")
  }

  /// Parts of a file are refused, and each with an octet changed is refused or names hosts of the Internet.
  @Test func partsAndChanges() throws {
    let fixture = try Fixtures.block("a server for sending", of: "Fixtures/clientconfig.txt")
    let whole = Array(fixture.body.utf8)
    for end in stride(from: 0, to: whole.count, by: 3) {
      #expect(try Self.reading(Array(whole[..<end])) == "none")
    }
    for place in whole.indices {
      for octet in [0, 37, 46, 60] as [UInt8] {
        var changed = whole
        changed[place] = octet
        let text = try Self.reading(changed)
        #expect(!text.contains("localhost") && !text.contains("127."))
      }
    }
  }
}
