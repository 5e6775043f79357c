internal import Octets

/// A command on its way to octets (RFC 9051 §9).
struct CommandEncoder {
  /// The octets, cut where the server must first say `+`; never empty.
  private(set) var parts: [[UInt8]]

  /// The same as one line for people: no secrets, no literals, no line end.
  private(set) var trace: [UInt8]

  private let literals: LiteralSupport

  init(_ command: Command, tag: Tag, literals: LiteralSupport) {
    self.literals = literals
    parts = [[]]
    trace = []
    raw(tag.wire)
    append(command)
    parts[parts.count - 1] += [ASCII.carriageReturn, ASCII.lineFeed]
  }

  private mutating func append(_ command: Command) {
    switch command {
    case .capability: word("CAPABILITY")
    case .noop: word("NOOP")
    case .logout: word("LOGOUT")
    case .startTLS: word("STARTTLS")
    case .unselect: word("UNSELECT")
    case .login(let user, let password): login(user, password)
    case .authenticate(let mechanism, let response): authenticate(mechanism, response)
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
    case .since(let day):
      word("SINCE")
      spaced { $0.raw(InternalDate.searchDate(day)) }
    }
  }
}

// The pieces of the grammar.
extension CommandEncoder {
  private mutating func raw(_ octets: some Collection<UInt8>) {
    parts[parts.count - 1] += octets
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
    raw(octets.filter(Self.isAtomOctet))
  }

  private static func isAtomOctet(_ octet: UInt8) -> Bool {
    switch octet {
    case ...ASCII.space, ASCII.openParenthesis, ASCII.closeParenthesis, ASCII.openBrace,
      ASCII.percent, ASCII.asterisk, ASCII.quote, ASCII.delete...:
      false
    default: true
    }
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
    let mayFollow = literals.permits(octets.count)
    raw([ASCII.openBrace] + [UInt8](decimal: octets.count))
    raw(mayFollow ? "+}" : "}")
    parts[parts.count - 1] += [ASCII.carriageReturn, ASCII.lineFeed]
    if !mayFollow { parts.append([]) }
    parts[parts.count - 1] += octets
    trace += " …".utf8
  }
}
