internal import AgentPlan
internal import Configuration
internal import Correspondence
internal import JSON
internal import MIME
internal import MailModel
internal import Octets
internal import Platform
internal import SearchIndex
internal import SyncState

/// The tool `show`: a page of the text of a message, and what there is to know of it.
struct ShowTool {
  private let mail: AgentMail
  private let call: ToolCall
  private let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  /// Messages of one id that are shown at most: two that differ, and a third that proves that there are more.
  private static let messageLimit = 3
  private static let linkLimit = 500
  private static let linkLength = 500
  private static let headerLength = 500
  private static let partLimit = 100
  /// What links and header fields may take of an answer.
  private static let extraRoom = 8 << 10

  init(_ mail: AgentMail, _ call: ToolCall) {
    (self.mail, self.call) = (mail, call)
  }

  /// What is shown, and the ids of it.
  func answer() throws(ToolFailure) -> (value: JSONValue, ids: [[UInt8]]) {
    let found = try mail.messages(call.text("id") ?? "", limit: Self.messageLimit)
    let value = try answer(found, addresses: MailMembers.usualAddresses, room: Self.extraRoom)
    if value.text.count <= ToolAnswer.limit { return (value, found.map(\.id)) }
    return (try answer(found, addresses: 3, room: 0), found.map(\.id))
  }

  private func answer(
    _ found: [FoundMessage],
    addresses: Int,
    room: Int
  ) throws(ToolFailure) -> JSONValue {
    var messages: [JSONValue] = []
    for message in found {
      messages.append(try object(message, addresses: addresses, room: room))
    }
    return .object([ToolAnswer.version, ("messages", .array(messages))])
  }

  private func object(
    _ found: FoundMessage,
    addresses: Int,
    room: Int
  ) throws(ToolFailure) -> JSONValue {
    let files = try mail.files(of: found)
    let content = try mail.open(files).content
    let root = try root(of: content.message)
    let text = text(of: root)
    guard let page = text.pages.page(call.number("page") ?? 1) else { throw .notFound }
    var inner = header(root.header, found, files, addresses)
    var members: [(name: String, value: JSONValue)] = [
      ("date", found.dateText), ("size", ToolAnswer.number(found.size)),
      ("page", ToolAnswer.number(call.number("page") ?? 1)),
      ("pages", ToolAnswer.number(text.pages.count)),
      ("quoted-lines", ToolAnswer.number(text.quoted)),
      ("removed", ToolAnswer.number(text.removed)),
      ("forms", .array(Self.forms(of: root).map { .string($0) })),
      ("encrypted", .boolean(AgentMail.isEncrypted(found, content.message))),
      ("signed", .boolean(found.isTagged("signed"))),
    ]
    members += try SenderFacts(mail, content.message.header, found, files, decoder).members()
    if DraftMessage.agent(content.message.header) != nil, found.isTagged("draft") {
      members.append(("by", .string("agent")))
    }
    let parts = try Self.parts(of: root, content, decoder)
    members.append(("parts", .array([JSONValue](parts.prefix(Self.partLimit)))))
    if parts.count > Self.partLimit {
      members.append(("parts-left", ToolAnswer.number(parts.count - Self.partLimit)))
    }
    if text.pages.left > 0 { members.append(("text-left", ToolAnswer.number(text.pages.left))) }
    inner.add("text", clean: page)
    var room = room
    addHeaders(of: root.header, to: &inner, &room)
    if call.flag("links") == true {
      let left = addLinks(of: root, to: &inner, &room)
      if left > 0 { members.append(("links-left", ToolAnswer.number(left))) }
    }
    return .object(members + [("mail", inner.value)])
  }

  // MARK: Reading

  /// The part whose message is shown: the whole, or a message inside that is asked for.
  private func root(of message: Message) throws(ToolFailure) -> Part {
    guard let name = call.text("part") else { return message.root }
    guard let section = Section([UInt8](name.utf8)),
      let inside = message.part(section)?.messageInside
    else { throw .notFound }
    return inside
  }

  /// The text of a message: HTML as text, without what styles hide and without addresses of links.
  private func text(of root: Part) -> (pages: TextPages, quoted: Int, removed: Int) {
    let texts = root.readable().filter { $0.messageInside == nil }.compactMap {
      $0.plainText(decoder, links: .omitted, hiding: .always)
    }
    var clean = CleanText()
    var text = clean.text([UInt8](texts.joined(separator: [ASCII.lineFeed])))
    var quoted = 0
    if call.flag("quotes") != true { (text, quoted) = QuotedLines.removed(from: text) }
    return (TextPages(text), quoted, clean.removed)
  }

