internal import ArgumentParser
internal import Octets
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// `magnum queue show`.
struct QueueShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show an entry: its header, what happened to it, and its message."
  )

  @OptionGroup var global: ConfigurationOption

  @Flag(name: .long, help: "Show the message as it is, and nothing else.")
  var raw = false

  @Argument(help: ArgumentHelp("The entry.", valueName: "entry"))
  var entry: String

  func run() throws {
    try QueueDesk().run(config: global.path) { (desk) throws(SpoolError) in
      guard let item = try desk.item(entry) else { return .partial }
      guard let stored = try item.spool.load(item.id, in: item.state) else {
        throw .noEntry(item.id)
      }
      if raw {
        desk.console.print(octets: stored.message ?? [])
      } else {
        show(stored, item, desk.console)
      }
      return .success
    }
  }

  private func show(_ stored: StoredEntry, _ item: QueuedItem, _ console: Console) {
    console.print("State: \(item.state.rawValue)")
    for line in lines(stored.entry.header) { console.print(line) }
    for record in item.content?.log ?? [] { console.print("  " + text(record.line)) }
    guard let message = stored.message else { return }
    console.print("")
    for line in lines(message) { console.print(line) }
  }

  /// Lines that cannot steer the terminal.
  private func lines(_ octets: [UInt8]) -> [String] {
    octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).dropLast()
      .map { Printable.text($0, limit: 2000) }
  }

  private func text(_ line: [UInt8]) -> String { Printable.text(line.dropLast(), limit: 2000) }
}
