internal import MailModel
internal import Octets

/// A command on its way to octets (RFC 9051 §9).
struct CommandEncoder {
  /// The octets, with the places where the server must first say `+` and where a message is fed.
  private(set) var parts: [CommandPart] = []

  /// The same as one line for people: no secrets, no literals, no line end.
  private(set) var trace: [UInt8]

  /// The octets behind the last of `parts`.
  private var line: [UInt8] = []

  private let tag: CommandTag
  private let literals: LiteralSupport

  init(_ command: Command, tag: CommandTag, literals: LiteralSupport) {
    self.tag = tag
    self.literals = literals
    trace = []
    raw(tag.wire)
    append(command)
    endLine()
  }

  private mutating func append(_ command: Command) {
    switch command {
    case .capability: word("CAPABILITY")
    case .noop: word("NOOP")
    case .idle: word("IDLE")
    case .notify:
      word("NOTIFY SET STATUS (selected (MessageNew MessageExpunge FlagChange))")
      word("(personal (MessageNew MessageExpunge FlagChange MailboxName))")
    case .notifyNone: word("NOTIFY NONE")
    case .logout: word("LOGOUT")
    case .id(let name, let version): identify(name, version)
    case .startTLS: word("STARTTLS")
    case .unselect: word("UNSELECT")
    case .login(let user, let password): login(user, password)
    case .authenticate(let mechanism, let response, _): authenticate(mechanism, response)
    case .enable(let extensions):
      word("ENABLE")
      for name in extensions { spaced { $0.atom(name) } }
    case .list(let reference, let pattern, let returning): list(reference, pattern, returning)
    case .status(let mailbox, let items):
      word("STATUS")
      spaced { $0.string(mailbox.wire) }
      spaced { $0.statusItems(items) }
    case .examine(let mailbox, let parameter): open("EXAMINE", mailbox, parameter)
    case .select(let mailbox, let parameter): open("SELECT", mailbox, parameter)
    case .uidFetch(let messages, let items, let since): fetch(messages, items, since)
    case .uidSearch(let query, let returningAll): search(query, returningAll)
    case .uidStore(let uids, let change, let since, let silent):
      store(uids, change, since, isSilent: silent)
    case .append(let mailbox, let messages): append(messages, to: mailbox)
    case .uidCopy(let uids, let mailbox): transfer("UID COPY", uids, mailbox)
    case .uidMove(let uids, let mailbox): transfer("UID MOVE", uids, mailbox)
    case .uidExpunge(let uids):
      word("UID EXPUNGE")
      spaced { $0.messages(.uids(uids)) }
    case .expunge: word("EXPUNGE")
    case .create(let mailbox, let use): create(mailbox, use)
    case .delete(let mailbox): named("DELETE", mailbox)
    case .rename(let mailbox, let new):
      named("RENAME", mailbox)
      spaced { $0.string(new.wire) }
    case .subscribe(let mailbox): named("SUBSCRIBE", mailbox)
    case .unsubscribe(let mailbox): named("UNSUBSCRIBE", mailbox)
    }
  }
}

// The commands that have arguments of their own.
extension CommandEncoder {
  private mutating func login(_ user: [UInt8], _ password: [UInt8]) {
    word("LOGIN")
    spaced { $0.string(user) }
    spaced { encoder in encoder.secretly { $0.string(password) } }
  }

  private mutating func identify(_ name: [UInt8], _ version: [UInt8]) {
    word("ID (\"name\"")
    spaced { $0.string(name) }
    word("\"version\"")
    spaced { $0.string(version) }
    raw(")")
  }

  private mutating func authenticate(_ mechanism: [UInt8], _ response: [UInt8]?) {
    word("AUTHENTICATE")
    spaced { $0.atom(mechanism) }
    guard let response else { return }
    // RFC 4959 §3: "=" tells an empty response from none.
    let inline = response.isEmpty ? [ASCII.equals] : Base64.encode(response)
    spaced { encoder in encoder.secretly { $0.raw(inline) } }
  }

  private mutating func list(_ reference: [UInt8], _ pattern: [UInt8], _ returning: ListReturn?) {
    word("LIST")
    spaced { $0.string(reference) }
    spaced { $0.string(pattern) }
    guard let returning else { return }
    word("RETURN")
    spaced { $0.raw("(") }
    if returning.specialUse { raw("SPECIAL-USE") }
    if !returning.status.isEmpty {
      raw(returning.specialUse ? " STATUS " : "STATUS ")
      statusItems(returning.status)
    }
    raw(")")
  }

