package import Configuration
internal import Correspondence
package import MailModel
internal import MIME
package import Octets
internal import Platform

/// A message of an agent as a person at a terminal sees it before it is sent: to whom it goes, with warnings, and all it says.
package struct MessageReview {
  private let agent: [UInt8]
  private let message: Message
  private let addresses: [[UInt8]]
  /// Nil where the mail of the person cannot be searched.
  private let review: AddressReview?
  private let problem: Explanation?
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  /// Looks at a message.
  ///
  /// - Parameters:
  ///   - agent: the agent.
  ///   - message: the message as it is sent, in clear text.
  ///   - addresses: those to which it goes, which its fields need not name.
  ///   - configuration: the accounts in whose mail the addresses are looked for; nil where there is none.
  /// - Throws: that the message cannot be read.
  package init(
    agent: [UInt8],
    _ message: any OctetSource,
    to addresses: [[UInt8]],
    _ configuration: Configuration?
  ) throws(Explanation) {
    (self.agent, self.addresses) = (agent, addresses)
    let octets = try explaining(.noInput) { () throws(SourceError) in try message.whole() }
    self.message = Message(octets)
    let header = self.message.header
    do throws(Explanation) {
      guard let configuration else { throw Explanation(.configuration, "no configuration") }
      review = try AddressLookup(configuration).review(of: addresses, answering: header.inReplyTo)
      problem = nil
    } catch {
      (review, problem) = (nil, error)
    }
  }

  /// All that is shown, a line each, without anything that a terminal would obey.
  package var lines: [String] { head + [""] + body + [""] }

  /// Who sends it to whom, and what goes with it.
  package var head: [String] {
    var lines = ["Agent: \(Printable.text(agent, limit: 40))"]
    for name in ["From", "Reply-To"] as [StaticString] {
      guard let value = AddressText.value(name, of: message.header, decoder) else { continue }
      lines.append("\(name): \(Printable.text(value))")
    }
    lines.append(addresses.count == 1 ? "To 1 address:" : "To \(addresses.count) addresses:")
    lines += addresses.map(line)
    if let problem {
      lines.append("    the mail cannot be searched for these addresses: \(problem.what)")
    }
    lines.append("Subject: \(Printable.text(message.header.text("Subject", decoder) ?? []))")
    return lines + message.root.attachments.map(line)
  }

  private func line(_ address: [UInt8]) -> String {
    let warnings = review?.warnings(of: address).map(\.rawValue) ?? ["nothing is known of it"]
    let words = warnings.isEmpty ? "" : "  (\(warnings.joined(separator: "; ")))"
    return "    \(Printable.text(address, limit: 320))\(words)"
  }

  private func line(_ part: Part) -> String {
    let name = part.fileName(decoder) ?? AttachmentName.made(of: part)
    let type = Printable.text(part.contentType.octets, limit: 100)
    return "Attached: \(Printable.text(name, limit: 200)) (\(type))"
  }

  /// The whole text.
  private var body: [String] {
    guard !MessageEnvelope.mayBeEncrypted(message) else {
      return ["(it is encrypted: its text cannot be shown here)"]
    }
    var lines: [String] = []
    for part in message.root.readable() {
      guard let text = part.plainText(decoder) else { continue }
      lines += text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
        .map { Printable.text($0, limit: .max) }
    }
    if message.root.readable(preferring: .html).contains(where: \.contentType.isHTML) {
      lines.append("(a form in HTML goes with it, which may say something else)")
    }
    return lines
  }
}
