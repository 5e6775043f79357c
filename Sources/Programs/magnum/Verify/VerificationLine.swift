internal import MailModel
internal import MirrorCheck
internal import Octets
internal import SpoolPlan
internal import Terminal
internal import Verification

/// What a verification found, as JSON: see verify.json.
enum VerificationLine {
  /// A difference.
  static func line(
    _ difference: MirrorDifference,
    _ mailbox: String,
    _ account: String
  ) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("event", "difference")
    line.add("account", account)
    line.add("mailbox", mailbox)
    if let uid = difference.uid { line.add("uid", uid) }
    if let name = difference.name { line.add("file", octets: name) }
    add(difference.kind, to: &line)
    return line
  }

  private static func add(_ kind: MirrorDifference.Kind, to line: inout JSONLine) {
    switch kind {
    case .mailbox(let obstacle): line.add("kind", obstacle.rawValue)
    case .fileMissing: line.add("kind", "file-missing")
    case .notFetched: line.add("kind", "not-fetched")
    case .goneFromServer: line.add("kind", "expunged")
    case .goneOnBothSides: line.add("kind", "gone")
    case .unknownFile: line.add("kind", "unknown-file")
    case .namesake: line.add("kind", "namesake")
    case .noFile: line.add("kind", "no-file")
    case .noName: line.add("kind", "no-name")
    case .flags(let here, let there, let changed):
      line.add("kind", "flags")
      line.add("here", here.letters)
      line.add("server", there.letters)
      line.add("changed", changed.rawValue)
    case .keywords(let here, let there):
      line.add("kind", "keywords")
      line.add("here", here.map { Printable.text($0) }.joined(separator: " "))
      line.add("server", there.map { Printable.text($0) }.joined(separator: " "))
    case .size(let recorded, let there):
      line.add("kind", "size")
      line.add("here", "\(recorded)")
      line.add("server", "\(there)")
    case .date(let recorded, let there):
      line.add("kind", "date")
      line.add("here", String(decoding: Timestamp.octets(recorded), as: UTF8.self))
      line.add("server", String(decoding: Timestamp.octets(there), as: UTF8.self))
    case .content: line.add("kind", "content")
    case .octets: line.add("kind", "octets")
    case .notGiven: line.add("kind", "not-given")
    case .unreadable(let reason):
      line.add("kind", "unreadable")
      line.add("reason", reason)
    }
  }

  /// What an account came to.
  static func line(_ report: VerificationReport, _ account: String, isDeep: Bool) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("event", "verified")
    line.add("account", account)
    line.add("deep", isDeep)
    line.add("complete", report.failure == nil && report.failed == 0 && report.left == 0)
    line.add("mailboxes", report.mailboxes)
    line.add("equal", report.equal)
    line.add("differences", report.differences)
    line.add("detached", report.detached)
    line.add("copies", report.copies)
    line.add("going", report.going)
    line.add("older", report.older)
    line.add("partial", report.partial)
    line.add("others", report.others)
    line.add("left", report.left)
    if let resumption = report.resumption {
      line.add("resumes", String(decoding: Timestamp.octets(resumption), as: UTF8.self))
    }
    return line
  }
}