  private mutating func statusItems(_ items: [StatusItem]) {
    joined(items) { $0.raw($1.wire) }
  }

  private mutating func open(
    _ name: StaticString,
    _ mailbox: MailboxName,
    _ parameter: SelectParameter?
  ) {
    word(name)
    spaced { $0.string(mailbox.wire) }
    switch parameter {
    case nil: break
    case .condstore: word("(CONDSTORE)")
    case .qresync(let validity, let modSequence, let known):
      word("(QRESYNC (")
      raw([UInt8](decimal: validity))
      spaced { $0.raw([UInt8](decimal: modSequence)) }
      if let known, !known.isEmpty { spaced { $0.raw(known.wire) } }
      raw("))")
    }
  }

  private mutating func fetch(_ messages: MessageSet, _ items: [FetchItem], _ since: UInt64?) {
    word("UID FETCH")
    spaced { $0.messages(messages) }
    spaced { encoder in encoder.joined(items) { $0.fetchItem($1) } }
    guard let since else { return }
    word("(CHANGEDSINCE ")
    raw([UInt8](decimal: since) + [ASCII.closeParenthesis])
  }

  private mutating func messages(_ messages: MessageSet) {
    switch messages {
    case .from(let uid): raw([UInt8](decimal: uid) + [ASCII.colon, ASCII.asterisk])
    case .uids(let set):
      precondition(!set.isEmpty, "IMAP cannot name no messages")
      raw(set.wire)
    }
  }

  private mutating func fetchItem(_ item: FetchItem) {
    switch item {
    case .uid: raw("UID")
    case .flags: raw("FLAGS")
    case .internalDate: raw("INTERNALDATE")
    case .size: raw("RFC822.SIZE")
    case .modSequence: raw("MODSEQ")
    case .body: raw("BODY.PEEK[]")
    case .emailID: raw("EMAILID")
    case .wholeHeader: raw("BODY.PEEK[HEADER]")
    case .structure: raw("BODYSTRUCTURE")
    case .section(let section, let start, let limit):
      raw("BODY.PEEK[")
      // Large letters, as the standard writes them.
      raw(section.map { $0 &- 0x61 < 26 ? $0 - 0x20 : $0 })
      raw("]<")
      raw([UInt8](decimal: start))
      raw(".")
      raw([UInt8](decimal: limit))
      raw(">")
    case .header(let fields):
      raw("BODY.PEEK[HEADER.FIELDS ")
      joined(fields) { $0.atom($1) }
      raw("]")
    }
  }

  private mutating func search(_ query: SearchQuery, _ returningAll: Bool) {
    word("UID SEARCH")
    if returningAll { word("RETURN (ALL)") }
    switch query {
    case .all: word("ALL")
    case .seen: word("SEEN")
    case .answered: word("ANSWERED")
    case .flagged: word("FLAGGED")
    case .deleted: word("DELETED")
    case .draft: word("DRAFT")
    case .keyword(let keyword):
      word("KEYWORD")
      spaced { $0.atom(keyword) }
    case .header(let name, let text):
      word("HEADER")
      spaced { $0.atom(name) }
      spaced { $0.string(text) }
    case .since(let day):
      word("SINCE")
      spaced { $0.raw(InternalDate.searchDate(day)) }
    case .between(let day, let last):
      word("SINCE")
      spaced { $0.raw(InternalDate.searchDate(day)) }
      word("BEFORE")
      spaced { $0.raw(InternalDate.searchDate(last)) }
    }
  }
}

// The commands that change the server.
extension CommandEncoder {
  private mutating func named(_ name: StaticString, _ mailbox: MailboxName) {
    word(name)
    spaced { $0.string(mailbox.wire) }
  }

  private mutating func transfer(_ name: StaticString, _ uids: UIDSet, _ mailbox: MailboxName) {
    word(name)
    spaced { $0.messages(.uids(uids)) }
    spaced { $0.string(mailbox.wire) }
  }

  private mutating func create(_ mailbox: MailboxName, _ use: [UInt8]?) {
    named("CREATE", mailbox)
    guard let use else { return }
    word("(USE (")
    atom(use)
    raw("))")
  }

