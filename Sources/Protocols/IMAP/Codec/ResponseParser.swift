internal import MailModel
internal import Octets

/// The grammar of what servers send (RFC 9051 §9 `response`), applied to one logical line.
///
/// Lenient where real servers stray and nothing is lost: blanks, case, missing text, unknown
/// responses. Strict where a misread would be taken for a fact about mail.
struct ResponseParser {
  private var lexer: Lexer
  private let limits: Limits

  /// The response in `line`, whose line end was taken off.
  static func parse(_ line: ArraySlice<UInt8>, limits: Limits) throws(Problem) -> Response {
    var parser = ResponseParser(lexer: Lexer(line, limits: limits), limits: limits)
    return try parser.response()
  }

  private mutating func response() throws(Problem) -> Response {
    if lexer.skip(ASCII.asterisk) { return try untagged() }
    if lexer.skip(ASCII.plus) {
      _ = lexer.skip(ASCII.space)
      return .continuation(lexer.remaining)
    }
    let word = lexer.token()
    // Some servers send an empty line now and then.
    guard !word.isEmpty else { return .ignored }
    lexer.skipSpaces()
    guard let kind = Self.statusKind(lexer.word()), kind != .preauth, kind != .bye else {
      throw .malformed
    }
    guard let tag = CommandTag(wire: word) else { throw .unknownTag }
    return .tagged(tag, StatusParser.parse(kind, lexer.remaining, limits: limits))
  }

  private mutating func untagged() throws(Problem) -> Response {
    lexer.skipSpaces()
    if let octet = lexer.peek, ASCII.isDigit(octet) { return try numbered() }
    let word = lexer.word()
    if let kind = Self.statusKind(word) {
      return .status(StatusParser.parse(kind, lexer.remaining, limits: limits))
    }
    return try data(word).map { .data($0) } ?? .ignored
  }

  static func statusKind(_ word: ArraySlice<UInt8>) -> StatusResponse.Kind? {
    switch word.count {
    case 2 where word.equalsCaseless("OK"): .ok
    case 2 where word.equalsCaseless("NO"): .no
    case 3 where word.equalsCaseless("BAD"): .bad
    case 3 where word.equalsCaseless("BYE"): .bye
    case 7 where word.equalsCaseless("PREAUTH"): .preauth
    default: nil
    }
  }

  /// A response that begins with a number: `12 EXISTS`, `3 FETCH (…)`.
  private mutating func numbered() throws(Problem) -> Response {
    guard let number = try lexer.digits() else { throw .malformed }
    lexer.skipSpaces()
    let word = lexer.word()
    switch word.count {
    case 5 where word.equalsCaseless("FETCH"): return try fetch(number)
    case 6 where word.equalsCaseless("EXISTS"): return .data(.exists(try narrow(number)))
    case 6 where word.equalsCaseless("RECENT"): return .data(.recent(try narrow(number)))
    case 7 where word.equalsCaseless("EXPUNGE"): return .data(.expunge(try narrow(number)))
    default: return .ignored
    }
  }

  private func narrow(_ number: UInt64) throws(Problem) -> UInt32 {
    guard let number = UInt32(exactly: number) else { throw .malformed }
    return number
  }

  private mutating func fetch(_ number: UInt64) throws(Problem) -> Response {
    var parser = FetchParser(sequence: try narrow(number))
    try lexer.expect(ASCII.openParenthesis)
    switch try parser.parse(&lexer) {
    case .complete: return .fetch(parser)
    case .body(let size): return .body(parser, size: size)
    }
  }

  /// The data that the word announces; `nil` when it is not needed.
  private mutating func data(_ word: ArraySlice<UInt8>) throws(Problem) -> Event? {
    switch word.count {
    case 4 where word.equalsCaseless("LIST"): .list(try listEntry())
    case 5 where word.equalsCaseless("FLAGS"): .flags(try lexer.flags())
    case 6 where word.equalsCaseless("STATUS"): .mailboxStatus(try mailboxStatus())
    case 6 where word.equalsCaseless("SEARCH"): .search(try searchResult())
    case 7 where word.equalsCaseless("ESEARCH"): .esearch(try extendedSearch())
    case 7 where word.equalsCaseless("ENABLED"): .enabled(Capabilities(try lexer.words()).words)
    case 8 where word.equalsCaseless("VANISHED"): try vanished()
    case 9 where word.equalsCaseless("NAMESPACE"): namespaces()
    case 10 where word.equalsCaseless("CAPABILITY"): .capabilities(Capabilities(try lexer.words()))
    default: nil
    }
  }
}

// Mailboxes.
extension ResponseParser {
  private mutating func listEntry() throws(Problem) -> ListEntry {
    let attributes = try lexer.list().map { [UInt8]($0) }
    lexer.skipSpaces()
    let delimiter = try delimiter()
    return ListEntry(
      name: MailboxName(wire: try lexer.astring()),
      delimiter: delimiter,
      attributes: attributes
    )
  }

