import MIME
import MailModel
import Octets
import TestSupport
import Testing

/// What a message says of how its list is left.
@Suite struct UnsubscribeOfferTests {
  @Test(arguments: try Fixtures.load("Fixtures/unsubscribe.txt"))
  func offersAreRead(_ fixture: Fixture) throws {
    let header = Message(Array((fixture.body + "\n\ntext").utf8)).header
    let servers = TrustedServers(names: [[UInt8](ascii: "mx.me.test")], hops: 0)
    let verdict = SenderVerdict(of: header, by: servers, MIMEText.decoder)
    let offer = UnsubscribeOffer(header, verdict, isJunk: fixture.has("junk"))
    #expect(offer.map(Self.line) ?? "nothing" == (try fixture.text("way")))
  }

  private static func line(_ offer: UnsubscribeOffer) -> String {
    let way =
      switch offer.way {
      case .oneClick(let address): "one-click \(MIMEText.text(address))"
      case .mail(let address): "mail \(MIMEText.text(address))"
      case .web(let address): "web \(MIMEText.text(address))"
      }
    return ([way] + offer.doubts.map(\.rawValue)).joined(separator: " ")
  }

  /// Without a server that is believed nothing is verified, whatever the fields say.
  @Test func withoutAServerNothingIsVerified() throws {
    let fixture = try Fixtures.block("one click, signed", of: "Fixtures/unsubscribe.txt")
    let header = Message(Array((fixture.body + "\n\ntext").utf8)).header
    #expect(UnsubscribeOffer(header, nil, isJunk: false)?.doubts == [.unsigned])
  }

  @Test(arguments: try Fixtures.load("Fixtures/mailto.txt"))
  func messagesGoToOneAddress(_ fixture: Fixture) throws {
    let url = try fixture.octets()
    do throws(MailtoAddress.Problem) {
      let mail = try MailtoAddress(url)
      let parts = [mail.recipient.address, mail.subject, mail.text]
      let text = parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
      #expect(text.replacing("\n", with: "\\n") == fixture["is"])
    } catch {
      let text =
        if case .hasField(let name) = error {
          "hasField \(String(decoding: name, as: UTF8.self))"
        } else {
          "\(error)"
        }
      #expect(text == fixture["fails"])
    }
  }

  @Test(
    arguments: [
      ("List-Id: Swift <Swift.Example.org>", "swift.example.org"),
      ("List-Id: swift.example.org", "swift.example.org"),
      ("List-Id: =?utf-8?q?a_=3Cb=2Eexample=2Eorg=3E?=", "b.example.org"),
      ("List-Id: ", "nothing"), ("From: a@b.test", "nothing"),
    ]
  )
  func listsHaveIDs(field: String, id: String) {
    let header = Message(Array("\(field)\n\n".utf8)).header
    #expect(header.listID(MIMEText.decoder).map { MIMEText.text($0) } ?? "nothing" == id)
  }

  @Test func longFieldsAreNotRead() {
    let long = [UInt8](ascii: "<https://a.test/>") + [UInt8](repeating: 0x20, count: 64 << 10)
    #expect(ListField.addresses(in: long).isEmpty)
    let many = [UInt8](String(repeating: "<a:b>,", count: 1000).utf8)
    #expect(ListField.addresses(in: many).count == 20)
  }
}
