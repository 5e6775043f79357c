internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import RestorePlan
internal import Restoration
internal import SpoolPlan

/// What a restore comes to, in words.
enum RestorationWords {
  /// What to do about a directory with mail of other kinds; nil for one without.
  private static func foreignHint(_ directory: Path, _ account: String) -> String? {
    let mail = ForeignMail(below: directory)
    guard mail.total > 0 else { return nil }
    let kinds = "it holds mail of other kinds (\(mail.text))"
    return "\(kinds); magnum import PATH --to \(account)/FOLDER reads it"
  }

  /// Why a directory is not restored at all.
  static func explanation(_ mistake: MaildirSource.Mistake, _ account: String) -> Explanation {
    switch mistake {
    case .absent(let path): Explanation(.noInput, place: path.display, "there is no such directory")
    case .noDirectory(let path):
      Explanation(
        .noInput,
        place: path.display,
        "it is no directory",
        hint: "magnum import PATH --to \(account)/FOLDER reads a file of mail"
      )
    case .noMaildir(let path):
      Explanation(
        .noInput,
        place: path.display,
        "no Maildir in this directory",
        hint: foreignHint(path, account)
          ?? "a Maildir is a directory that holds the directories cur and new"
      )
    case .ownMirror(let path, let root):
      Explanation(
        .usage,
        place: path.display,
        "it belongs to the mirror of '\(account)', or holds it: \(root.display)",
        hint: "magnum-sync \(account) uploads what the server lacks; to put back what the server"
          + " lost, restore a copy of the folder: see magnum-restore(1)"
      )
    case .state(let path):
      Explanation(.usage, place: path.display, "Magnum keeps its state or its queue there, no mail")
    case .system(let error): Explanation(.system, error.description)
    }
  }

  /// Why something is skipped, and what to do about it.
  static func text(_ reason: SkippedEntry.Reason) -> (what: String, hint: String?) {
    switch reason {
    case .link: ("a symbolic link; not followed", nil)
    case .noFile: ("no regular file; skipped", nil)
    case .noName: ("its name has nothing before the colon; skipped", nil)
    case .hidden:
      (
        "a hidden directory stands for no mailbox; skipped",
        "restore the Maildir that it belongs to by itself"
      )
    case .noMailbox: ("skipped: not a valid mailbox name", nil)
    case .half:
      (
        "it holds files, and its directory is no Maildir, which has both cur and new; skipped",
        "make the one that is missing, if these are messages"
      )
    case .state: ("Magnum keeps its state or its queue there; skipped", nil)
    case .placeholder:
      ("mbsync left it in place of a message that was too large; skipped", nil)
    case .notice: ("a message of Magnum's own, which belongs to no server; skipped", nil)
    case .changed: ("it changed meanwhile; skipped", "run it again")
    case .unreadable(let error): ("it cannot be read: \(error.description)", nil)
    }
  }

  /// What differs between a file and its message.
  static func text(_ difference: RestoreDifference) -> String {
    switch difference {
    case .missing: "not on the server"
    case .octets: "the server has it with another header or other octets"
    case .unread: "the server lists it but does not return it"
    case .flags(let here, let there):
      "flags \(list(here, [])) here, \(list(there, [])) on the server"
        + (difference.isLoss ? ", which goes with the next EXPUNGE there" : "")
    case .keywords(let here, let there):
      "keywords \(list([], here)) here, \(list([], there)) on the server"
    case .date(let here, let there): "date \(date(here)) here, \(date(there)) on the server"
    }
  }

  private static func date(_ seconds: Int64) -> String {
    String(decoding: Timestamp.octets(seconds), as: UTF8.self)
  }

  /// Flags and keywords in one line.
  static func list(_ flags: SystemFlags, _ keywords: [[UInt8]]) -> String {
    let letters = flags.letters
    let words = (letters.isEmpty ? [] : [letters]) + keywords.map { Printable.text($0) }
    return words.isEmpty ? "none" : words.joined(separator: " ")
  }

  /// One line for a mailbox.
  static func text(_ counts: RestorationReport.Counts, isDryRun: Bool) -> String {
    if isDryRun { return planned(counts) }
    let parts = ["\(counts.uploaded) uploaded", "\(counts.present) were there"]
    return (parts + elsewhere(counts) + differences(counts)).joined(separator: ", ")
  }

  private static func planned(_ counts: RestorationReport.Counts) -> String {
    let parts = ["\(counts.uploaded) would be uploaded", "\(counts.present) are there"]
    return (parts + elsewhere(counts)).joined(separator: ", ")
  }

  private static func elsewhere(_ counts: RestorationReport.Counts) -> [String] {
    counts.elsewhere == 0 ? [] : ["\(counts.elsewhere) in other mailboxes"]
  }

  private static func differences(_ counts: RestorationReport.Counts) -> [String] {
    let all = [
      (counts.altered, "with another header or other octets"),
      (counts.remarked, "with other flags or another date"),
      (counts.unequal, "not as they are here"),
      (counts.refused, "not taken"), (counts.missing, "missing"),
    ]
    return all.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }

  /// One line for all.
  static func summary(_ report: RestorationReport, _ account: String, isDryRun: Bool) -> String {
    let counts = report.counts
    var parts: [String]
    if isDryRun {
      parts = [planned(counts)]
      if counts.refused > 0 { parts.append("\(counts.refused) cannot be uploaded") }
    } else {
      let there = counts.uploaded + counts.present + counts.elsewhere
      parts = ["\(there) messages on the server: \(text(counts, isDryRun: false))"]
    }
    if report.skipped > 0 { parts.append("\(report.skipped) skipped") }
    if report.failed > 0 { parts.append("\(report.failed) folders not restored") }
    return "\(Printable.text(account.utf8))  " + parts.joined(separator: "  ")
  }
}
