internal import MailModel
internal import Octets

// The commands that have arguments of their own.
extension CommandEncoder {
  mutating func login(_ user: [UInt8], _ password: [UInt8]) {
    word("LOGIN")
    spaced { $0.string(user) }
    spaced { encoder in encoder.secretly { $0.string(password) } }
  }

  mutating func identify(_ name: [UInt8], _ version: [UInt8]) {
    word("ID (\"name\"")
    spaced { $0.string(name) }
    word("\"version\"")
    spaced { $0.string(version) }
    raw(")")
  }

  mutating func authenticate(_ mechanism: [UInt8], _ response: [UInt8]?) {
    word("AUTHENTICATE")
    spaced { $0.atom(mechanism) }
    guard let response else { return }
    // RFC 4959 §3: "=" tells an empty response from none.
    let inline = response.isEmpty ? [ASCII.equals] : Base64.encode(response)
    spaced { encoder in encoder.secretly { $0.raw(inline) } }
  }

  mutating func list(_ reference: [UInt8], _ pattern: [UInt8], _ returning: ListReturn?) {
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

  mutating func statusItems(_ items: [StatusItem]) {
    joined(items) { $0.raw($1.wire) }
  }

  mutating func open(
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

  mutating func fetch(_ messages: MessageSet, _ items: [FetchItem], _ since: UInt64?) {
    word("UID FETCH")
    spaced { $0.messages(messages) }
    spaced { encoder in encoder.joined(items) { $0.fetchItem($1) } }
    guard let since else { return }
    word("(CHANGEDSINCE ")
    raw([UInt8](decimal: since) + [ASCII.closeParenthesis])
  }

  mutating func messages(_ messages: MessageSet) {
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
    case .labels: raw("X-GM-LABELS")
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

  /// All UIDs come first, so that the server looks at no other message.
  mutating func searchSizes(_ sizes: [UInt32: UInt64], _ unflagged: Set<UInt32>) {
    let sorted = sizes.sorted { $0.key < $1.key }
    word("UID SEARCH RETURN (SAVE) UID")
    spaced { $0.messages(.uids(UIDSet(sortedUIDs: sorted.map(\.key)))) }
    for (index, (uid, size)) in sorted.enumerated() {
      if index < sorted.count - 1 { word("OR") }
      word("(UID ")
      raw([UInt8](decimal: uid))
      if size > 0 {
        raw(" LARGER ")
        raw([UInt8](decimal: size - 1))
      }
      if size < .max {
        raw(" SMALLER ")
        raw([UInt8](decimal: size + 1))
      }
      if unflagged.contains(uid) { raw(" UNFLAGGED") }
      raw(")")
    }
  }

  mutating func search(_ query: SearchQuery, _ returningAll: Bool) {
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
