import MIME
import MailModel
import Octets
import TestSupport
import Testing

/// What receiving servers say of senders.
@Suite struct SenderVerdictTests {
  @Test(arguments: try Fixtures.load("Fixtures/sender-verdicts.txt"))
  func verdictsGoByTheServer(_ fixture: Fixture) throws {
    let header = Message(try fixture.octets()).header
    let words = (fixture.lines("servers").first ?? "0").split(separator: " ")
    let servers = TrustedServers(
      names: words.dropLast().map { Array($0.utf8) },
      hops: words.last.flatMap { Int($0) } ?? 0
    )
    let verdict = SenderVerdict(of: header, by: servers, MIMEText.decoder)
    #expect(verdict.map(MIMEText.line) ?? "nothing" == (try fixture.text("verdict")))
    if let proven = fixture["proven"] {
      #expect(verdict?.proven.map(MIMEText.text) == proven)
    }
    #expect((verdict?.results ?? []).map(MIMEText.line) == fixture.lines("results"))
  }

  private static let field = "Authentication-Results: mx.example.org; none"
  private static let other = "Authentication-Results: mx.example.net; none"
  private static let hop = "Received: by mx.example.org"

  /// What is proposed by messages of some kinds, so many of each.
  @Test(
    arguments: [
      ([([field], 10)], "mx.example.org 0, 0 without"),
      ([([field], 9)], "nothing"),
      ([([field], 9), ([], 1)], "mx.example.org 0, 1 without"),
      ([([field], 45), ([other], 5)], "mx.example.org 0, 5 without"),
      ([([field], 44), ([other], 6)], "nothing"),
      ([([], 50)], "nothing"),
      ([([hop, hop, field], 20)], "mx.example.org 2, 0 without"),
      ([([field], 10), ([hop, field], 10)], "mx.example.org 1, 0 without"),
      // The topmost field is that of the server.
      ([([field, other], 20)], "mx.example.org 0, 0 without"),
      ([(Array(repeating: hop, count: 10) + [field], 20)], "nothing"),
      ([(["Authentication-Results: \"mx;\\\"\"; none"], 20)], "nothing"),
    ] as [([([String], Int)], String)]
  )
  func aServerIsProposedWhereMessagesAgree(_ messages: [([String], Int)], _ text: String) {
    let headers = messages.flatMap { fields, count in
      let octets = Array((fields.joined(separator: "\n") + "\n\ntext").utf8)
      return [Header](repeating: Message(octets).header, count: count)
    }
    let proposal = VerdictProposal(headers)
    let words = proposal.map { proposal in
      let names = proposal.servers.names.map { MIMEText.visible($0) }.joined(separator: " ")
      return "\(names) \(proposal.servers.hops), \(proposal.without) without"
    }
    #expect(words ?? "nothing" == text)
  }
}
