internal import Configuration
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform

// What verbs mean where labels are tags: all mail but that in Trash and Spam is in one folder.
extension ActPlanner {
  /// The tags that messages get and lose by a move to INBOX or to a label; nil where it is to a folder, or labels are none.
  func labels(_ account: Account) throws(Explanation) -> (added: [[UInt8]], removed: [[UInt8]])? {
    guard account.sync.labels == .tags else { return nil }
    switch verb {
    case .notjunk: return ([TagName.inbox], [])
    case .move(let name):
      guard try destinations.isLabel(name, of: account) else { return nil }
      if name.utf8.equalsCaseless("INBOX") { return ([TagName.inbox], []) }
      guard let label = ModifiedUTF7.encode(name.utf8),
        case .tag(let tag) = LabelMeaning(label: label)
      else {
        let shown = Printable.text(name.utf8, limit: 200)
        throw Explanation(.data, place: account.name, "no tag can stand for the label \(shown)")
      }
      return ([tag], [TagName.inbox])
    case .read, .unread, .flag, .unflag, .archive, .delete, .junk, .copy, .expunge, .tag, .snooze,
      .unsnooze:
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
    let marks: (on: SystemFlags, off: SystemFlags) = edit?.marks ?? ([], [])
    let place = FilePlace(folder, file.file.name.flags.union(marks.on).subtracting(marks.off))
    let judged = judgement
    let edited = tags.change(
      judged.added + (edit?.added ?? []) + change.added,
      judged.removed + (edit?.removed ?? []) + change.removed,
      file,
      at: place
    )
    let moved: ActStep.Change? = place == file.place ? nil : .place(from: file.place, to: place)
    return [moved, edited].compactMap { $0 }
  }
}
