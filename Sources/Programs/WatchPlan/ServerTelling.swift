/// What the server told of changes, and how soon a sync looks for them.
///
/// A server may tell again and again of the same, or of mailboxes that are not mirrored. Where several syncs in a row found
/// nothing of what it told, those that follow begin later.
struct ServerTelling: Hashable, Sendable {
  /// So many syncs in a row may find nothing before those that follow are put off.
  static let free = 5
  /// Seconds after the end of the sync before at which the first, second … of them begins; the last counts for all after it.
  static let delays = [5.0, 10, 30, 60]

  /// Whether it told of something that no sync has seen, and whether it had before the last sync.
  private var (isNew, wasNew) = (false, false)
  /// How many syncs in a row found nothing of what it told.
  private var futile = 0

  /// Seconds after the last sync at which one is to look for what was told; nil where nothing was.
  var delay: Double? {
    guard isNew else { return nil }
    return futile < Self.free ? 0 : Self.delays[min(futile - Self.free, Self.delays.count - 1)]
  }

  /// The server reported a change.
  mutating func recordChange() { isNew = true }

  /// A sync begins.
  mutating func begin() { (wasNew, isNew) = (isNew, false) }

  /// That sync came to its end, and found something to do or not.
  mutating func end(hasFound: Bool) {
    if hasFound { futile = 0 } else if wasNew { futile += 1 }
  }
}
