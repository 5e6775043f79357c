internal import MailModel
internal import Octets

/// Encodes a command (RFC 9051 §9).
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
    case .compress: word("COMPRESS DEFLATE")
    case .unselect: word("UNSELECT")
    case .login(let user, let password): login(user, password)
    case .authenticate(let mechanism, let response, _): authenticate(mechanism, response)
    case .enable(let extensions):
      word("ENABLE")
      for name in extensions { spaced { $0.atom(name) } }
    case .list(let reference, let pattern, let returning): list(reference, pattern, returning)
    case .namespace: word("NAMESPACE")
    case .status(let mailbox, let items):
      word("STATUS")
      spaced { $0.string(mailbox.wire) }
      spaced { $0.statusItems(items) }
    case .examine(let mailbox, let parameter): open("EXAMINE", mailbox, parameter)
    case .select(let mailbox, let parameter): open("SELECT", mailbox, parameter)
    case .uidFetch(let messages, let items, let since): fetch(messages, items, since)
    case .uidSearch(let query, let returningAll): search(query, returningAll)
    case .uidSearchSizes(let sizes, let unflagged): searchSizes(sizes, unflagged)
    case .uidStoreFound(let change):
      word("UID STORE $")
      store(change, isSilent: false)
    case .uidStore(let uids, let change, let since, let silent):
      store(uids, change, since, isSilent: silent)
    case .uidStoreLabel(let uids, let label, let isAdding): store(uids, label, isAdding: isAdding)
    case .append(let mailbox, let messages): append(messages, to: mailbox)
    case .uidCopy(let uids, let mailbox): transfer("UID COPY", uids, mailbox)
    case .uidMove(let uids, let mailbox): transfer("UID MOVE", uids, mailbox)
    case .uidMoveFound(let mailbox): named("UID MOVE $", mailbox)
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

// The pieces of the grammar.
extension CommandEncoder {
  /// Ends a line of the wire, which may be followed by a literal.
  private mutating func endLine() {
    parts.append(.octets(line + [ASCII.carriageReturn, ASCII.lineFeed]))
    line = []
  }

  mutating func raw(_ octets: some Collection<UInt8>) {
    line += octets
    trace += octets
  }

  mutating func raw(_ literal: StaticString) {
    raw([UInt8](ascii: literal))
  }

  mutating func word(_ literal: StaticString) {
    spaced { $0.raw(literal) }
  }

  mutating func spaced(_ body: (inout CommandEncoder) -> Void) {
    raw(" ")
    body(&self)
  }

  mutating func joined<Item>(
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
  mutating func secretly(_ body: (inout CommandEncoder) -> Void) {
    let shown = trace
    body(&self)
    trace = shown + "…".utf8
  }

  /// An `atom`: octets that it cannot hold are left out, so that nothing can be slipped in.
  mutating func atom(_ octets: [UInt8]) {
    raw(octets.filter(Atom.mayHold))
  }

  /// A `string`: quoted where possible, else a literal.
  mutating func string(_ octets: [UInt8]) {
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

  /// The place where a message of so many octets is fed.
  mutating func message(at index: Int, size: UInt64) {
    announce(size)
    parts.append(.literal(LiteralRequest(tag: tag, index: index, size: size)))
  }

  /// The marker of a literal, its line end, and the wait for `+` where that is needed.
  private mutating func announce(_ size: UInt64) {
    let mayFollow = literals.permits(size)
    raw([ASCII.openBrace] + [UInt8](decimal: size))
    raw(mayFollow ? "+}" : "}")
    endLine()
    if !mayFollow { parts.append(.wait) }
    trace += " …".utf8
  }
}

/// How large a literal may be that is sent without waiting for leave (RFC 7888).
enum LiteralSupport: Hashable, Sendable {
  /// Every literal waits for the server's `+`.
  case synchronizing
  /// `LITERAL-`, also part of IMAP4rev2: up to 4096 octets need not wait.
  case upTo4096
  /// `LITERAL+`: none needs to wait.
  case unlimited

  init(_ capabilities: Capabilities) {
    self =
      if capabilities.contains("LITERAL+") {
        .unlimited
      } else if capabilities.contains("LITERAL-") || capabilities.contains("IMAP4REV2") {
        .upTo4096
      } else {
        .synchronizing
      }
  }

  /// Whether a literal of that many octets may follow at once.
  func permits(_ size: UInt64) -> Bool {
    switch self {
    case .synchronizing: false
    case .upTo4096: size <= 4096
    case .unlimited: true
    }
  }
}
