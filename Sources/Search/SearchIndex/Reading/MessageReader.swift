internal import MIME
internal import Octets
internal import Platform
internal import Query
internal import SyncState
internal import Threads

/// Makes messages ready for the index; a value of its own for each thread.
struct MessageReader {
  /// How much of a file is read: a message beyond that is found by its beginning.
  static let sizeLimit = 32 << 20

  /// How much text of one part is indexed.
  static let partLimit = 2 << 20

  private var scanner = WordScanner()
  let decoder = CharsetDecoder { CharsetConversion.utf8($0, $1) }

  /// Tells partial files from others.
  private let partial: PartialFiles

  /// A reader of the messages below the root of a Maildir.
  init(_ root: Path) {
    partial = PartialFiles(roots: [root])
  }

  /// What the header of a message tells.
  func head(_ octets: [UInt8], arrived: Int64, whole: () -> [UInt8]) -> MessageHead {
    MessageHead(Message(octets).header, arrived: arrived, decoder, whole: whole)
  }

  /// The whole message.
  mutating func content(_ file: MailFile.Reading) -> MessageContent {
    let message = partial.message(file.octets, file: nil)
    let head = MessageHead(message.header, arrived: file.arrived, decoder) { file.octets }
    var content = MessageContent(record: record(head, message, file.size))
    addHeader(message.header, &content)
    let parts = message.parts
    addTexts(parts, &content)
    addNames(parts, &content)
    addHosts(parts, &content)
    content.record.features.formUnion(features(message, parts, content))
    for feature in content.record.features.names {
      content.terms.append(Schema.term(Schema.Prefix.feature, feature.rawValue.utf8))
    }
    content.bound()
    content.record.content = Self.checksum(content)
    content.variant = content.checkedVariant()
    return content
  }

  /// The message of a file; nil where it is gone, or cannot be read.
  mutating func content(of file: StoredFile, _ folders: FolderTable, _ root: Path)
    -> MessageContent?
  {
    let maildir = root.appending(folders.name(file.folder))
    let read = try? MailFile.read(maildir, file.scanned, limit: Self.sizeLimit)
    return read.map { content($0) }
  }

  /// Adds the words of a text that was made of an attachment.
  ///
  /// They are no part of what tells the message from others of its id.
  mutating func add(attachment text: [UInt8], to content: inout MessageContent) {
    add(UTF8Repair.decode(text.prefix(Self.partLimit)), 0, &content)
    content.bound()
  }

  private func record(_ head: MessageHead, _ message: Message, _ size: UInt64) -> Record {
    var record = Record()
    record.id = head.id
    record.date = head.date
    record.size = size
    record.links = head.member.links
    record.subjectLink = head.member.subject
    record.subject = head.subject
    let header = message.header
    record.from = people(header, "From")
    record.to = people(header, "To")
    record.cc = people(header, "Cc") + people(header, "Bcc")
    return record
  }

  func people(_ header: Header, _ name: StaticString) -> [Person] {
    Person.list(in: header, name, decoder)
  }

  // MARK: Words

  private mutating func addHeader(_ header: Header, _ content: inout MessageContent) {
    add(content.record.subject, Schema.Prefix.subject, &content)
    let record = content.record
    let sender = people(header, "Sender").filter { !record.from.contains($0) }
    for person in record.from + sender { add(person, Schema.Prefix.from, &content) }
    let copies = people(header, "Cc")
    for person in record.to + copies { add(person, Schema.Prefix.to, &content) }
    for person in copies { add(person, Schema.Prefix.cc, &content) }
    for person in people(header, "Bcc") { add(person, Schema.Prefix.bcc, &content) }
    addList(header, &content)
    content.terms += VerdictClaim.all(in: header, decoder).map { Schema.verdict($0) }
  }

  private mutating func add(_ person: Person, _ prefix: UInt8, _ content: inout MessageContent) {
    add(person.name + [ASCII.space] + person.address, prefix, &content)
  }

  @discardableResult
  private mutating func add(
    _ text: some Collection<UInt8>,
    _ prefix: UInt8,
    _ content: inout MessageContent
  ) -> Int {
    var list = WordList()
    scanner.scan(text, into: &list)
    if list.count > 0 { content.words.append((prefix, list)) }
    return list.count
  }

  /// The list it came through: its id, the first word of that, and its name.
  private func addList(_ header: Header, _ content: inout MessageContent) {
    guard let id = header.listID(decoder) else { return }
    content.terms.append(Schema.term(Schema.Prefix.list, id))
    let name = id.prefix { $0 != ASCII.dot }
    if name.count < id.count { content.terms.append(Schema.term(Schema.Prefix.list, name)) }
    if let title = listTitle(header) {
      content.terms.append(Schema.term(Schema.Prefix.list, title))
    }
  }

  /// `swift evolution` of `Swift Evolution <swift-evolution.example.org>`, in small letters; nil for none.
  private func listTitle(_ header: Header) -> [UInt8]? {
    guard let text = header.text("List-Id", decoder), text.contains(ASCII.lessThan) else {
      return nil
    }
    let words = text.prefix { $0 != ASCII.lessThan }.filter { $0 != ASCII.quote }
      .split { $0 <= ASCII.space }
    guard !words.isEmpty else { return nil }
    return words.joined(separator: [ASCII.space]).map { ASCII.lowercased($0) }
  }

