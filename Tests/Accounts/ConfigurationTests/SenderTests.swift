import Configuration
import Platform
import Proxies
import TestSupport
import Testing

/// What a right configuration means for sending.
@Suite struct SenderTests {
  @Test(arguments: try Fixtures.load("Fixtures/senders.txt"))
  func senders(_ fixture: Fixture) throws {
    let home = try ConfigurationHome()
    try home.write(fixture.body)
    let configuration = try home.load()
    let lines = configuration.senders.flatMap { sender in
      let isDefault = configuration.defaultSender == sender
      return Self.lines(sender).enumerated().map { ($0 == 0 && isDefault ? "* " : "") + $1 }
    }
    #expect(lines == fixture.lines("senders"))
    if fixture.has("accounts") {
      #expect(configuration.accounts.map(\.name) == fixture.lines("accounts"))
    }
    for sender in configuration.senders {
      #expect(configuration.sender(named: sender.name) == sender)
      #expect(sender.digest.count == 16)
    }
  }

  @Test func theDigestTellsAnotherLogIn() throws {
    let home = try ConfigurationHome()
    let digests = try ["a", "b"].map { word in
      try home.write("[account.w]\nsmtp = \"smtp+plain://127.0.0.1\"\nuser = \"\(word)\"\n")
      return try home.load().senders.map(\.digest)
    }
    #expect(digests[0] != digests[1])
  }

  @Test(
    arguments: [
      ("1025", 1025, "1025 octets"), ("10240000", 10_240_000, "10000 KiB"),
      ("64K", 64 << 10, "64 KiB"),
      ("25M", 25 << 20, "25 MiB"), ("1G", 1 << 30, "1 GiB"), ("1024M", 1 << 30, "1 GiB"),
    ]
  )
  func aMessageMayHaveThatSize(_ value: String, _ octets: Int, _ text: String) throws {
    let home = try ConfigurationHome()
    let account = "[account.w]\nsmtp = \"smtp+plain://127.0.0.1\"\n"
    try home.write("message-size-limit = \"\(value)\"\n" + account)
    let limit = try home.load().messageSizeLimit
    #expect(limit.octets == octets && limit.text == text && limit.ofEntries >= octets * 3)
    try home.write(account)
    #expect(try home.load().messageSizeLimit == .standard)
  }

  private static func lines(_ sender: Sender) -> [String] {
    let lines: [String?] = [
      "\(sender.server)" + (sender.user.isEmpty ? "" : " as \(sender.user)"),
      sender.secretKey,
      sender.addresses.isEmpty ? nil : sender.addresses.joined(separator: " "),
      sender.fullName,
      sender.trustFile.map { "trusts \($0.display)" },
      sender.fingerprint.map { _ in "pinned" },
      sender.proxy.map { proxy in
        "through \(proxy.address)" + (proxy.user.map { " as \($0)" } ?? "")
      },
      sender.clientCertificate.map { certificate in
        "shows \(certificate.certificate.display)"
          + (sender.certificateUser.map { " as <\(String(decoding: $0, as: UTF8.self))>" } ?? "")
      },
    ]
    return lines.compactMap { $0 }.map { "\(sender.name): \($0)" }
  }
}
