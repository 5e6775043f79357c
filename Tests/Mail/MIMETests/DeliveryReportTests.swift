import MIME
import Octets
import TestSupport
import Testing

/// What reports of servers say of messages that were sent.
@Suite struct DeliveryReportTests {
  @Test(arguments: try Fixtures.load("Fixtures/delivery-reports.txt"))
  func reportsAreRead(_ fixture: Fixture) throws {
    let message = Message(try fixture.octets())
    let report = DeliveryReport(message, MIMEText.decoder)
    #expect((report?.messageID.octets).map(MIMEText.text) ?? "none" == (try fixture.text("id")))
    let recipients = (report?.recipients ?? []).map { recipient in
      let addresses = recipient.addresses.map { MIMEText.text($0) }.joined(separator: " ")
      let status = recipient.status.map { MIMEText.text($0) } ?? "-"
      let line = "\(recipient.action) \(status) \(addresses): \(MIMEText.text(recipient.words))"
      return line.hasSuffix(" ") ? String(line.dropLast()) : line
    }
    #expect(recipients == fixture.lines("recipients"))
  }

  private static let head = """
    Content-Type: multipart/report; report-type=delivery-status; boundary=b

    --b
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mx.example.net


    """
  private static let tail = """
    --b
    Content-Type: text/rfc822-headers

    Message-ID: <a@example.org>

    --b--

    """

  private static func report(_ count: Int, words: String = "no") -> DeliveryReport? {
    let groups = (0..<count).map { number in
      """
      Final-Recipient: rfc822; r\(number)@example.net
      Action: failed
      Diagnostic-Code: smtp; \(words)


      """
    }
    return DeliveryReport(Message(Array((head + groups.joined() + tail).utf8)), MIMEText.decoder)
  }

  @Test func thousandRecipientsAreReadAndMoreAreNot() {
    #expect(Self.report(1000)?.recipients.count == 1000)
    #expect(Self.report(1001) == nil)
    #expect(Self.report(0) == nil)
  }

  @Test func wordsAreCut() throws {
    let report = try #require(Self.report(1, words: String(repeating: "long ", count: 1000)))
    #expect(report.recipients.first?.words.count == 500)
  }

  /// Each octet that is cut off leaves a report that is understood, or none.
  @Test func aReportMayEndAnywhere() {
    let group = "Final-Recipient: rfc822; r@x.test\nAction: failed\n\n"
    let octets = Array((Self.head + group + Self.tail).utf8)
    var known: Set<Int> = []
    for end in 0...octets.count {
      let report = DeliveryReport(Message(Array(octets[..<end])), MIMEText.decoder)
      known.insert(report?.recipients.count ?? 0)
    }
    #expect(known == [0, 1])
  }
}