  private mutating func store(
    _ uids: UIDSet,
    _ change: FlagChange,
    _ since: UInt64?,
    isSilent: Bool
  ) {
    word("UID STORE")
    spaced { $0.messages(.uids(uids)) }
    if let since {
      word("(UNCHANGEDSINCE ")
      raw([UInt8](decimal: since) + [ASCII.closeParenthesis])
    }
    switch change {
    case .adding(let flags): store("+FLAGS", flags, isSilent: isSilent)
    case .removing(let flags): store("-FLAGS", flags, isSilent: isSilent)
    }
  }

  private mutating func store(_ name: StaticString, _ flags: [Flag], isSilent: Bool) {
    word(name)
    if isSilent { raw(".SILENT") }
    spaced { $0.flags(flags.filter(\.isStorable)) }
  }

  private mutating func flags(_ flags: [Flag]) {
    joined(flags) { $0.raw($1.wire) }
  }

  private mutating func append(_ messages: [AppendMessage], to mailbox: MailboxName) {
    precondition(!messages.isEmpty, "APPEND cannot append nothing")
    named("APPEND", mailbox)
    for (index, message) in messages.enumerated() { append(message, at: index) }
  }

  private mutating func append(_ message: AppendMessage, at index: Int) {
    let flags = message.flags.filter(\.isStorable)
    if !flags.isEmpty { spaced { $0.flags(flags) } }
    if let date = message.internalDate {
      spaced { $0.raw([ASCII.quote] + InternalDate.dateTime(date) + [ASCII.quote]) }
    }
    spaced { $0.announce(message.size) }
    parts.append(.literal(LiteralRequest(tag: tag, index: index, size: message.size)))
  }
}

// The pieces of the grammar.
extension CommandEncoder {
  /// Ends a line of the wire, which may be followed by a literal.
  private mutating func endLine() {
    parts.append(.octets(line + [ASCII.carriageReturn, ASCII.lineFeed]))
    line = []
  }

  private mutating func raw(_ octets: some Collection<UInt8>) {
    line += octets
    trace += octets
  }

  private mutating func raw(_ literal: StaticString) {
    raw([UInt8](ascii: literal))
  }

  private mutating func word(_ literal: StaticString) {
    spaced { $0.raw(literal) }
  }

  private mutating func spaced(_ body: (inout CommandEncoder) -> Void) {
    raw(" ")
    body(&self)
  }

  private mutating func joined<Item>(
    _ items: [Item],
    _ body: (inout CommandEncoder, Item) -> Void
  ) {
    raw("(")
    for (index, item) in items.enumerated() {
      if index > 0 { raw(" ") }
      body(&self, item)
    }
    raw(")")
  }

  /// Lets `body` write while people see only `…`.
  private mutating func secretly(_ body: (inout CommandEncoder) -> Void) {
    let shown = trace
    body(&self)
    trace = shown + "…".utf8
  }

  /// An `atom`: octets that it cannot hold are left out, so that nothing can be slipped in.
  private mutating func atom(_ octets: [UInt8]) {
    raw(octets.filter(Atom.mayHold))
  }

  /// A `string`: quoted where possible, else a literal.
  private mutating func string(_ octets: [UInt8]) {
    guard octets.allSatisfy(Self.mayBeQuoted) else { return literal(octets) }
    var quoted = [ASCII.quote]
    for octet in octets {
      if octet == ASCII.quote || octet == ASCII.backslash { quoted.append(ASCII.backslash) }
      quoted.append(octet)
    }
    raw(quoted + [ASCII.quote])
  }

  private static func mayBeQuoted(_ octet: UInt8) -> Bool {
    octet < 0x80 && octet != ASCII.null && octet != ASCII.carriageReturn
      && octet != ASCII.lineFeed
  }

  private mutating func literal(_ octets: [UInt8]) {
    announce(UInt64(octets.count))
    line = octets
  }

  /// The marker of a literal, its line end, and the wait for leave where that is needed.
  private mutating func announce(_ size: UInt64) {
    let mayFollow = literals.permits(size)
    raw([ASCII.openBrace] + [UInt8](decimal: size))
    raw(mayFollow ? "+}" : "}")
    endLine()
    if !mayFollow { parts.append(.wait) }
    trace += " …".utf8
  }
}
