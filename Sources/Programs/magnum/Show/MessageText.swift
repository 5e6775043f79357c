internal import Correspondence
internal import Invitations
internal import MIME
internal import Octets
internal import Platform
internal import Protection
internal import SearchIndex
internal import Terminal
internal import Triage

/// Messages as text for a terminal: header, list of parts and text, without anything that the terminal would obey.
///
/// Everything goes into one array of octets, so that time and memory grow with the size of the messages alone.
struct MessageText {
  let prefersHTML: Bool
  let showsAllHeaders: Bool
  let style: TextStyle
  private(set) var octets: [UInt8] = []
  /// The message that is being added.
  private var reading: ProtectionReading?

  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  init(prefersHTML: Bool, showsAllHeaders: Bool, style: TextStyle) {
    self.prefersHTML = prefersHTML
    self.showsAllHeaders = showsAllHeaders
    self.style = style
  }

  /// The fields that are shown where not all are wanted.
  private static let chosen: [StaticString] = ["From", "To", "Cc", "Date", "Subject"]

  private static let width = 72

  /// Adds a message, parted from one that is there by a line.
  ///
  /// - Parameters:
  ///   - reading: the message.
  ///   - tags: its tags.
  ///   - sender: what the receiving server said of its sender.
  ///   - unsubscribed: when its list was left, before it came; nil where it was not.
  ///   - bounces: the recipients who did not get it.
  ///   - invitation: what it says of an event; nil where it has none.
  mutating func add(
    _ reading: ProtectionReading,
    tags: [String],
    sender: SenderVerdict? = nil,
    unsubscribed: Int64? = nil,
    bounces: [FailedRecipient] = [],
    invitation: InvitationLook? = nil
  ) {
    if !octets.isEmpty { addRule("", before: true) }
    addHeader(reading.header)
    if let author = reading.protectedHeader?.otherAuthor {
      add(author.text(decoder), name: [UInt8](ascii: "From within"))
    }
    if !tags.isEmpty { addField("Tags: " + tags.joined(separator: " ")) }
    for recipient in bounces { addField("Bounced: \(recipient.line)") }
    let remark = unsubscribed.map { [SenderLook.remark(unsubscribed: $0)] } ?? []
    for line in (sender?.lines ?? []) + remark + ProtectionLines(reading).all {
      octets += style.lines(Array(line.utf8)[...], .verdict)
    }
    if let invitation { add(invitation) }
    self.reading = reading
    addContent(reading.message.root)
    self.reading = nil
  }

  private mutating func addRule(_ title: String, before: Bool = false) {
    let dash = style.drawsRules ? "─" : "-"
    let start = title.isEmpty ? "" : "\(dash)\(dash) \(title) "
    let width = style.drawsRules ? min(Self.width, style.width ?? Self.width) : 0
    let rule = start + String(repeating: dash, count: max(3, width - start.count))
    if before { octets.append(ASCII.lineFeed) }
    octets += style.lines(Array(rule.utf8)[...], .rule) + [ASCII.lineFeed]
  }

  // MARK: Header

  private mutating func addHeader(_ header: Header) {
    if showsAllHeaders {
      for field in header.fields where !field.name.isEmpty {
        add(field.text(decoder), name: field.name)
      }
    } else {
      for name in Self.chosen {
        guard let value = AddressText.value(name, of: header, decoder) else { continue }
        add(value, name: [UInt8](ascii: name))
      }
    }
  }

  private mutating func add(_ value: [UInt8], name: some Collection<UInt8>) {
    var line: [UInt8] = []
    Self.append(ProtectionLines.toldApart(name), to: &line)
    line.append(ASCII.colon)
    let nameLength = line.count
    line.append(ASCII.space)
    Self.append(value, to: &line)
    octets += style.lines(line[...], .field, nameLength: nameLength)
  }

  /// What the message says of an event.
  private mutating func add(_ invitation: InvitationLook) {
    if let problem = invitation.problem { addField("Event: \(problem.words)") }
    for line in invitation.lines { add(line.value, name: [UInt8](line.name.utf8)) }
    for note in invitation.notes { addField("Note: \(note)") }
  }

  // MARK: Parts

  /// A list of what can be saved, the texts, and the messages inside.
  private mutating func addContent(_ part: Part) {
    let attachments = reading?.attachments(of: part) ?? []
    if !attachments.isEmpty { addLine("Parts:") }
    for attachment in attachments { addEntry(attachment) }
    for readable in part.readable(preferring: prefersHTML ? .html : .plain) {
      if readable.contentType.fragment != nil, readable.kind == .leaf {
        addRule(PartRemark.text(readable) ?? "", before: true)
      } else {
        octets.append(ASCII.lineFeed)
      }
      if isUnsignedBesideSigned(readable) {
        addLine(ProtectionLines.notSigned)
        octets.append(ASCII.lineFeed)
      }
      if reading?.isHidden(readable) == true { continue }
      if let root = readable.messageInside {
        addMessage(root, in: readable)
      } else if let text = reading?.plainText(of: readable, decoder) {
        add(text: text)
      }
    }
  }

  // MARK: Protection

  private func isUnsignedBesideSigned(_ part: Part) -> Bool {
    guard let reading, reading.coverage == .part, let section = part.section else { return false }
    return !reading.signatures.contains { $0.covered.contains(section) }
  }

  /// The number, name, type and size of a part; a message inside goes by its subject.
  private mutating func addEntry(_ part: Part) {
    var line = Array("  \(part.section?.description ?? "-")  ".utf8)
    let subject = part.messageInside?.header.text("Subject", decoder).flatMap {
      $0.isEmpty ? nil : $0
    }
    if let name = part.fileName(decoder) ?? subject {
      Self.append(name, to: &line)
    } else {
      line += "without a name".utf8
    }
    line += "  (".utf8
    Self.append((part.external ?? part).contentType.octets, to: &line)
    let size = part.externalSize.map { "\(HumanFormat.bytes($0)) on the server" }
    let remark = PartRemark.text(part).map { ": \($0)" } ?? ""
    line += ", \(size ?? HumanFormat.bytes(UInt64(part.decodedSize))))\(remark)".utf8
    octets += style.lines(line[...], .field)
  }

  private mutating func addMessage(_ root: Part, in part: Part) {
    addRule("message \(part.section?.description ?? "inside")")
    addHeader(root.header)
    addContent(root)
  }

  // MARK: Text

  private mutating func add(text: [UInt8]) {
    var rest = text[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: ASCII.lineFeed) ?? rest.endIndex
      if end > rest.startIndex { add(line: rest[..<end]) } else { octets.append(ASCII.lineFeed) }
      rest = rest[end...].dropFirst()
    }
  }

  private mutating func add(line: ArraySlice<UInt8>) {
    var clean: [UInt8] = []
    Self.append(line, to: &clean)
    octets += style.lines(clean[...], .text)
  }

  /// Adds a line in which something stands that others chose.
  private mutating func addField(_ line: String) {
    octets += style.lines(Array(line.utf8)[...], .field)
  }

  private mutating func addLine(_ line: String) {
    octets += line.utf8
    octets.append(ASCII.lineFeed)
  }

  /// Adds a line without controls; tabs are spaces.
  private static func append(_ line: some Collection<UInt8>, to result: inout [UInt8]) {
    guard line.contains(ASCII.tab) else { return Printable.append(line, to: &result) }
    var spaced: [UInt8] = []
    for octet in line {
      if octet == ASCII.tab {
        repeat { spaced.append(ASCII.space) } while spaced.count % 8 != 0
      } else {
        spaced.append(octet)
      }
    }
    Printable.append(spaced, to: &result)
  }
}
