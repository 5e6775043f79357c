internal import Octets

/// The part of a status response behind its first word (RFC 9051 §9 `resp-text`).
///
/// Nothing here is an error: what makes no sense as a code becomes `.other` or text.
enum StatusParser {
  static func parse(
    _ kind: StatusResponse.Kind,
    _ rest: ArraySlice<UInt8>,
    limits: Limits
  ) -> StatusResponse {
    var lexer = Lexer(rest, limits: limits)
    lexer.skipSpaces()
    guard lexer.skip(ASCII.openBracket), let end = closingBracket(of: lexer.remaining) else {
      return StatusResponse(kind: kind, text: [UInt8](lexer.remaining))
    }
    let code = code(Lexer(lexer.remaining[..<end], limits: limits))
    let text = lexer.remaining[(end + 1)...].drop(while: ASCII.isBlank)
    return StatusResponse(kind: kind, code: code, text: [UInt8](text))
  }

  /// The bracket that ends the code; those within parentheses and quotes do not.
  ///
  /// Where these are not balanced, the first bracket ends it.
  private static func closingBracket(of octets: ArraySlice<UInt8>) -> Int? {
    var depth = 0
    var isQuoted = false
    for (index, octet) in zip(octets.indices, octets) {
      switch octet {
      case ASCII.quote: isQuoted.toggle()
      case ASCII.openParenthesis where !isQuoted: depth += 1
      case ASCII.closeParenthesis where !isQuoted: depth -= 1
      case ASCII.closeBracket where !isQuoted && depth <= 0: return index
      default: break
      }
    }
    return octets.firstIndex(of: ASCII.closeBracket)
  }

  private static func code(_ start: Lexer) -> ResponseCode {
    var lexer = start
    lexer.skipSpaces()
    let name = lexer.word().map(ASCII.uppercased)
    lexer.skipSpaces()
    let arguments = lexer.remaining
    let plain = String(validating: name, as: UTF8.self).flatMap { plainCodes[$0] }
    return plain ?? argumentCode(name, &lexer)
      ?? .other(name: name, arguments: [UInt8](arguments))
  }

  private static let plainCodes: [String: ResponseCode] = [
    "ALERT": .alert,
    "ALREADYEXISTS": .alreadyExists,
    "AUTHENTICATIONFAILED": .authenticationFailed,
    "AUTHORIZATIONFAILED": .authorizationFailed,
    "BADCHARSET": .badCharset,
    "CANNOT": .cannot,
    "CLIENTBUG": .clientBug,
    "CLOSED": .closed,
    "CONTACTADMIN": .contactAdministrator,
    "EXPIRED": .expired,
    "EXPUNGEISSUED": .expungeIssued,
    "HASCHILDREN": .hasChildren,
    "INUSE": .inUse,
    "LIMIT": .limit,
    "NOMODSEQ": .noModSequence,
    "NONEXISTENT": .nonexistent,
    "NOPERM": .noPermission,
    "OVERQUOTA": .overQuota,
    "PARSE": .parse,
    "PRIVACYREQUIRED": .privacyRequired,
    "READ-ONLY": .readOnly,
    "READ-WRITE": .readWrite,
    "SERVERBUG": .serverBug,
    "TOOBIG": .tooBig,
    "TRYCREATE": .tryCreate,
    "UIDNOTSTICKY": .uidNotSticky,
    "UNAVAILABLE": .unavailable,
    "USEATTR": .useAttribute,
  ]

  /// A code with arguments; `nil` for an unknown name and for arguments that make no sense.
  private static func argumentCode(_ name: [UInt8], _ lexer: inout Lexer) -> ResponseCode? {
    switch String(decoding: name, as: UTF8.self) {
    case "CAPABILITY": (try? lexer.words()).map { .capability(Capabilities($0)) }
    case "UIDVALIDITY": (try? lexer.number()).map { .uidValidity($0) }
    case "UIDNEXT": (try? lexer.number()).map { .uidNext($0) }
    case "UNSEEN": (try? lexer.number()).map { .unseen($0) }
    case "HIGHESTMODSEQ": (try? lexer.digits())?.map { .highestModSequence($0) }
    case "PERMANENTFLAGS": (try? lexer.flags()).map { .permanentFlags($0) }
    case "MAILBOXID": (try? lexer.list())?.first.map { .mailboxID([UInt8]($0)) }
    case "MODIFIED": lastRanges(&lexer).map { .modified(UIDSet($0)) }
    case "APPENDUID": appendUID(&lexer)
    case "COPYUID": copyUID(&lexer)
    default: nil
    }
  }

  private static func appendUID(_ lexer: inout Lexer) -> ResponseCode? {
    guard let validity = try? lexer.number(), let uids = lastRanges(&lexer) else { return nil }
    return .appendUID(validity: validity, uids: uids)
  }

  private static func copyUID(_ lexer: inout Lexer) -> ResponseCode? {
    guard let validity = try? lexer.number(), let source = try? lexer.ranges(),
      let destination = lastRanges(&lexer)
    else { return nil }
    return .copyUID(validity: validity, source: source, destination: destination)
  }

  /// The UIDs that end a code; `nil` when anything follows, for then they may be a part of the truth.
  private static func lastRanges(_ lexer: inout Lexer) -> [ClosedRange<UInt32>]? {
    guard let ranges = try? lexer.ranges() else { return nil }
    lexer.skipSpaces()
    return lexer.isAtEnd ? ranges : nil
  }
}
