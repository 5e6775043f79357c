/// One command about mailboxes or messages to a scripted provider.
struct ProviderCommand {
  private let request: ScriptedServer.Request
  /// What was not read yet.
  private var rest: Substring

  private typealias Content = ProviderStore.Content
  private typealias Action = ScriptedServer.Action
  private typealias Message = ProviderMailbox.Message

  private static let system: Set<String> = [
    "\\Seen", "\\Answered", "\\Flagged", "\\Deleted", "\\Draft",
  ]

  init(_ request: ScriptedServer.Request) {
    self.request = request
    rest = request.text[...]
  }

  /// The answer; nil where it is another command.
  mutating func answer(_ content: inout ProviderStore.Content) -> [ScriptedServer.Action]? {
    let count = request.name.split(separator: " ").count
    for _ in 0..<count { _ = word() }
    switch request.name {
    case "LIST": return list(&content)
    case "STATUS": return status(&content)
    case "SELECT", "EXAMINE": return select(&content)
    case "UNSELECT", "CLOSE":
      content.selected[request.connection] = nil
      return [.lines("{tag} OK")]
    case "CREATE": return create(&content)
    case "DELETE": return delete(&content)
    case "RENAME": return rename(&content)
    case "APPEND": return append(&content)
    case "UID FETCH": return fetch(content)
    case "UID SEARCH": return search(content)
    case "UID STORE": return store(&content)
    case "UID COPY": return copy(&content, isMove: false)
    case "UID MOVE": return copy(&content, isMove: true)
    case "UID EXPUNGE", "EXPUNGE": return expunge(&content)
    default: return nil
    }
  }

  // MARK: Words

  /// The next word, or quoted string without its quotes, or list without its parentheses.
  private mutating func word() -> String {
    rest = rest.drop { $0 == " " }
    if rest.first == "\"" {
      var text = ""
      rest = rest.dropFirst()
      while let character = rest.first, character != "\"" {
        rest = rest.dropFirst(character == "\\" ? 1 : 0)
        if let next = rest.first { text.append(next) }
        rest = rest.dropFirst()
      }
      rest = rest.dropFirst()
      return text
    }
    if rest.first == "(" { return list() }
    let word = rest.prefix { $0 != " " }
    rest = rest.dropFirst(word.count)
    return String(word)
  }

  private mutating func list() -> String {
    var depth = 0
    var text = ""
    repeat {
      guard let character = rest.first else { break }
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      text.append(character)
      rest = rest.dropFirst()
    } while depth > 0
    return String(text.dropFirst().dropLast())
  }

  /// The ranges of a set, ascending, none within another.
  private static func ranges(_ set: String, last: UInt32) -> [ClosedRange<UInt32>] {
    let parts = set.split(separator: ",").compactMap { part -> ClosedRange<UInt32>? in
      let ends = part.split(separator: ":").map { $0 == "*" ? last : UInt32($0) ?? 0 }
      guard let first = ends.first, let end = ends.last else { return nil }
      return min(first, end)...max(first, end)
    }
    return parts.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { ranges, part in
      if let known = ranges.last, part.lowerBound <= known.upperBound {
        ranges[ranges.count - 1] =
          known.lowerBound...max(known.upperBound, part.upperBound)
      } else {
        ranges.append(part)
      }
    }
  }

  private static func flags(_ list: String) -> Set<String> {
    Set(list.split(separator: " ").map { "\($0)" })
  }

  private static func set(_ uids: [UInt32]) -> String {
    uids.map { "\($0)" }.joined(separator: ",")
  }

  // MARK: Mailboxes

  private mutating func list(_ content: inout Content) -> [Action] {
    _ = word()
    let pattern = word()
    let withStatus = rest.uppercased().contains("STATUS")
    let items = withStatus ? String(rest) : ""
    var lines = ""
    for box in content.mailboxes where pattern == "*" || pattern == box.name {
      lines +=
        "* LIST (\(box.attributes)) \"\(content.provider.delimiter)\" \"\(box.name)\"\r\n"
      if withStatus, box.isSelectable { lines += Self.status(of: box, items, &content) }
    }
    return [.send(lines), .lines("{tag} OK Success")]
  }

  private mutating func status(_ content: inout Content) -> [Action] {
    let name = word()
    guard let index = content.index(name) else { return [.lines("{tag} NO no such mailbox")] }
    return [.send(Self.status(of: content.mailboxes[index], word(), &content)), .lines("{tag} OK")]
  }

