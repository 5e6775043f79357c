internal import Octets

/// Where mbsync keeps the folders of a store, as a Maildir of Magnum.
struct MbsyncFolders {
  /// The root; nil where there is none that all folders lie in.
  private(set) var maildir: String?
  private(set) var isMaildirPlusPlus = false
  private(set) var remarks: [Remark] = []
  /// The directory of the store that is the root, with a slash at its end; empty where the store's own is.
  private(set) var directory = ""
  private let head: Directive
  private var inbox: String
  /// The directive whose value, without a slash at its end, is the beginning of the folders' names; nil where folders lie in it.
  private var beginning: Directive?

  /// Reads a store of Maildirs; all folders are in this directory of it, see ``MbsyncChannel/directory(of:)``.
  init(_ section: MbsyncFile.Section, in directory: String) {
    head = section.head
    var set = section.set
    let path = set.takeLast("Path")
    let place = set.takeLast("Inbox")
    inbox = Self.trimmed(place?.value ?? "~/Maildir")
    let folders = set.takeLast("SubFolders")
    let flatten = set.takeLast("Flatten")
    let isMaildirPlusPlus = folders.map { $0.value.lowercased() == "maildir++" } ?? false
    if let delimiter = set.takeLast("InfoDelimiter"), delimiter.value != ":" {
      let text = "flags behind another sign than a colon are not seen: rename the files first"
      remarks.append(Remark(delimiter, .noEquivalent, text))
    }
    if let flatten, flatten.value != "." {
      let text = "folders are found only if a dot stands between the levels of their names"
      remarks.append(Remark(flatten, .noEquivalent, text))
    }
    if let path, !isMaildirPlusPlus {
      takeRoot(path, isFlat: flatten?.value == ".")
      if path.value.hasSuffix("/"), !directory.isEmpty { takeDirectory(directory) }
    } else {
      self.isMaildirPlusPlus = true
      maildir = inbox
    }
    remarks += DirectiveNotes.mbsyncMaildir.remarks(on: set)
  }

  /// mbsync puts the path in front of the names of folders as it is.
  private mutating func takeRoot(_ path: Directive, isFlat: Bool) {
    guard !path.value.hasSuffix("/.") else { return takeDots(path, isFlat) }
    maildir = Self.trimmed(path.value)
    if !path.value.hasSuffix("/") { beginning = path }
  }

  /// A dot in front of all names, and between their levels, is the layout of Maildir++.
  private mutating func takeDots(_ path: Directive, _ isFlat: Bool) {
    isMaildirPlusPlus = true
    maildir = Self.trimmed(String(path.value.dropLast()))
    guard !isFlat else { return }
    let text =
      "folders within folders are looked for as .A.B, where mbsync has them with Flatten . only"
    remarks.append(Remark(path, .approximated, text))
  }

  private mutating func takeDirectory(_ directory: String) {
    guard let root = maildir else { return }
    self.directory = directory
    maildir = Self.trimmed("\(root)/\(directory)")
    inbox = "\(root)/\(directory)INBOX"
  }

  static func trimmed(_ path: String) -> String {
    var path = Substring(path)
    while path.utf8.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }

  /// What to do where the inbox lies elsewhere than Magnum looks for it.
  var inboxRemark: Remark? {
    guard let maildir else { return nil }
    guard !isMaildirPlusPlus else {
      return inbox == maildir ? nil : Remark(head, .toDo, Self.inboxToRoot(inbox, maildir))
    }
    let expected = ["INBOX", "Inbox", "inbox"].map { "\(maildir)/\($0)" }
    guard !expected.contains(where: { $0.utf8.elementsEqual(inbox.utf8) }) else { return nil }
    guard inbox != maildir else { return Remark(head, .toDo, Self.rootInbox(maildir)) }
    return Remark(head, .toDo, Self.move(inbox, to: "\(maildir)/INBOX", what: "INBOX"))
  }

  /// The inbox is the root itself: its parts move one level down.
  private static func rootInbox(_ root: String) -> String {
    let parts = ["cur", "new", "tmp"].map { ShellWord.quoted("\(root)/\($0)") }
    let inbox = ShellWord.quoted("\(root)/INBOX")
    return elsewhere("INBOX") + "mkdir \(inbox) && mv \(parts.joined(separator: " ")) \(inbox)"
  }

  /// The root is the inbox: what the inbox holds moves there.
  private static func inboxToRoot(_ inbox: String, _ root: String) -> String {
    let parts = ["cur", "new", "tmp"].map { ShellWord.quoted("\(inbox)/\($0)") }
    let place = ShellWord.quoted(root)
    return elsewhere("INBOX") + "mkdir -p \(place) && mv \(parts.joined(separator: " ")) \(place)"
  }

  /// What to do where the path is the beginning of the folders' names: an account's folders are to lie in a directory.
  var beginningRemark: Remark? {
    guard let beginning, let maildir, let slash = maildir.lastIndex(of: "/") else { return nil }
    let name = ShellWord.quoted(String(maildir[maildir.index(after: slash)...]))
    let text =
      "without a slash at its end this is the beginning of the folders' names (\(maildir)Sent); "
      + "Magnum looks for them inside that directory; when mbsync is no longer run, and before the first sync: "
      + "cd \(ShellWord.quoted(String(maildir[..<slash]))) && n=\(name) && mkdir -p \"$n\" && "
      + "for f in \"$n\"?*; do mv -T \"$f\" \"$n/${f#\"$n\"}\"; done "
      + "(see first that nothing else there begins so)"
    return Remark(beginning, .toDo, text)
  }

  /// Whether the inbox is moved by what ``beginningRemark`` says.
  var isInboxMovedWithOthers: Bool { beginning.map { inbox.hasPrefix($0.value) } ?? false }

  /// What to do where a mailbox lies under a name of its own.
  func remark(_ directive: Directive, mailbox: String, isAt folder: String) -> Remark? {
    guard let maildir, folder != mailbox || beginning != nil else { return nil }
    let isInbox = folder.isEmpty || folder.utf8.equalsCaseless("INBOX".utf8)
    if isInbox, mailbox.utf8.equalsCaseless("INBOX".utf8) { return nil }
    let from =
      isInbox ? inbox : beginning.map { $0.value + folder } ?? place(of: folder, in: maildir)
    return Remark(
      directive,
      .toDo,
      Self.move(from, to: place(of: mailbox, in: maildir), what: mailbox)
    )
  }

  /// What to do where the names of all folders of a channel begin with something.
  func remark(_ directive: Directive, beginning: String) -> Remark {
    let text =
      "the names of folders begin with \(beginning), which Magnum does not know: when mbsync is no longer run, and before the "
      + "first sync, give them the names of their mailboxes"
    return Remark(directive, .toDo, text)
  }

  private func place(of mailbox: String, in maildir: String) -> String {
    guard isMaildirPlusPlus else { return "\(maildir)/\(mailbox)" }
    return "\(maildir)/.\(mailbox.split(separator: "/").joined(separator: "."))"
  }

  private static func move(_ from: String, to: String, what: String) -> String {
    let parent = String(to[..<(to.lastIndex(of: "/") ?? to.startIndex)])
    return elsewhere(what) + "mkdir -p \(ShellWord.quoted(parent)) && "
      + "mv -T \(ShellWord.quoted(from)) \(ShellWord.quoted(to))"
  }

  private static func elsewhere(_ what: String) -> String {
    "Magnum looks for \(what) elsewhere; when mbsync is no longer run, and before the first sync: "
  }
}
