/// A file in the folder for snoozed messages.
struct SnoozedFile: Hashable, Sendable {
  /// Its base name.
  let base: [UInt8]
  /// Its Message-ID, without its brackets; empty for none, and where it was not needed.
  var id: [UInt8] = []
  /// The hash of its octets; empty where it was not needed.
  var text: [UInt8] = []
}

/// What becomes of an entry of a snoozed message, by what lies in the folder for such and by the time.
enum SnoozeDecision: Hashable, Sendable {
  /// Its time is to come, and its message is there.
  case wait(file: Int)
  /// The message of that file comes back to the inbox.
  case wake(file: Int)
  /// The message is no longer there: nothing is to be done.
  case over
  /// Several files may be meant.
  case unclear

  /// What becomes of each of some entries.
  ///
  /// - Parameters:
  ///   - entries: the entries of an account.
  ///   - files: what lies in its folder for snoozed messages.
  ///   - now: the time, in seconds since 1970.
  /// - Returns: it, in the order of the entries.
  static func all(_ entries: [LaterEntry], _ files: [SnoozedFile], now: Int64) -> [Self] {
    let own = Set(entries.map(\.base))
    return entries.map { entry in
      let named = files.indices.filter { files[$0].base == entry.base }
      // A sync gives files other names.
      let found =
        named.isEmpty
        ? files.indices.filter { !own.contains(files[$0].base) && isSame(files[$0], entry) }
        : named
      guard let file = found.first else { return .over }
      if entry.due > now { return .wait(file: file) }
      return found.count > 1 ? .unclear : .wake(file: file)
    }
  }

  /// Whether files have to be read since an entry's base name is that of none.
  static func needsTexts(_ entries: [LaterEntry], _ files: [SnoozedFile]) -> Bool {
    let known = Set(files.map(\.base))
    return entries.contains { !known.contains($0.base) }
  }

  private static func isSame(_ file: SnoozedFile, _ entry: LaterEntry) -> Bool {
    !entry.text.isEmpty && file.id == entry.id && file.text == entry.text
  }
}