  private static func status(
    of box: ProviderMailbox,
    _ items: String,
    _ content: inout Content
  ) -> String {
    var facts = [
      "MESSAGES \(content.told(box))", "UIDNEXT \(box.uidNext)", "UIDVALIDITY \(box.validity)",
    ]
    if items.contains("HIGHESTMODSEQ"), content.provider.has("CONDSTORE") {
      facts.append("HIGHESTMODSEQ \(highest(box))")
    }
    return "* STATUS \"\(box.name)\" (\(facts.joined(separator: " ")))\r\n"
  }

  private static func highest(_ box: ProviderMailbox) -> UInt64 {
    max(1, (box.messages.map(\.modSequence) + box.vanished.map(\.modSequence)).max() ?? 1)
  }

  private mutating func select(_ content: inout Content) -> [Action] {
    let provider = content.provider
    if provider.needsIdentity, !content.identified.contains(request.connection) {
      return [.lines("{tag} NO SELECT Unsafe Login. Please contact kefu@188.com for help")]
    }
    let name = word()
    guard let index = content.index(name) else { return [.lines("{tag} NO no such mailbox")] }
    let box = content.mailboxes[index]
    var lines = content.selected[request.connection] == nil ? [] : ["* OK [CLOSED] closed"]
    content.selected[request.connection] = name
    let permanent = Self.system.sorted().joined(separator: " ")
    lines += [
      "* FLAGS (\(permanent))",
      "* OK [PERMANENTFLAGS (\(permanent)\(provider.keepsKeywords ? " \\*" : ""))] Flags",
      "* \(box.messages.count) EXISTS", "* 0 RECENT", "* OK [UIDVALIDITY \(box.validity)]",
      "* OK [UIDNEXT \(box.uidNext)]",
    ]
    if provider.has("CONDSTORE") { lines.append("* OK [HIGHESTMODSEQ \(Self.highest(box))]") }
    lines += quickResync(box, content)
    let end = request.name == "SELECT" ? "READ-WRITE" : "READ-ONLY"
    return [.send(lines.map { "\($0)\r\n" }.joined()), .lines("{tag} OK [\(end)] completed")]
  }

  /// What changed since the modification sequence that SELECT names (RFC 7162 §3.2.5).
  private mutating func quickResync(_ box: ProviderMailbox, _ content: Content) -> [String] {
    let parameter = word()
    guard parameter.hasPrefix("QRESYNC"), content.quickResync.contains(request.connection) else {
      return []
    }
    let numbers = parameter.split { "() ".contains($0) }.dropFirst().compactMap { UInt64($0) }
    guard numbers.count > 1, numbers[0] == UInt64(box.validity) else { return [] }
    let gone = box.vanished.filter { $0.modSequence > numbers[1] }.map(\.uid)
    var lines = gone.isEmpty ? [] : ["* VANISHED (EARLIER) \(Self.set(gone.sorted()))"]
    for (number, message) in box.messages.enumerated() where message.modSequence > numbers[1] {
      lines.append(
        "* \(number + 1) FETCH (UID \(message.uid) FLAGS (\(message.flags.sorted().joined(separator: " ")))"
          + " MODSEQ (\(message.modSequence)))"
      )
    }
    return lines
  }

  private mutating func create(_ content: inout Content) -> [Action] {
    let name = word()
    guard !content.mailboxes.contains(where: { $0.name == name }) else {
      return [.lines("{tag} NO [ALREADYEXISTS] there")]
    }
    guard content.provider.labels.creates else { return [.lines("{tag} NO [CANNOT] not now")] }
    content.mailboxes.append(ProviderMailbox(name, "\\HasNoChildren"))
    return [.lines("{tag} OK Success")]
  }

  private mutating func delete(_ content: inout Content) -> [Action] {
    let name = word()
    content.mailboxes.removeAll { $0.name == name }
    return [.lines("{tag} OK Success")]
  }

  private mutating func rename(_ content: inout Content) -> [Action] {
    guard let index = content.index(word()) else { return [.lines("{tag} NO no such mailbox")] }
    content.mailboxes[index].name = word()
    return [.lines("{tag} OK Success")]
  }

  // MARK: Messages

  private func selected(_ content: Content) -> ProviderMailbox? {
    content.selected[request.connection].flatMap { content.index($0) }
      .map { content.mailboxes[$0] }
  }

  private func chosen(_ set: String, _ box: ProviderMailbox) -> [Message] {
    numbered(set, box).map(\.message)
  }

