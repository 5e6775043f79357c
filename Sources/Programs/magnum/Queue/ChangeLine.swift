internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// What was done to an entry, for a program.
struct ChangeLine {
  private let item: QueuedItem
  /// The name of the subcommand that did it.
  private let change: String
  /// The entry that it was done to, or that has taken its place.
  private let id: EntryID
  private let isNew: Bool

  init(_ item: QueuedItem, _ change: String, of id: EntryID? = nil) {
    self.item = item
    self.change = change
    self.id = id ?? item.id
    isNew = false
  }

  init(_ item: QueuedItem, _ change: String, new id: EntryID) {
    self.item = item
    self.change = change
    self.id = id
    isNew = true
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("change", change)
    line.add("id", "\(id)")
    line.add("account", item.spool.account)
    line.add("replaces", ifPresent: isNew ? "\(item.id)" : nil)
    return line
  }
}
