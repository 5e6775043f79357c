internal import Octets

/// What goimapnotify is set to do: magnum watch does that without being told, but for the commands, which are named.
enum Goimapnotify {
  private static let notes = DirectiveNotes(notes: [
    "onnewmail": command, "onnewmailpost": command, "ondeletedmail": command,
    "ondeletedmailpost": command, "onchangedmail": command, "onchangedmailpost": command,
    "passwordcmd": .remark(.notRun, "password-command of an account prints its password"),
    "usernamecmd": .remark(.notRun, "user of an account is the name to log in with"),
    "hostcmd": .remark(.notRun, "imap of an account names its server"),
    "rejectunauthorized": .remark(.weakensTLS, Trust.notVerified),
  ])

  private static let command = DirectiveNotes.Note.remark(
    .notRun,
    "magnum watch syncs by itself; post-sync of an account runs a command behind a sync"
  )

  static func remarks(_ file: ForeignFile) -> [Remark] {
    let text = "magnum watch waits for new mail and syncs by itself; no command is taken over"
    let directives = file.lines.compactMap { directive($0.octets, $0.number, file) }
    return [Remark(file: file.name, line: nil, directive: nil, kind: .notRun, text: text)]
      + notes.remarks(on: DirectiveSet(directives))
  }

  /// The member at the beginning of a line of JSON or YAML, where it is one to be named.
  private static func directive(
    _ line: ArraySlice<UInt8>,
    _ number: Int,
    _ file: ForeignFile
  ) -> Directive? {
    let words = line.drop { !ASCII.isLetter($0) }
    let key = words.prefix(while: ASCII.isLetter)
    let value = words.dropFirst(key.count).drop { marks.contains($0) || ASCII.isBlank($0) }
    guard let name = ForeignFile.text(key), let text = ForeignFile.text(trimmed(value)),
      notes.notes[name.lowercased()] != nil,
      // Only what verifies no certificates is worth a word.
      !name.utf8.equalsCaseless("rejectUnauthorized".utf8) || text.hasPrefix("false")
    else { return nil }
    // Other members on the same line may be passwords.
    let isAlone = !text.contains("\":") && !text.contains("password:")
    return Directive(file: file.name, line: number, name: name, arguments: [isAlone ? text : "…"])
  }

  private static let marks = Array("\":'".utf8)

  private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var value = value
    while let last = value.last, ASCII.isBlank(last) || Array("\"',".utf8).contains(last) {
      value.removeLast()
    }
    return value
  }
}