  /// The messages of a set with their numbers; those of a mailbox have ascending UIDs.
  private func numbered(
    _ set: String,
    _ box: ProviderMailbox
  ) -> [(number: Int, message: Message)] {
    var ranges = Self.ranges(set, last: box.messages.last?.uid ?? 1)[...]
    var found: [(number: Int, message: Message)] = []
    for (index, message) in box.messages.enumerated() {
      while let range = ranges.first, range.upperBound < message.uid {
        ranges = ranges.dropFirst()
      }
      guard let range = ranges.first else { break }
      if range.contains(message.uid) { found.append((index + 1, message)) }
    }
    return found
  }

  private mutating func append(_ content: inout Content) -> [Action] {
    let name = word()
    guard let index = content.index(name) else {
      return [.lines("{tag} NO [TRYCREATE] no such mailbox")]
    }
    var flags: Set<String> = []
    if rest.hasPrefix(" (") { flags = Self.flags(word()) }
    let date = rest.hasPrefix(" \"") ? word() : nil
    let last = content.lastIdentity
    if !content.provider.keepsKeywords { flags.formIntersection(Self.system) }
    let given = Array(rest.drop { $0 == " " }.utf8)
    let body = content.uploadChange?(given) ?? given
    let uid = content.append(body, flags, to: name)
    if content.judges, content.lastIdentity > last { content.dates[content.lastIdentity] = date }
    let validity = content.mailboxes[index].validity
    return [.lines("{tag} OK [APPENDUID \(validity) \(uid)] Success")]
  }

  private mutating func fetch(_ content: Content) -> [Action] {
    guard let box = selected(content) else { return [.lines("{tag} BAD no mailbox")] }
    let set = word()
    let items = word().uppercased()
    let words = word().split(separator: " ")
    let since = words.first == "CHANGEDSINCE" ? UInt64(words[1]) ?? 0 : 0
    var actions: [Action] = []
    let all = items.contains("X-GM-LABELS") ? content.labels(in: box) : nil
    for (number, message) in numbered(set, box) where message.modSequence > since {
      let labels = all.map { $0[message.identity] ?? "" }
      if labels != nil, content.provider.labels.tellsFlags {
        actions += line(number, message, "FLAGS", isSequenced: true, content)
      }
      actions += line(number, message, items, isSequenced: since > 0, content, labels)
    }
    return actions + [.lines("{tag} OK Success")]
  }

  private func line(
    _ number: Int,
    _ message: Message,
    _ items: String,
    isSequenced: Bool,
    _ content: Content,
    _ labels: String? = nil
  ) -> [Action] {
    var head = "* \(number) FETCH (UID \(message.uid)"
    if items.contains("FLAGS") {
      head += " FLAGS (\(message.flags.sorted().joined(separator: " ")))"
    }
    if let labels { head += " X-GM-LABELS (\(labels))" }
    if items.contains("INTERNALDATE") {
      let date = content.dates[message.identity] ?? content.provider.internalDate
      head += " INTERNALDATE \"\(date)\""
    }
    if items.contains("RFC822.SIZE") {
      head += " RFC822.SIZE \(message.body.count + content.provider.sizeError)"
    }
    if isSequenced || items.contains("MODSEQ") { head += " MODSEQ (\(message.modSequence))" }
    guard let open = items.firstRange(of: "BODY") else { return [.lines(head + ")")] }
    let section = items[open.lowerBound...].replacing("BODY.PEEK", with: "BODY")
    let body = section.hasPrefix("BODY[]") ? message.body : header(of: message, String(section))
    let name = section.hasPrefix("BODY[]") ? "BODY[]" : section.prefix { $0 != "]" } + "]"
    return [.send("\(head) \(name) {\(body.count)}\r\n"), .octets(body), .lines(")")]
  }

