extension DirectiveNotes {
  /// What is to be said of a section `[Account …]` of offlineimap.
  static let offlineAccount = DirectiveNotes(notes: [
    "autorefresh": watch, "quick": .same, "status_backend": .same, "fsync": .same,
    "maxsize": .remark(
      .noEquivalent,
      "messages of all sizes are mirrored, large ones without attachments where size-limit is set"
    ),
    "startdate": .remark(.noEquivalent, "window takes a number of days"),
    "presynchook": hook, "postsynchook": hook,
    "proxy": proxy, "authproxy": proxy,
    "synclabels": labels, "labelsheader": labels, "ignorelabels": labels,
  ])

  /// Those of a section `[Repository …]` on a server.
  static let offlineServer = DirectiveNotes(notes: [
    "type": .taken, "keepalive": .same, "usecompression": .same, "decodefoldernames": .same,
    "holdconnectionopen": watch, "idlefolders": watch, "foldersort": .same,
    "socktimeout": .same, "ipv6": .same, "copy_ignore_eval": .same,
    "remotehosteval": python, "remoteporteval": python, "remoteusereval": python,
    "remotepasseval": .remark(
      .notRun,
      "Python: write password-command, a program that prints the password"
    ),
    "nametrans": .remark(
      .notRun,
      "Python: folders have the names that the server gives the mailboxes; rename the folders before the first sync"
    ),
    "folderfilter": filter, "folderincludes": filter,
    "reference": .remark(.noEquivalent, "all mailboxes of the server's list are looked at"),
    "subscribedonly": .remark(
      .noEquivalent,
      "all mailboxes are mirrored; write include and exclude"
    ),
    "oauth2_client_id": token, "oauth2_client_id_eval": token,
    "oauth2_client_secret": token, "oauth2_client_secret_eval": token,
    "oauth2_access_token": token, "oauth2_access_token_eval": token,
    "oauth2_refresh_token": token, "oauth2_refresh_token_eval": token,
    "oauth2_request_url": token, "oauth2_request_url_eval": token,
    "remote_identity": .remark(.noEquivalent, "there is no log-in on behalf of another user"),
    "expunge": .remark(.approximated, "on-local-delete and expunge decide what goes for good"),
    "realdelete": .remark(
      .approximated,
      "on-local-delete decides what becomes of a removed file's message"
    ),
    "dnsupdate": .same, "retrycount": .same,
  ])

  /// Those of a section `[Repository …]` of Maildirs.
  static let offlineMaildir = DirectiveNotes(notes: [
    "type": .taken, "restoreatime": .same, "filename_use_mail_timestamp": fileTime,
    "utime_from_header": fileTime, "foldersort": .same, "startdate": .same,
    "decodefoldernames": .same,
    "nametrans": .remark(
      .notRun,
      "Python: folders have the names that the server gives the mailboxes"
    ),
    "folderfilter": filter,
    "ctime_unique": .same,
  ])

  /// Those of the section `[general]`.
  static let offlineGeneral = DirectiveNotes(notes: [
    "maxsyncaccounts": .same, "metadata": .same, "ui": .same, "socktimeout": .same, "fsync": .same,
    "accounts": .taken, "ignore-readonly": .same, "maxconnections": .same,
    "pythonfile": .remark(.notRun, "Python is not run"),
  ])

  private static let fileTime = Note.remark(
    .noEquivalent,
    "a file has the time at which its message arrived on the server"
  )
  private static let filter = Note.remark(.notRun, "Python: write include and exclude")
  private static let watch = Note.remark(.noEquivalent, "magnum watch syncs when something changes")
  private static let hook = Note.remark(
    .notRun,
    "post-sync runs a command after a sync; nothing runs before"
  )
  private static let proxy = Note.remark(
    .noEquivalent,
    "it is not taken over: write proxy = \"socks5h://HOST:PORT\""
  )
  private static let labels = Note.remark(.noEquivalent, "labels are mailboxes, each a folder")
  private static let python = Note.remark(.notRun, "Python is not run: write the value")
  private static let token = Note.remark(
    .noEquivalent,
    "write token-command: a program that prints an access token, such as oama or pizauth"
  )
}