  /// The forms in which the text of a message is there: a person may have seen another one.
  private static func forms(of root: Part) -> [String] {
    let plain = root.readable(preferring: .plain)
    let rich = root.readable(preferring: .html)
    let all = (plain + rich).filter { $0.kind == .leaf && $0.contentType.isText }
    var forms: [String] = []
    if all.contains(where: { !$0.contentType.isHTML }) { forms.append("plain") }
    if all.contains(where: { $0.contentType.isHTML }) { forms.append("html") }
    return forms
  }

  // MARK: Members

  private func header(
    _ header: Header,
    _ found: FoundMessage,
    _ files: [FoundFile],
    _ addressLimit: Int
  ) -> MailMembers {
    var inner = MailMembers(addressLimit: addressLimit)
    inner.add("id", clean: MessageName.of(found))
    for (name, field) in [
      ("from", "From"), ("to", "To"), ("cc", "Cc"), ("reply-to", "Reply-To"),
    ] as [(String, StaticString)] {
      inner.add(name, header.mailboxes(field, decoder).map { ($0.name, $0.address) })
    }
    inner.add("subject", header.text("Subject", decoder) ?? [], limit: MailMembers.subjectLimit)
    inner.add("tags", words: found.shownTags)
    inner.add("folders", words: files.foldersByName)
    return inner
  }

  /// The parts that can be saved, and messages inside.
  private static func parts(
    of root: Part,
    _ content: StreamedMessage,
    _ decoder: CharsetDecoder
  ) throws(ToolFailure) -> [JSONValue] {
    var parts: [JSONValue] = []
    for part in root.attachments {
      var inner = MailMembers()
      if let name = part.fileName(decoder) { inner.add("name", name, limit: 100) }
      inner.add("type", (part.external ?? part).contentType.octets, limit: 100)
      let size: Int
      do throws(SourceError) {
        let far = part.externalSize.map { Int(clamping: $0) }
        size = if let far { far } else { try content.content(of: part).count }
      } catch {
        throw .again
      }
      parts.append(
        .object([
          ("part", .string(part.section?.description ?? "")), ("size", ToolAnswer.number(size)),
          ("here", .boolean(part.external == nil)),
          ("message", .boolean(part.messageInside != nil)), ("mail", inner.value),
        ])
      )
    }
    return parts
  }

  /// The fields that are asked for; none that the program writes itself, and no hidden recipients.
  private func addHeaders(of header: Header, to inner: inout MailMembers, _ room: inout Int) {
    guard let names = call.texts("headers") else { return }
    var values: [JSONValue] = []
    for name in names {
      let octets = [UInt8](name.utf8)
      guard !octets.startsCaseless(with: "x-magnum-"), !octets.equalsCaseless("bcc") else {
        continue
      }
      for field in header.fields where field.name.equalsCaseless(octets) {
        let value = JSONValue.object([
          ("name", inner.line(octets, limit: 100)),
          ("value", inner.line(field.text(decoder), limit: Self.headerLength)),
        ])
        room -= value.text.count
        guard room >= 0 else { break }
        values.append(value)
      }
    }
    inner.add("headers", values)
  }

  private static func trimmed(_ text: [UInt8]) -> ArraySlice<UInt8> {
    var rest = text.drop { $0 <= ASCII.space }
    while let last = rest.last, last <= ASCII.space { rest.removeLast() }
    return rest
  }

  /// Adds the links to the web; gives how many there was no room for.
  private func addLinks(of root: Part, to inner: inout MailMembers, _ room: inout Int) -> Int {
    var links: [(text: [UInt8], url: [UInt8])] = []
    for part in root.readable(preferring: .html) where part.messageInside == nil {
      guard let text = part.text(decoder) else { continue }
      if part.contentType.isHTML {
        links += PlainText.links(in: text, limit: Self.linkLimit).map { ($0.text, $0.url) }
      } else {
        links += TextLinks.all(in: text, limit: Self.linkLimit).map { ($0, $0) }
      }
    }
    var values: [JSONValue] = []
    for link in links.prefix(Self.linkLimit) {
      let value = JSONValue.object([
        ("text", inner.line(Self.trimmed(link.text), limit: 200)),
        ("host", inner.line(TextLinks.host(of: link.url), limit: 253)),
        ("url", inner.line(link.url, limit: Self.linkLength)),
      ])
      guard value.text.count <= room else { break }
      room -= value.text.count
      values.append(value)
    }
    inner.add("links", values)
    return links.count - values.count
  }
}
