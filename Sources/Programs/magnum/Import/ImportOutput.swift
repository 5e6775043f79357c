internal import Carriage
internal import CommandLine
internal import Configuration
internal import MailModel
internal import Octets
internal import Platform
internal import Terminal

/// Shows an import: counts on standard output, or a JSON line for each message; what is left out on standard error.
final class ImportOutput {
  private let context: CommandContext
  private let target: ImportTarget
  private let isDryRun: Bool
  private var shown: Int64?

  /// Files without mail that are named; more are only counted.
  private static let listLimit = 20
  /// Labels that are named; more are only counted.
  private static let labelLimit = 100

  init(_ context: CommandContext, _ target: ImportTarget, isDryRun: Bool) {
    (self.context, self.target, self.isDryRun) = (context, target, isDryRun)
  }

  func show(_ event: ImportEvent) {
    if context.globals.json { context.console.print(octets: Self.line(event, target).octets) }
    guard case .left(let flaw) = event.state else { return }
    var place = event.source.display
    if let offset = event.offset { place += " at octet \(offset)" }
    context.report(place: place, "left out: \(flaw.text)")
  }

  private static func line(_ event: ImportEvent, _ target: ImportTarget) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("file", octets: event.source.octets)
    if let offset = event.offset { line.add("offset", offset) }
    if let id = event.id { line.add("id", octets: id) }
    switch event.state {
    case .added(let folder, let path):
      line.add("state", "added")
      if let account = target.account { line.add("account", account.name) }
      line.add("folder", octets: folder)
      if let path { line.add("path", octets: path.octets) }
    case .there: line.add("state", "there")
    case .deleted: line.add("state", "deleted")
    case .left(let flaw):
      line.add("state", "left")
      line.add("reason", flaw.text)
    }
    return line
  }

  /// Shows how far it is, at most five times a second.
  func showProgress(_ counts: ImportCounts) {
    let now = Clock.monotonicNanoseconds()
    guard shown.map({ now - $0 > 200_000_000 }) ?? true else { return }
    shown = now
    context.console.drawFooter(["\(HumanFormat.count(counts.read)) messages read"])
  }

  /// Shows what it came to.
  func show(_ counts: ImportCounts, _ search: MailSearch) {
    context.console.drawFooter([])
    if context.globals.json { return context.console.print(octets: Self.line(counts).octets) }
    if !context.globals.quiet {
      for path in search.others.prefix(Self.listLimit) {
        context.console.writeNote("\(path.display): no mail; not read")
      }
      let others = search.others.count - Self.listLimit
      if others > 0 { context.console.writeNote("\(others) more files hold no mail") }
    }
    if counts.lookalikes > 0 {
      let (lines, were) =
        counts.lookalikes == 1
        ? ("1 line looks", "was") : ("\(counts.lookalikes) lines look", "were")
      context.report(
        "\(lines) like the beginning of a message, and \(were) taken as text",
        hint: nil
      )
    }
    if counts.refusedTags.count > 0 {
      let tags = counts.refusedTags.count == 1 ? "1 tag is" : "\(counts.refusedTags.count) tags are"
      let example = Printable.text(counts.refusedTags.example, limit: 60)
      context.report(
        "\(tags) not set, since no message can have them or so many, such as \"\(example)\"",
        hint: nil
      )
    }
    if target.isByLabels, !counts.labels.isEmpty, !context.globals.quiet {
      context.console.writeNote(Self.list(counts.labels))
      context.console.writeNote("--label 'NAME=MEANING' tells what a label of Google's own says")
    }
    if counts.isInterrupted {
      context.report("interrupted", hint: "the same command brings in the others")
    }
    guard !context.globals.quiet else { return }
    context.console.print(Self.text(counts, isDryRun: isDryRun))
    if counts.joined > 0 {
      let count = HumanFormat.count(counts.joined)
      let messages = counts.joined == 1 ? "1 message" : "\(count) messages"
      context.console.print("\(messages) put together with attachments of Apple Mail")
    }
    guard let account = target.account, account.server != nil, counts.added > 0 else { return }
    let messages = counts.added == 1 ? "1 message" : "\(HumanFormat.count(counts.added)) messages"
    context.console.print(
      "the next sync of \(account.name) \(isDryRun ? "would upload" : "uploads") \(messages) "
        + "(\(HumanFormat.bytes(counts.octets)))"
    )
  }

  private static func text(_ counts: ImportCounts, isDryRun: Bool) -> String {
    let number = { (count: Int) in HumanFormat.count(count) }
    return [
      "\(number(counts.read)) read: \(number(counts.added)) \(isDryRun ? "would be added" : "added")",
      "\(number(counts.there)) already there", "\(number(counts.deleted)) deleted before",
      "\(number(counts.left)) left out",
    ].joined(separator: ", ")
  }

  /// Names the labels that became tags: one of Google's own in another language would be among them.
  private static func list(_ labels: [[UInt8]]) -> String {
    let named = labels.prefix(labelLimit).map { Printable.text($0, limit: 100) }
    let others = labels.count - named.count
    let more = others > 0 ? ", and \(HumanFormat.count(others)) more" : ""
    return "labels that became tags: \(named.joined(separator: ", "))\(more)"
  }

  private static func line(_ counts: ImportCounts) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("read", counts.read)
    line.add("added", counts.added)
    line.add("there", counts.there)
    line.add("deleted", counts.deleted)
    line.add("left", counts.left)
    line.add("octets", counts.octets)
    if counts.joined > 0 { line.add("joined", counts.joined) }
    if !counts.labels.isEmpty { line.add("labels", octets: counts.labels) }
    return line
  }
}
