internal import MailModel
internal import MailStore
internal import MessageContent
internal import Octets
internal import Platform

/// A message of a test.
struct TrialMessage: MessageSource {
  let identifier: [UInt8]
  let marks: MessageFlags
  let arrival: Int64?
  private let octets: [UInt8]

  init(_ name: String, _ kind: String, now: Int64) {
    identifier = Array("<\(kind).\(name)@magnum.invalid>".utf8)
    marks = MessageFlags(kind == "draft" ? [.seen, .draft] : .seen)
    arrival = now
    octets = Array(
      """
      From: magnum@magnum.invalid\r
      Subject: \(name): a test of labels, which removes this message\r
      Date: Thu, 01 Jan 2026 00:00:00 +0000\r
      Message-ID: \(String(decoding: identifier, as: UTF8.self))\r
      \r
      \(kind)\r

      """.utf8
    )
  }

  var wireSize: UInt64 { UInt64(octets.count) }
  func open() throws(SystemError) -> WireReader { WireReader(octets) }
}
