internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// What was done to an entry, for a program.
struct ChangeLine {
  private let item: QueuedItem
  /// The name of the subcommand that did it.
  private let change: String
  /// The entry that has taken its place; nil where it is the same.
  private let new: EntryID?

  init(_ item: QueuedItem, _ change: String, new: EntryID? = nil) {
    self.item = item
    self.change = change
    self.new = new
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("change", change)
    line.add("id", "\(new ?? item.id)")
    line.add("account", item.spool.account)
    line.add("replaces", ifPresent: new == nil ? nil : "\(item.id)")
    return line
  }
}