  /// The header, or those fields of it that are asked for.
  private func header(of message: Message, _ section: String) -> [UInt8] {
    let text = String(decoding: message.body, as: UTF8.self)
    let head = text.firstRange(of: "\r\n\r\n").map { text[..<$0.lowerBound] } ?? text[...]
    guard section.contains("FIELDS") else { return Array("\(head)\r\n\r\n".utf8) }
    let names = section.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }.split(separator: " ")
    let lines = head.split(separator: "\r\n").filter { line in
      names.contains { line.uppercased().hasPrefix("\($0):") }
    }
    return Array((lines.map { "\($0)\r\n" }.joined() + "\r\n").utf8)
  }

  private mutating func search(_ content: Content) -> [Action] {
    guard let box = selected(content) else { return [.lines("{tag} BAD no mailbox")] }
    var key = word().uppercased()
    let isExtended = key == "RETURN"
    if isExtended {
      _ = word()
      key = word().uppercased()
    }
    let found = box.messages.filter { message in
      var words = self
      switch key {
      case "ALL", "SINCE": return true
      case "KEYWORD": return message.flags.contains(words.word())
      case "HEADER":
        let field = words.word()
        let text = words.word()
        return String(decoding: message.body, as: UTF8.self).split(separator: "\r\n").contains {
          $0.lowercased().hasPrefix("\(field.lowercased()):") && $0.contains(text)
        }
      default: return message.flags.contains { $0.uppercased() == "\\\(key)" }
      }
    }.map(\.uid)
    guard isExtended else {
      return [
        .lines(
          found.isEmpty ? "* SEARCH" : "* SEARCH \(found.map { "\($0)" }.joined(separator: " "))",
          "{tag} OK"
        )
      ]
    }
    let all = found.isEmpty ? "" : " ALL \(Self.set(found))"
    return [.lines("* ESEARCH (TAG \"{tag}\") UID\(all)", "{tag} OK")]
  }

  private mutating func store(_ content: inout Content) -> [Action] {
    guard let box = selected(content) else { return [.lines("{tag} BAD no mailbox")] }
    let set = word()
    guard set.utf8.count <= content.provider.labels.setLimit else {
      return [.lines("{tag} BAD Command too long")]
    }
    let messages = chosen(set, box)
    var item = word()
    if item.uppercased().contains("X-GM-LABELS") {
      let label = label(of: word())
      return [.lines("{tag} \(content.storeLabel(label, item.uppercased(), messages, in: box))")]
    }
    var limit = UInt64.max
    if item.hasPrefix("UNCHANGEDSINCE") {
      limit = UInt64(item.split(separator: " ").last ?? "") ?? .max
      item = word()
    }
    var flags = Self.flags(rest.contains("(") ? word() : String(rest))
    if !content.provider.keepsKeywords { flags.formIntersection(Self.system) }
    var modified: [UInt32] = []
    for message in messages {
      guard message.modSequence <= limit else {
        modified.append(message.uid)
        continue
      }
      let new = item.hasPrefix("+") ? message.flags.union(flags) : message.flags.subtracting(flags)
      content.set(new, message.uid, in: box.name)
    }
    let code = modified.isEmpty ? "" : "[MODIFIED \(Self.set(modified))] "
    return [.lines("{tag} OK \(code)Success")]
  }

  /// The label in a list of one.
  private func label(of list: String) -> String {
    var words = self
    words.rest = list[...]
    return words.word()
  }

  private mutating func copy(_ content: inout Content, isMove: Bool) -> [Action] {
    guard let box = selected(content) else { return [.lines("{tag} BAD no mailbox")] }
    guard !isMove || content.provider.has("MOVE") else {
      return [.lines("{tag} BAD Unknown command")]
    }
    let uids = chosen(word(), box).map(\.uid)
    let target = word()
    guard let index = content.index(target) else {
      return [.lines("{tag} NO [TRYCREATE] no such mailbox")]
    }
    guard !uids.isEmpty else { return [.lines("{tag} OK nothing")] }
    let new = content.copy(uids, from: box.name, to: target)
    let validity = content.mailboxes[index].validity
    let code = "[COPYUID \(validity) \(Self.set(uids)) \(Self.set(new))]"
    guard isMove else { return [.lines("{tag} OK \(code) Success")] }
    return [.lines("* OK \(code) moved")] + remove(uids, &content, box) + [
      .lines("{tag} OK Success")
    ]
  }

  private mutating func expunge(_ content: inout Content) -> [Action] {
    guard let box = selected(content) else { return [.lines("{tag} BAD no mailbox")] }
    let set = request.name == "EXPUNGE" ? "1:*" : word()
    let doomed = chosen(set, box).filter { $0.flags.contains("\\Deleted") }.map(\.uid)
    return remove(doomed, &content, box) + [.lines("{tag} OK Success")]
  }

  private func remove(
    _ uids: [UInt32],
    _ content: inout Content,
    _ box: ProviderMailbox
  ) -> [Action] {
    guard !uids.isEmpty else { return [] }
    content.remove(uids, from: box.name)
    if content.quickResync.contains(request.connection) {
      return [.lines("* VANISHED \(Self.set(uids))")]
    }
    let numbers = uids.compactMap { uid in box.messages.firstIndex { $0.uid == uid } }
    return numbers.sorted(by: >).map { .lines("* \($0 + 1) EXPUNGE") }
  }
}
