package import Configuration
internal import Correspondence
package import MailModel
internal import MIME
package import Octets
internal import Platform
internal import Terminal

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

  /// More addresses are listed above the text, and only some of them below it.
  private static let few = 10

  /// All that is shown on a terminal of that width, a row each, without anything that the terminal would obey.
  ///
  /// The rows of the text begin with a mark, so that it can imitate no other one. To whom the message goes is in the last
  /// rows, whatever the message says.
  package func rows(width: Int) -> [String] {
    let width = max(20, width)
    var rows = ["Agent: \(Printable.text(agent, limit: 40))"]
    for name in ["From", "Reply-To"] as [StaticString] {
      guard let value = AddressText.value(name, of: message.header, decoder) else { continue }
      rows.append(Self.row("\(name): ", value, width))
    }
    if addresses.count > Self.few {
      rows.append("To \(addresses.count) addresses:")
      rows += addresses.map { row($0, width) }
    }
    rows += message.root.attachments.map { row($0, width) }
    return rows + [""] + body(width) + [""] + summary(width)
  }

  // MARK: Address and subject

  /// Those with warnings first.
  private func summary(_ width: Int) -> [String] {
    let sorted =
      addresses.filter { !warnings(of: $0).isEmpty } + addresses.filter { warnings(of: $0).isEmpty }
    var rows = [addresses.count == 1 ? "To 1 address:" : "To \(addresses.count) addresses:"]
    rows += sorted.prefix(Self.few).map { row($0, width) }
    let rest = sorted.dropFirst(Self.few)
    if !rest.isEmpty { rows.append("    and \(rest.count) more, which are listed above the text") }
    if let problem {
      let words = "    the mail cannot be searched for these addresses: \(problem.what)"
      rows.append(DisplayWidth.cut(words, to: width - 1))
    }
    let count = message.root.attachments.count
    if count > 0 { rows.append(count == 1 ? "With 1 attachment" : "With \(count) attachments") }
    rows.append(Self.row("Subject: ", message.header.text("Subject", decoder) ?? [], width))
    return rows
  }

  private func warnings(of address: [UInt8]) -> [String] {
    review?.warnings(of: address).map(\.rawValue) ?? ["nothing is known of it"]
  }

  /// An address with its warnings; of a long one the end, which has the domain.
  private func row(_ address: [UInt8], _ width: Int) -> String {
    let warnings = warnings(of: address)
    let words = warnings.isEmpty ? "" : "  (\(warnings.joined(separator: "; ")))"
    var shown = Substring(Self.shown(address))
    let room = max(20, width - 5 - words.count)
    var cut = ""
    while DisplayWidth.columns(of: cut + shown) > room {
      (cut, shown) = ("…", shown.dropFirst())
    }
    return "    \(cut)\(shown)\(words)"
  }

  private func row(_ part: Part, _ width: Int) -> String {
    // As its recipients see it, with all that a name of a file must not have.
    var name = part.givenName(decoder) ?? AttachmentName.made(of: part)
    if name.count > 1000 { name.removeSubrange(500..<(name.count - 100)) }
    let type = Printable.text(part.contentType.octets, limit: 60)
    let shown = Self.shortened(Self.shown(name), to: max(10, width - type.count - 15))
    return "Attached: \(shown) (\(type))"
  }

  /// A name with its end, which says what a file is, in so many columns.
  private static func shortened(_ name: String, to width: Int) -> String {
    guard DisplayWidth.columns(of: name) > width else { return name }
    let end = name.suffix(8)
    return DisplayWidth.cut(name, to: max(2, width - DisplayWidth.columns(of: String(end)))) + end
  }

  /// A value in one row.
  private static func row(_ name: String, _ value: [UInt8], _ width: Int) -> String {
    DisplayWidth.cut(name + shown(value), to: width - 1)
  }

  /// A value with single blanks: others could fill rows.
  private static func shown(_ value: [UInt8]) -> String {
    let words = Printable.text(value).unicodeScalars.split { $0.properties.isWhitespace }
    return words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
  }

  // MARK: Text

  private static let mark = "| "

  /// The whole text.
  private func body(_ width: Int) -> [String] {
    guard !MessageEnvelope.mayBeEncrypted(message) else {
      return ["(it is encrypted: its text cannot be shown here)"]
    }
    var rows: [String] = []
    for part in message.root.readable() {
      guard let text = part.plainText(decoder) else { continue }
      for line in text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
        rows += Self.marked(Printable.text(line, limit: .max), width)
      }
    }
    if message.root.readable(preferring: .html).contains(where: \.contentType.isHTML) {
      rows.append("(a form in HTML goes with it, which may say something else)")
    }
    return rows
  }

  /// A line of the text in rows that are narrower than the terminal.
  private static func marked(_ line: String, _ width: Int) -> [String] {
    var rows: [String] = []
    var (row, columns) = (mark, mark.count)
    for scalar in line.unicodeScalars {
      let wide = DisplayWidth.columns(of: String(scalar))
      if columns + wide >= width {
        rows.append(row)
        (row, columns) = (mark, mark.count)
      }
      row.unicodeScalars.append(scalar)
      columns += wide
    }
    return rows + [row]
  }
}
