internal import MailModel
internal import MirrorCheck
internal import Octets
internal import SpoolPlan
internal import Syncing
internal import Terminal
internal import Verification

/// What a verification found, in words.
enum VerificationWords {
  /// A difference: which message or file, what, and what the next sync makes of it.
  static func text(_ difference: MirrorDifference) -> String {
    let file = difference.name.map { Printable.text($0) }
    let parts = [difference.uid.map { "UID \($0)" }, file].compactMap { $0 }
    let place = parts.isEmpty ? "" : parts.joined(separator: " ") + ": "
    return place + text(difference.kind)
  }

  private static func text(_ kind: MirrorDifference.Kind) -> String {
    switch kind {
    case .mailbox(let obstacle): text(obstacle)
    case .fileMissing: "its file is gone"
    case .notFetched: "only on the server"
    case .goneFromServer: "no longer on the server"
    case .goneOnBothSides: "gone on both sides since the last sync"
    case .unknownFile: "only here"
    case .namesake: "another file in the folder has its name"
    case .noFile: "no regular file; not synced"
    case .noName: "its name has nothing before the colon; not synced"
    case .flags(let here, let there, let changed):
      "flags \(letters(here)) here, \(letters(there)) on the server (\(text(changed)))"
    case .keywords(let here, let there):
      "keywords \(words(here)) here, \(words(there)) on the server"
    case .size(let recorded, let there):
      "\(recorded) octets on record, the server says \(there)"
    case .date(let recorded, let there):
      "date \(date(recorded)) on record, the server says \(date(there))"
    case .content: "its file does not hold what was synced"
    case .octets: "its file and the message on the server differ"
    case .notGiven: "the server lists it but does not return it"
    case .unreadable(let reason): "its file cannot be read: \(reason)"
    }
  }

  private static func text(_ obstacle: MirrorDifference.Obstacle) -> String {
    switch obstacle {
    case .notMirrored: "not synced yet"
    case .damagedRecord: "its record is damaged; the next sync matches files and messages"
    case .folderMissing: "its folder is gone"
    case .validityChanged:
      "UIDVALIDITY changed; the next sync matches files and messages"
    case .goneFromServer: "the mailbox no longer exists on the server"
    case .onlyHere: "an empty folder, only here"
    }
  }

  private static func text(_ side: MirrorDifference.Side) -> String {
    switch side {
    case .here: "changed here"
    case .server: "changed on the server"
    case .both: "changed on both sides"
    }
  }

  private static func letters(_ flags: SystemFlags) -> String {
    let letters = flags.letters
    return letters.isEmpty ? "none" : letters
  }

  private static func words(_ keywords: [[UInt8]]) -> String {
    keywords.isEmpty ? "none" : keywords.map { Printable.text($0) }.joined(separator: " ")
  }

  private static func date(_ seconds: Int64) -> String {
    String(decoding: Timestamp.octets(seconds), as: UTF8.self)
  }

  /// How many differences there are.
  static func differences(_ count: Int) -> String {
    count == 1 ? "1 difference" : "\(count) differences"
  }

  /// Where messages wait for another day: how many, and when it goes on.
  static func left(_ report: VerificationReport, _ account: String, now: Int64) -> String? {
    guard report.left > 0, let end = report.resumption else { return nil }
    let words = ReportWords.left(UInt64(report.left), report.leftOctets, until: end, now: now)
    return "\(Printable.text(account.utf8))  daily-limit reached: \(words)"
  }

  /// One line for an account.
  static func summary(_ report: VerificationReport, _ account: String, isDeep: Bool) -> String {
    var parts = ["\(report.equal) messages equal\(isDeep ? " octet by octet" : "")"]
    if report.differences > 0 { parts.append(differences(report.differences)) }
    if report.failed > 0 { parts.append("\(report.failed) mailboxes could not be compared") }
    if report.detached > 0 { parts.append("\(report.detached) detached files") }
    if report.copies > 0 { parts.append("\(report.copies) second copies of sent messages") }
    if report.partial > 0 { parts.append("\(report.partial) without attachments") }
    if report.going > 0 { parts.append("\(report.going) removed here and still on the server") }
    if report.older > 0 { parts.append("\(report.older) older than the window") }
    if report.others > 0 { parts.append("\(report.others) mailboxes left out") }
    return "\(Printable.text(account.utf8))  " + parts.joined(separator: "  ")
  }
}

extension SystemFlags {
  /// The flags as a file name shows them.
  var letters: String {
    let all: [(SystemFlags, String)] = [
      (.draft, "D"), (.flagged, "F"), (.forwarded, "P"), (.answered, "R"), (.seen, "S"),
      (.deleted, "T"),
    ]
    return all.filter { contains($0.0) }.map(\.1).joined()
  }
}
