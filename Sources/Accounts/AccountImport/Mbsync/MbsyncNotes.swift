/// What is to be said of mbsync's directives that were not taken.
extension DirectiveNotes {
  /// Those of accounts and of stores on a server.
  static let mbsyncServer = DirectiveNotes(notes: [
    "timeout": .same, "pipelinedepth": .same,
    "requirecram": .same, "usekeychain": .remark(.noEquivalent, "macOS only"),
    "disableextension": extensions, "disableextensions": extensions,
    "cipherstring": .remark(.noEquivalent, "the system's OpenSSL settings decide"),
    "usercmd": .remark(.noEquivalent, "user takes a name, not a command"),
    "subscribedonly": .remark(
      .noEquivalent,
      "all mailboxes are mirrored that include and exclude let through; subscriptions are not asked"
    ),
    "maxsize": maxSize,
    "flatten": .remark(.noEquivalent, "names of the server are kept as they are"),
    "trashnewonly": trashing, "trashremotenew": trashing,
    "usesslv2": .same, "usesslv3": oldTLS, "usetlsv1": oldTLS, "usetlsv1.1": oldTLS,
    "usetlsv1.2": .same, "usetlsv1.3": .same,
  ])

  /// Those of stores of Maildirs.
  static let mbsyncMaildir = DirectiveNotes(notes: [
    "altmap": .same, "maxsize": maxSize, "trashnewonly": trashing, "trashremotenew": trashing,
    "trash": .remark(
      .noEquivalent,
      "what is removed goes to the server's Trash and comes from there"
    ),
    "mapinbox": .remark(.noEquivalent, "the inbox is always INBOX"),
  ])

  /// Those of channels.
  static let mbsyncChannel = DirectiveNotes(notes: [
    "copyarrivaldate": .remark(.notNeeded, "messages always keep their date of arrival"),
    "maxsize": maxSize,
    "maxmessages": .remark(
      .noEquivalent,
      "all messages are mirrored, or those that window lets in"
    ),
    "expireside": expiry, "expireunread": expiry, "expungesolo": expiry,
  ])

  /// Those outside of all sections.
  static let mbsyncGlobal = DirectiveNotes(
    notes: mbsyncChannel.notes.merging([
      "fsync": .same, "bufferlimit": .same,
      "fielddelimiter": .remark(.noEquivalent, "file names have the standard form, with a colon"),
    ]) { first, _ in first }
  )

  private static let extensions = Note.remark(
    .noEquivalent,
    "what a server does wrong is found out by itself; report it where that fails"
  )
  private static let maxSize = Note.remark(
    .noEquivalent,
    "messages of all sizes are mirrored, large ones without attachments where size-limit is set; "
      + "placeholders that mbsync made are replaced by the messages"
  )
  private static let trashing = Note.remark(.noEquivalent, "on-local-delete decides")
  private static let expiry = Note.remark(.noEquivalent, "nothing expires; see window")
  private static let oldTLS = Note.remark(.weakensTLS, Trust.oldTLS)
}
