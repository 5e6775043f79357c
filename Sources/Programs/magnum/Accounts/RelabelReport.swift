internal import Carriage
internal import CommandLine
internal import Configuration
internal import MailModel
internal import Octets
internal import Platform
internal import Terminal

/// Shows what became of a former Maildir: counts on standard output, what is left out on standard error.
final class RelabelReport {
  private let context: CommandContext
  private let account: Account
  private let source: Path
  private let isDryRun: Bool

  init(_ context: CommandContext, _ account: Account, _ source: Path, isDryRun: Bool) {
    (self.context, self.account, self.source) = (context, account, source)
    self.isDryRun = isDryRun
  }

  /// Shows how far it is.
  func showProgress(_ count: Int) {
    context.console.drawFooter(["\(HumanFormat.count(count)) files read"])
  }

  /// Shows a file that is left out.
  func show(_ path: Path, _ flaw: ImportFlaw) {
    context.report(place: path.display, "left out: \(flaw.text)")
  }

  /// Shows what it came to.
  func show(_ counts: RelabelCounts) {
    context.console.drawFooter([])
    if context.globals.json {
      context.console.print(octets: json(counts).octets)
    }
    if counts.isInterrupted {
      context.report("interrupted", hint: "the same command adds the rest")
    }
    guard !context.globals.json else { return }
    for note in notes(counts) { context.console.writeNote(note) }
    guard !context.globals.quiet else { return }
    context.console.print(Self.read(counts))
    context.console.print(Self.placed(counts, isDryRun: isDryRun))
    guard !isDryRun, !counts.isInterrupted else { return }
    context.console.writeNote("next: magnum-sync \(ShellWord.quoted(account.name))")
  }

  private static func read(_ counts: RelabelCounts) -> String {
    "\(number(counts.read)) files read: \(number(counts.messages)) messages, "
      + "\(number(counts.copies)) further copies, \(number(counts.left)) left out"
  }

  private static func placed(_ counts: RelabelCounts, isDryRun: Bool) -> String {
    var parts = [
      "\(number(counts.added)) \(isDryRun ? "would be added" : "added")",
      "\(number(counts.there)) already there",
    ]
    if counts.copied > 0 { parts[0] += " (\(number(counts.copied)) copied, not linked)" }
    if counts.changed > 0 { parts.append("\(number(counts.changed)) changed meanwhile") }
    if counts.unplaced > 0 { parts.append("\(number(counts.unplaced)) messages without a folder") }
    return "files in the new maildir: " + parts.joined(separator: ", ")
  }

  private static func number(_ count: Int) -> String { HumanFormat.count(count) }

  /// What is not as it was in all files.
  private func notes(_ counts: RelabelCounts) -> [String] {
    var notes: [String] = []
    if counts.differing > 0 {
      notes.append(
        "messages with different flags in their copies: \(counts.differing); they get all of them"
      )
    }
    if counts.returning > 0 {
      notes.append(
        "removals that were not synced: \(counts.returning); what was removed comes back"
      )
    }
    if counts.unplaced > 0 {
      notes.append(
        "messages without a folder: \(counts.unplaced); they stay in \(source.display) and on the server"
      )
    }
    return notes
  }

  private func json(_ counts: RelabelCounts) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("account", account.name)
    line.add("read", counts.read)
    line.add("messages", counts.messages)
    line.add("copies", counts.copies)
    line.add("left", counts.left)
    line.add("added", counts.added)
    line.add("copied", counts.copied)
    line.add("there", counts.there)
    line.add("changed", counts.changed)
    line.add("unplaced", counts.unplaced)
    line.add("differing", counts.differing)
    line.add("returning", counts.returning)
    line.add("octets", counts.octets)
    return line
  }
}