  /// Plain texts first: of another rendering of the same, such as HTML, only what is not there yet is taken.
  private mutating func addTexts(_ parts: [Part], _ content: inout MessageContent) {
    let texts = parts.filter { $0.kind == .leaf && $0.contentType.isText }
    let isHTML = { (part: Part) in part.contentType.isHTML }
    var count = 0
    for part in texts where !isHTML(part) {
      count += addText(part, &content)
    }
    for part in parts where part.kind == .leaf && !part.contentType.isText {
      guard let text = part.sourceText(decoder) else { continue }
      add(text.prefix(Self.partLimit), 0, &content)
    }
    for part in texts where isHTML(part) {
      if count == 0 { addText(part, &content) } else { addNews(part, &content) }
    }
    for part in parts where part.kind == .message {
      guard let inner = part.children.first?.header else { continue }
      add(inner.text("Subject", decoder) ?? [], 0, &content)
      for person in people(inner, "From") + people(inner, "To") { add(person, 0, &content) }
    }
  }

  @discardableResult
  private mutating func addText(_ part: Part, _ content: inout MessageContent) -> Int {
    guard let text = text(of: part) else { return 0 }
    if content.record.snippet.isEmpty, part.role == .body {
      content.record.snippet = Snippet.of(text)
    }
    if part.role == .body, ReadableText.isPatch(text) { content.record.features.insert(.patch) }
    return add(ReadableText.readable(text), 0, &content)
  }

  /// The first words of the first text that has any, plain ones first; empty for none.
  func snippet(of parts: [Part]) -> [UInt8] {
    let bodies = parts.filter {
      $0.kind == .leaf && $0.role == .body && $0.contentType.isText
    }
    let ordered = bodies.filter { !$0.contentType.isHTML } + bodies.filter(\.contentType.isHTML)
    return ordered.lazy.compactMap { text(of: $0).map { Snippet.of($0) } }.first { !$0.isEmpty }
      ?? []
  }

  /// Adds the words of a text that no other part has.
  private mutating func addNews(_ part: Part, _ content: inout MessageContent) {
    guard let text = text(of: part) else { return }
    var list = WordList()
    scanner.scan(text, into: &list)
    var known = WordSet()
    for (prefix, words) in content.words where prefix == 0 { known.insert(words) }
    let news = list.filtered { known.insert($0) }
    if news.count > 0 { content.words.append((0, news)) }
  }

  private func text(of part: Part) -> ArraySlice<UInt8>? {
    part.plainText(decoder, links: .omitted, limit: 3 * Self.partLimit)?.prefix(Self.partLimit)
  }

  private mutating func addNames(_ parts: [Part], _ content: inout MessageContent) {
    var types: Set<[UInt8]> = []
    for part in parts {
      if part.kind != .multipart || part.isTNEF, let name = part.fileName(decoder) {
        add(name, Schema.Prefix.attachment, &content)
      }
      let type = (part.external ?? part).contentType
      types.formUnion([type.octets, type.type, type.subtype])
      let held = part.heldType(decoder)
      if held != type.octets {
        types.formUnion([held] + held.split(separator: ASCII.slash).map { [UInt8]($0) })
      }
    }
    // Sorted, since the terms are part of what tells variants apart, and a set has another order each time.
    for type in types.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      content.terms.append(Schema.term(Schema.Prefix.type, type.map { ASCII.lowercased($0) }))
    }
  }

  /// Adds the hosts of links in HTML.
  private mutating func addHosts(_ parts: [Part], _ content: inout MessageContent) {
    var hosts: [[UInt8]] = []
    for part in parts where part.kind == .leaf && part.contentType.isHTML {
      LinkHosts.add(of: part.encoding == .identity ? part.body : part.decoded[...], to: &hosts)
    }
    for host in hosts { add(host, Schema.Prefix.host, &content) }
  }

  // MARK: Facts

  private func features(
    _ message: Message,
    _ parts: [Part],
    _ content: MessageContent
  ) -> Features {
    var features: Features = []
    for part in parts { features.formUnion(self.features(of: part)) }
    // What only the receivers can open is no attachment, whatever it holds.
    if message.root.contentType.isType("multipart", "encrypted") { features.remove(.attachment) }
    if message.header.first("List-Id") != nil || message.header.first("List-Post") != nil {
      features.insert(.list)
    }
    if content.record.subject.starts(with: [UInt8](ascii: "[PATCH")) { features.insert(.patch) }
    return features
  }

  private func features(of part: Part) -> Features {
    var features: Features = part.role == .attachment ? .attachment : []
    let type = (part.external ?? part).contentType
    if part.role == .signature || type.isType("multipart", "signed") { features.insert(.signature) }
    if type.isType("multipart", "encrypted") { features.insert(.encryption) }
    // The message itself, whose form is no attachment.
    switch part.secured {
    case .signed?:
      features.insert(.signature)
      features.remove(.attachment)
    case .encrypted?, .authenticated?:
      features.insert(.encryption)
      features.remove(.attachment)
    case .compressed?, .certificates?, nil: break
    }
    if type.isType("text", "calendar") { features.insert(.calendar) }
    if part.externalSection != nil { features.insert(.partial) }
    if type.isType("text", "x-patch") || type.isType("text", "x-diff") { features.insert(.patch) }
    if part.kind == .leaf, type.isType("text"), ReadableText.isEncrypted(part.body) {
      features.insert(.encryption)
    }
    return features
  }

  /// What two copies of one message have in common, whatever the rest of their headers went through on the way.
  ///
  /// All that threading looks at is part of it, so that it does not matter which copy comes first.
  private static func checksum(_ content: MessageContent) -> UInt64 {
    var hash = Hash64()
    hash.update(UInt64(bitPattern: content.record.date))
    for link in content.record.links { hash.update(link.rawValue) }
    hash.update(content.record.subjectLink?.key.rawValue ?? 0)
    for (prefix, words) in content.words where prefix == 0 || prefix == Schema.Prefix.attachment {
      hash.update(words.octets)
    }
    return hash.value
  }
}
