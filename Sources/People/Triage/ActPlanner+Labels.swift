internal import Configuration
internal import Correspondence
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform

// What verbs mean where labels are tags: all mail but that in Trash and Spam is in one folder.
extension ActPlanner {
  /// The tags that messages get and lose where they go to INBOX, to a label or out of sight; nil where they go to a folder, or
  /// labels are none.
  func labels(_ account: Account) throws(Explanation) -> (added: [[UInt8]], removed: [[UInt8]])? {
    guard account.sync.labels == .tags else { return nil }
    switch verb {
    case .notjunk: return ([TagName.inbox], [])
    case .move(let name):
      guard try destinations.isLabel(name, of: account) else { return nil }
      if name.utf8.equalsCaseless("INBOX") { return ([TagName.inbox], []) }
      return ([try account.tag(ofLabel: [UInt8](name.utf8))], [TagName.inbox])
    case .snooze: return ([try account.snoozedTag], [TagName.inbox])
    case .unsnooze: return ([TagName.inbox], [try account.snoozedTag])
    case .read, .unread, .flag, .unflag, .archive, .delete, .junk, .copy, .expunge, .tag:
      return nil
    }
  }

  /// The changes by which a message gets and loses tags, in the folder of all mail.
  func labelling(
    _ file: TargetFile,
    _ change: (added: [[UInt8]], removed: [[UInt8]])
  ) throws(Explanation) -> [ActStep.Change] {
    guard let folder = try folders(file.account).folder(for: .archive) else {
      throw Explanation(
        .partial,
        place: file.account.name,
        "there is no folder of all mail",
        hint: "run magnum-sync"
      )
    }
    let known = tags.tags(of: file)
    // Others are not out of sight.
    if verb == .unsnooze,
      known.contains(TagName.inbox) || !change.removed.allSatisfy(known.contains)
    {
      return []
    }
    let marks: (on: SystemFlags, off: SystemFlags) = edit?.marks ?? ([], [])
    let wanted = file.file.name.flags.union(verb.marks.on).subtracting(verb.marks.off)
    let place = FilePlace(folder, wanted.union(marks.on).subtracting(marks.off))
    let judged = verb == .notjunk ? judgement : (added: [], removed: [])
    let sorted = change.added.contains(TagName.inbox) ? mark(ofNewcomer: file) : []
    let edited = tags.change(
      judged.added + (edit?.added ?? []) + change.added + sorted,
      judged.removed + (edit?.removed ?? []) + change.removed,
      file,
      at: place
    )
    let moved: ActStep.Change? = place == file.place ? nil : .place(from: file.place, to: place)
    return [moved, edited].compactMap { $0 }
  }

  /// What keeps rules, also on other machines, from a message that a person gives the tag `inbox`.
  func mark(ofNewcomer file: TargetFile) -> [[UInt8]] {
    let isThere = tags.tags(of: file).contains { $0.equalsCaseless(TagName.inbox) }
    return !isThere && sorted.contains(file.account.name) ? [RuleMark.keyword] : []
  }
}

extension TagReader {
  /// Whether a file in the folder of all mail is of a draft, or of a message that was sent and is in no inbox.
  func isOwn(_ file: TargetFile) throws(Explanation) -> Bool {
    let known = tags(of: file)
    let here = [TagName.inbox, try file.account.snoozedTag]
    let isSent = known.contains(SentMail.tag) && !known.contains(where: here.contains)
    return isSent || file.file.name.flags.contains(.draft)
  }
}

extension Account {
  /// The tag that stands for a label.
  ///
  /// - Throws: that none does.
  func tag(ofLabel name: [UInt8]) throws(Explanation) -> [UInt8] {
    guard let label = ModifiedUTF7.encode(name), case .tag(let tag) = LabelMeaning(label: label)
    else {
      let shown = Printable.text(name, limit: 200)
      throw Explanation(.data, place: self.name, "no tag can stand for the label \(shown)")
    }
    return tag
  }

  /// The tag that snoozed messages have in place of `inbox`, where labels are tags.
  var snoozedTag: [UInt8] {
    get throws(Explanation) {
      try roles[.snoozed].map { (name) throws(Explanation) in try tag(ofLabel: name) }
        ?? LaterTag.snoozed
    }
  }
}
