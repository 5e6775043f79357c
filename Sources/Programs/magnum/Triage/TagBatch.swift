internal import MailModel
internal import CommandLine
internal import Octets
internal import Platform
internal import Triage

/// `magnum tag --batch`: changes of tags on standard input, a line each, one after the other.
struct TagBatch {
  /// The longest text that is read, in octets.
  private static let inputLimit = 1 << 28

  private let options: TriageCommand.Options
  private let context: CommandContext

  init(_ options: TriageCommand.Options, _ context: CommandContext) {
    var options = options
    // As with notmuch: a line that finds nothing changes nothing.
    options.rules.mayFindNothing = true
    self.options = options
    self.context = context
  }

  func applyOrders() -> ExitStatus {
    do throws(Explanation) {
      let orders = try orders()
      return ExitStatus.mostSevere(
        of: orders.map { edit, query in
          TriageTask(.tag(edit), options, context, [query]).run()
        }
      )
    } catch {
      return context.report(error)
    }
  }

  /// What all lines ask for: one that is wrong keeps all from being carried out.
  private func orders() throws(Explanation) -> [(edit: TagEdit, query: String)] {
    let octets = try CommandContext.standardInput(limit: Self.inputLimit)
    var orders: [(edit: TagEdit, query: String)] = []
    let lines = octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      guard let order = try order(line, number + 1) else { continue }
      let edit = try TagEdit(order.words, replacing: options.removesAll)
      orders.append((edit, order.query))
    }
    return orders
  }

  private func order(
    _ line: ArraySlice<UInt8>,
    _ number: Int
  ) throws(Explanation) -> TagBatchLine? {
    do throws(TagLineError) {
      return try TagBatchLine(line, mayLackTags: options.removesAll)
    } catch {
      throw Explanation(
        .data,
        place: "standard input:\(number)",
        "this line names no tags and messages",
        hint: "nothing was changed; a line is: +tag -other%20tag -- QUERY"
      )
    }
  }
}
