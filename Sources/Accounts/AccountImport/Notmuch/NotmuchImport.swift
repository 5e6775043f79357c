internal import Octets

/// What of a notmuch-config concerns accounts and searches.
struct NotmuchImport {
  /// Who the user is.
  struct Identity {
    var name: String?
    var address: String?
    var others: [String] = []
  }

  private(set) var identity = Identity()
  /// The tags that searches leave out.
  private(set) var excludedTags: [String] = []
  private(set) var queries: [(name: String, query: String)] = []
  private(set) var remarks: [Remark] = []
  /// The directive with the main address.
  private(set) var addressLine: Directive?
  /// The directive with the directory that all mail lies in; nil where it is not named.
  private(set) var mailLine: Directive?
  private let name: String

  init(_ source: ForeignFile) {
    let file = INIFile(source, interpolates: false)
    name = source.name
    remarks = file.remarks
    for section in file.sections {
      var set = section.set
      switch section.name {
      case "user": takeUser(&set)
      case "database":
        let path = set.takeLast("path")
        mailLine = set.takeLast("mail_root") ?? path
      case "search": excludedTags = Self.list(set.takeLast("exclude_tags"))
      case "new": remarks += [Self.remark(onIgnored: set.takeLast("ignore"))].compactMap { $0 }
      case "query":
        takeQueries(set)
        set = DirectiveSet()
      default: break
      }
      let known = DirectiveSet(set.rest.filter { Self.notes.notes[$0.name.lowercased()] != nil })
      remarks += Self.notes.remarks(on: known)
      remarks += set.rest.filter { Self.notes.notes[$0.name.lowercased()] == nil }.map {
        Remark($0, .noEquivalent, "there is no setting for this")
      }
    }
  }

  /// The mail as an account of its own, which no server is known of.
  var mail: ImportedAccount? {
    guard let maildir else { return nil }
    var account = ImportedAccount(name: "mail", origins: [name])
    account.address = identity.address
    account.fullName = identity.name
    account.addresses = identity.others
    account.maildir = maildir
    return account
  }

  /// The directory with all mail; a name that is not absolute is in the home directory.
  private var maildir: String? {
    guard let path = mailLine?.value, !path.isEmpty else { return nil }
    return MbsyncFolders.trimmed(path.hasPrefix("/") || path.hasPrefix("~/") ? path : "~/\(path)")
  }

  private mutating func takeQueries(_ set: DirectiveSet) {
    for directive in set.rest {
      let isName = directive.name.utf8.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || "-_.".utf8.contains($0) || $0 >= 0x80
      }
      if isName, !directive.value.isEmpty, directive.name != "exclude-tags" {
        queries.append((directive.name, directive.value))
      } else {
        remarks.append(
          Remark(directive, .noEquivalent, "a query cannot have this name, or is empty")
        )
      }
    }
  }

  private mutating func takeUser(_ set: inout DirectiveSet) {
    identity.name = set.takeLast("name")?.value
    addressLine = set.takeLast("primary_email")
    identity.address = addressLine?.value
    identity.others = Self.list(set.takeLast("other_email"))
  }

  private static func list(_ directive: Directive?) -> [String] {
    (directive?.value ?? "").split(separator: ";").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    .filter { !$0.isEmpty }
  }

  /// The names of Magnum's own files beside the mail.
  private static let ownFiles = [
    ".magnum", "_magnum", ".magnum-id", ".magnum-keywords", ".magnum-tags",
  ]

  /// What notmuch is to be told where both are run; nil where it knows.
  private static func remark(onIgnored directive: Directive?) -> Remark? {
    let names = list(directive)
    let missing = ownFiles.filter { !names.contains($0) }
    guard let directive else { return nil }
    guard !missing.isEmpty else {
      return Remark(directive, .notNeeded, "the index is of the accounts' folders only")
    }
    let text =
      "the index is of the accounts' folders only; where notmuch goes on with this mail, add to its list: "
      + missing.joined(separator: " ")
    return Remark(directive, .toDo, text)
  }

  private static let notes = DirectiveNotes(notes: [
    "tags": .remark(
      .noEquivalent,
      "new mail is found by its flags (is:unread) and folder, not by a tag"
    ),
    "synchronize_flags": .same, "maildir.synchronize_flags": .same,
    "hook_dir": .remark(.notRun, "hooks are not run; see post-sync"),
    "decrypt": .remark(.noEquivalent, "encrypted mail is not decrypted for the index"),
    "gpg_path": .same,
  ])
}