  private func namespaces() -> Event? {
    var parser = NamespaceParser(lexer)
    return parser.parse().map(Event.namespaces)
  }

  private mutating func delimiter() throws(Problem) -> UInt8? {
    if lexer.skipNil() { return nil }
    guard let string = try lexer.string(), string.count < 2 else { throw .malformed }
    return string.first
  }

  private mutating func mailboxStatus() throws(Problem) -> MailboxStatus {
    let name = MailboxName(wire: try lexer.astring())
    var status = MailboxStatus(name: name)
    do throws(Problem) {
      try lexer.expect(ASCII.openParenthesis)
      while try !lexer.skipListEnd() { try statusItem(&status) }
    } catch {
      // What cannot be understood of one mailbox says nothing of it.
      return MailboxStatus(name: name)
    }
    return status
  }

  private mutating func statusItem(_ status: inout MailboxStatus) throws(Problem) {
    let name = lexer.word()
    guard !name.isEmpty else { throw .malformed }
    lexer.skipSpaces()
    if lexer.skipNil() { return }
    switch name.count {
    case 7 where name.equalsCaseless("UIDNEXT"): status.uidNext = try lexer.number()
    case 8 where name.equalsCaseless("MESSAGES"): status.messages = try lexer.number()
    case 9 where name.equalsCaseless("MAILBOXID"):
      status.mailboxID = try lexer.list().first.map { [UInt8]($0) }
    case 11 where name.equalsCaseless("UIDVALIDITY"): status.uidValidity = try lexer.number()
    case 13 where name.equalsCaseless("HIGHESTMODSEQ"):
      status.highestModSequence = try modSequence()
    default: try lexer.skipValue()
    }
  }

  private mutating func modSequence() throws(Problem) -> UInt64 {
    guard let value = try lexer.digits() else { throw .malformed }
    return value
  }
}

// Searches.
extension ResponseParser {
  private mutating func searchResult() throws(Problem) -> [UInt32] {
    var result: [UInt32] = []
    while true {
      lexer.skipSpaces()
      // RFC 7162 §3.1.5 puts "(MODSEQ n)" at the end.
      guard let octet = lexer.peek, octet != ASCII.openParenthesis else { return result }
      result.append(try lexer.number())
    }
  }

  private mutating func extendedSearch() throws(Problem) -> ESearch {
    var result = ESearch()
    lexer.skipSpaces()
    if lexer.peek == ASCII.openParenthesis {
      result.tag = try lexer.list().last.flatMap { CommandTag(wire: $0) }
    }
    while true {
      lexer.skipSpaces()
      guard !lexer.isAtEnd else { return result }
      try searchItem(&result)
    }
  }

  private mutating func searchItem(_ result: inout ESearch) throws(Problem) {
    let name = lexer.word()
    guard !name.isEmpty else { throw .malformed }
    lexer.skipSpaces()
    switch name.count {
    case 3 where name.equalsCaseless("UID"): result.isUID = true
    case 3 where name.equalsCaseless("ALL"): result.all = try uidSet()
    case 3 where name.equalsCaseless("MIN"): result.minimum = try lexer.number()
    case 3 where name.equalsCaseless("MAX"): result.maximum = try lexer.number()
    case 5 where name.equalsCaseless("COUNT"): result.count = try lexer.number()
    case 6 where name.equalsCaseless("MODSEQ"): result.modSequence = try modSequence()
    default: try lexer.skipValue()
    }
  }

  /// A set of UIDs; some servers write an empty one as nothing.
  private mutating func uidSet() throws(Problem) -> UIDSet {
    lexer.skipSpaces()
    return lexer.isAtEnd ? UIDSet() : UIDSet(try lexer.ranges())
  }

  private mutating func vanished() throws(Problem) -> Event {
    lexer.skipSpaces()
    let isEarlier = try lexer.list().contains { $0.equalsCaseless("EARLIER") }
    return .vanished(try uidSet(), earlier: isEarlier)
  }
}

/// One response of the server, or one step of a streamed one, before the session judged it.
enum Response {
  case tagged(CommandTag, StatusResponse)
  /// An untagged OK, NO, BAD, PREAUTH or BYE.
  case status(StatusResponse)
  /// `+` and what follows it.
  case continuation(ArraySlice<UInt8>)
  /// Data that is complete as it is.
  case data(Event)
  /// A FETCH that ends for now at a body of that size, which follows on the wire.
  case body(FetchParser, size: UInt64)
  /// A FETCH that is complete; the parser may hold an inline body.
  case fetch(FetchParser)
  /// A response that is not needed.
  case ignored
}
