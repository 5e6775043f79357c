internal import Octets

/// What goimapnotify is set to do: magnum watch does that without being told; what it is set to is named.
enum Goimapnotify {
  private static let notes = DirectiveNotes(notes: [
    "onnewmail": command, "onnewmailpost": command, "ondeletedmail": command,
    "ondeletedmailpost": command, "onchangedmail": command, "onchangedmailpost": command,
    "configurations": .taken, "alias": .taken,
    "host": server, "port": server, "tls": server, "tlsoptions": server, "starttls": server,
    "username": server, "xoauth2": server, "idlelogouttimeout": .same, "wait": .same,
    "keepalive": .same, "enableidcommand": .same,
    "password": .remark(.noEquivalent, "password-file of an account holds its password"),
    "boxes": boxes, "mailbox": boxes,
    "passwordcmd": .remark(.notRun, "password-command of an account prints its password"),
    "usernamecmd": .remark(.notRun, "user of an account is the name to log in with"),
    "hostcmd": .remark(.notRun, "imap of an account names its server"),
    "rejectunauthorized": .remark(.weakensTLS, Trust.notVerified),
  ])

  private static let command = DirectiveNotes.Note.remark(
    .notRun,
    "magnum watch syncs by itself; post-sync of an account runs a command behind a sync"
  )
  private static let server = DirectiveNotes.Note.remark(
    .notNeeded,
    "magnum watch takes the servers of the accounts"
  )
  private static let boxes = DirectiveNotes.Note.remark(
    .notNeeded,
    "magnum watch looks at all mailboxes; idle-mailboxes names those besides INBOX that have to be fast"
  )

  static func remarks(_ file: ForeignFile) -> [Remark] {
    let text = "magnum watch waits for new mail and syncs by itself; no command is taken over"
    let all = Remark(file: file.name, line: nil, directive: nil, kind: .notRun, text: text)
    let first = file.octets.first { !ASCII.isBlank($0) && !ASCII.isControl($0) }
    let isJSON = first == ASCII.openBrace || first == ASCII.openBracket
    let directives = isJSON ? members(of: file) : entries(of: file)
    // What verifies certificates is as it has to be.
    let named = directives.filter {
      !$0.isNamed("rejectUnauthorized") || $0.value.hasPrefix("false")
    }
    return [all] + notes.remarks(on: DirectiveSet(named))
  }

  // MARK: - JSON

  /// The members of all objects, also of several on one line; of a value that is no text only its beginning.
  private static func members(of file: ForeignFile) -> [Directive] {
    var directives: [Directive] = []
    for (number, line) in file.lines {
      var cursor = Cursor(line)
      while !cursor.isAtEnd {
        _ = cursor.take { $0 != ASCII.quote }
        guard let name = string(&cursor) else { break }
        skipBlanks(&cursor)
        guard cursor.skip(ASCII.colon) else { continue }
        skipBlanks(&cursor)
        let octets =
          cursor.peek == ASCII.quote
          ? string(&cursor) : Array(cursor.take { !ends.contains($0) })
        guard let name = ForeignFile.text(name), let octets,
          let value = ForeignFile.text(octets)
        else { continue }
        directives.append(directive(name, value.isEmpty ? "…" : value, number, file))
      }
    }
    return directives
  }

  private static let ends = Array(",]}{[\" ".utf8)

  /// What stands between two quotes, escapes as they are; nil where that does not end.
  private static func string(_ cursor: inout Cursor) -> [UInt8]? {
    guard cursor.skip(ASCII.quote) else { return nil }
    var octets: [UInt8] = []
    while let octet = cursor.next() {
      if octet == ASCII.quote { return octets }
      octets.append(octet)
      if octet == ASCII.backslash, let next = cursor.next() { octets.append(next) }
    }
    return nil
  }

  private static func skipBlanks(_ cursor: inout Cursor) {
    _ = cursor.take { ASCII.isBlank($0) }
  }

  // MARK: - YAML

  private static func entries(of file: ForeignFile) -> [Directive] {
    file.lines.compactMap { entry($0.octets, $0.number, file) }
  }

  private static func entry(
    _ line: ArraySlice<UInt8>,
    _ number: Int,
    _ file: ForeignFile
  ) -> Directive? {
    let words = line.drop { !ASCII.isLetter($0) }
    let key = words.prefix { ASCII.isLetter($0) || ASCII.isDigit($0) }
    let rest = words.dropFirst(key.count)
    let isComment = line.first { !ASCII.isBlank($0) } == ASCII.hash
    guard !isComment, rest.contains(ASCII.colon), let name = ForeignFile.text(key),
      let text = ForeignFile.text(trimmed(rest.drop { marks.contains($0) || ASCII.isBlank($0) }))
    else { return nil }
    // Other members on the same line may be passwords.
    let isAlone = !text.holds("\":") && !text.holds(": ") && !text.contains("{")
    return directive(name, isAlone ? text : "…", number, file)
  }

  private static let marks = Array("\":'".utf8)

  private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var value = value
    while let last = value.last, ASCII.isBlank(last) || Array("\"',".utf8).contains(last) {
      value.removeLast()
    }
    return value
  }

  private static func directive(
    _ name: String,
    _ value: String,
    _ number: Int,
    _ file: ForeignFile
  ) -> Directive {
    Directive(file: file.name, line: number, name: name, arguments: value.isEmpty ? [] : [value])
  }
}
