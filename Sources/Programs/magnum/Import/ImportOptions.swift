internal import Carriage
internal import CommandLine
internal import MailModel
internal import Mbox
internal import Octets
internal import Triage

/// What the options of `magnum import` ask for.
struct ImportOptions {
  /// What tells the folder of a message.
  enum FolderSource: String, CaseIterable {
    case path, labels
  }

  var target: String?
  var folders = FolderSource.path
  var labels: [String] = []
  var includesJunk = false
  var kind = MboxKind.auto
  var tags: [String] = []
  var keepsFields = false
  var isUnread = false
  var includesDeleted = false
  var again = false
  var isDryRun = false
  var isConfirmed = false

  static var table: [CommandOption<ImportOptions>] {
    [
      .text(
        "--to",
        value: "place",
        completion: .names(.mailboxes),
        sets: \.target,
        help: "ACCOUNT/FOLDER, or the path of a Maildir that belongs to no account."
      ),
      .choice(
        "--folders-from",
        value: "what",
        sets: \.folders,
        help: "path: folders of a source go below the one named; labels: to those of Gmail labels."
      ),
      .texts(
        "--label",
        value: "name=meaning",
        addsTo: \.labels,
        help: "What a label says: inbox, sent, draft, trash, spam, unread, opened, starred …"
      ),
      .flag(
        "--all",
        sets: \.includesJunk,
        help: "With labels, include messages in Trash and Spam."
      ),
      .choice(
        "--mbox-kind",
        value: "kind",
        sets: \.kind,
        help: "The rules by which the mbox was written; auto: told message by message."
      ),
      .texts(
        "--tag",
        value: "tag",
        completion: .names(.tags),
        addsTo: \.tags,
        help: "Set this tag on all messages that are added."
      ),
      .flag(
        "--keep-fields",
        sets: \.keepsFields,
        help: "Leave fields of mail programs, such as Status, in the messages."
      ),
      .flag(
        "--unread",
        sets: \.isUnread,
        help: "Messages are unread unless something marks them as read."
      ),
      .flag(
        "--with-deleted",
        sets: \.includesDeleted,
        help: "Include messages that were deleted and are still in their file."
      ),
      .flag("--again", sets: \.again, help: "Add messages even if they are already there."),
      .flag("-n", "--dry-run", sets: \.isDryRun, help: "Print what would be done, and do nothing."),
      .flag("--yes", sets: \.isConfirmed, help: "Do not ask for confirmation."),
    ]
  }

  /// - Throws: what is wrong with them together.
  func check(_ line: ParsedLine) throws(UsageMistake) {
    guard target != nil else { throw UsageMistake("no place is given; use --to") }
    if includesJunk, folders != .labels {
      throw UsageMistake("--all is for --folders-from labels")
    }
    if let wrong = labels.first(where: { Self.label($0) == nil }) {
      let meanings = GmailLabel.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageMistake("--label \(wrong): NAME=MEANING is meant, with one of \(meanings)")
    }
    if line.operands.contains("-"), line.operands.count > 1 {
      throw UsageMistake("- cannot be combined with other sources")
    }
  }

  /// The options as an import takes them.
  ///
  /// - Throws: that a word is no tag that all messages can get.
  func wanted() throws(Explanation) -> MailImportOptions {
    let tags = try TagEdit(self.tags.map { "+" + $0 })
    guard !tags.isMoving else {
      throw Explanation(
        .usage,
        "the tag \"inbox\" says where a message is",
        hint: "--to names the folder"
      )
    }
    var wanted = MailImportOptions()
    for (name, meaning) in labels.compactMap(Self.label) { wanted.labels.add(name, meaning) }
    wanted.kind = kind
    wanted.keepsFields = keepsFields
    wanted.isUnread = isUnread
    wanted.includesDeleted = includesDeleted
    wanted.again = again
    wanted.includesJunk = includesJunk
    wanted.tags = tags.added
    wanted.marks = tags.marks
    wanted.isDryRun = isDryRun
    return wanted
  }

  /// A name and what it says, of `NAME=MEANING`; nil for another text.
  private static func label(_ text: String) -> (name: String, meaning: GmailLabel)? {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex,
      let meaning = GmailLabel(rawValue: String(text[text.index(after: equals)...]))
    else { return nil }
    return (String(text[..<equals]), meaning)
  }
}
