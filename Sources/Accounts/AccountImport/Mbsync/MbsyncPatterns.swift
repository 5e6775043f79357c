internal import Octets

/// The mailboxes that a channel of mbsync syncs: patterns in their order, of which the last one that fits counts.
///
/// Names are in modified UTF-7 there.
struct MbsyncPatterns {
  /// One of the patterns.
  struct Entry: Hashable {
    let pattern: String
    let admits: Bool
    /// The pattern as a line of the configuration has it.
    var text: String { admits ? pattern : "!\(pattern)" }
    var hasWildcard: Bool { pattern.utf8.contains { $0 == ASCII.asterisk || $0 == ASCII.percent } }
  }

  private(set) var entries: [Entry] = []

  /// Takes the patterns of a channel, or its one mailbox.
  init(_ channel: MbsyncChannel, _ names: MbsyncNames) {
    let box = channel.server.box
    guard !channel.patterns.isEmpty else {
      entries = [Entry(pattern: names.mailbox(box.isEmpty ? "INBOX" : box), admits: true)]
      return
    }
    for pattern in channel.patterns {
      let admits = !pattern.hasPrefix("!")
      let text = names.mailbox(box + (admits ? pattern : String(pattern.dropFirst())))
      // The inbox of a server with a prefix is not below that.
      if names.prefix == "INBOX/", text.hasSuffix("/*") || text.hasSuffix("/%"),
        text.utf8.count == 7
      {
        entries.append(Entry(pattern: "INBOX", admits: admits))
      }
      entries.append(Entry(pattern: text, admits: admits))
    }
  }

  /// Whether the patterns let in all that another one fits, as far as patterns tell.
  func admitAll(of pattern: String) -> Bool {
    entries.last { Self.covers($0.pattern, pattern) || Self.covers(pattern, $0.pattern) }
      .map { $0.admits && Self.covers($0.pattern, pattern) } ?? false
  }

  /// What the patterns of several channels let through together.
  static func union(_ all: [MbsyncPatterns]) -> [Entry] {
    let everything = all.flatMap(\.entries)
    if everything.allSatisfy(\.admits) { return simplified(everything) }
    var entries: [Entry] = []
    for (place, patterns) in all.enumerated() where patterns.entries.contains(where: \.hasWildcard)
    {
      // What one channel leaves out, another may have.
      let others = all.enumerated().filter { $0.offset != place }.map(\.element)
      entries += patterns.entries.filter { entry in
        entry.admits || !others.contains { $0.admitAll(of: entry.pattern) }
      }
    }
    // Single mailboxes, and what a channel with patterns keeps out of another's, come last, where they count.
    for patterns in all {
      for entry in patterns.entries where entry.admits && !patterns.isCancelled(entry) {
        if !admits(entries, entry.pattern) { entries.append(entry) }
      }
    }
    return simplified(entries)
  }

  /// Whether a later pattern of the channel keeps out what the entry lets in.
  private func isCancelled(_ entry: Entry) -> Bool {
    guard let place = entries.lastIndex(of: entry) else { return false }
    return entries[place...].contains { !$0.admits && Self.covers($0.pattern, entry.pattern) }
  }

  private static func admits(_ entries: [Entry], _ pattern: String) -> Bool {
    entries.last { covers($0.pattern, pattern) }?.admits ?? false
  }

  /// Without patterns that change nothing: those that a later one covers, and those that say again what one before says.
  private static func simplified(_ entries: [Entry]) -> [Entry] {
    var result: [Entry] = []
    for (place, entry) in entries.enumerated() {
      let isCovered = entries[(place + 1)...].contains { covers($0.pattern, entry.pattern) }
      if isCovered { continue }
      let touching = result.last {
        covers($0.pattern, entry.pattern) || covers(entry.pattern, $0.pattern)
      }
      if let touching, touching.admits == entry.admits, covers(touching.pattern, entry.pattern) {
        continue
      }
      // Nothing is kept out that nothing has let in.
      if !entry.admits, touching == nil { continue }
      result.append(entry)
    }
    return result
  }

  /// Whether all that the other fits is fitted by the pattern: exact where the other has no wildcards.
  static func covers(_ pattern: String, _ other: String) -> Bool {
    fits(Array(pattern.utf8)[...], Array(other.utf8)[...])
  }

  private static func fits(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    // The last place to try a wildcard again from; one is enough, since the later one can take over.
    var pattern = pattern
    var name = name
    var again: (pattern: ArraySlice<UInt8>, name: ArraySlice<UInt8>, stops: Bool)?
    while true {
      if let first = pattern.first, first == ASCII.asterisk || first == ASCII.percent {
        pattern = pattern.dropFirst()
        again = (pattern, name, first == ASCII.percent)
      } else if let first = pattern.first, first == name.first {
        pattern = pattern.dropFirst()
        name = name.dropFirst()
      } else if pattern.isEmpty, name.isEmpty {
        return true
      } else if let last = again, let skipped = last.name.first,
        !last.stops || (skipped != ASCII.slash && skipped != ASCII.asterisk)
      {
        name = last.name.dropFirst()
        pattern = last.pattern
        again = (last.pattern, name, last.stops)
      } else {
        return false
      }
    }
  }

  /// A name as people read it; one that is no modified UTF-7 stays as it is.
  static func decoded(_ name: String) -> String {
    ModifiedUTF7.decode(name.utf8).flatMap { String(validating: $0, as: UTF8.self) } ?? name
  }
}
