import IMAP
import MailModel
import TestSupport

/// The commands that change a server as people write them in a fixture: `store 1:3 +\\Seen silent`,
/// `append INBOX \\Seen,$Junk/837596665/5 //7` (flags, date and size of each message).
enum ChangeText {
  static func parse(_ words: [[UInt8]]) throws -> IMAP.Command {
    let name = CommandText.text(words[0])
    switch name {
    case "expunge": return .expunge
    case "store": return try store(words)
    case "store-found": return .uidStoreFound(change(words[1]))
    case "search-sizes":
      let words = words.dropFirst()
      return .uidSearchSizes(try sizes(words), unflagged: unflagged(words))
    case "store-label":
      let isAdding = words[2].first == UInt8(ascii: "+")
      return .uidStoreLabel(try set(words[1]), Array(words[2].dropFirst()), isAdding: isAdding)
    case "append": return .append(mailbox(words[1]), try words.dropFirst(2).map(message))
    case "uid-expunge": return .uidExpunge(try set(words[1]))
    case "copy": return .uidCopy(try set(words[1]), to: mailbox(words[2]))
    case "move": return .uidMove(try set(words[1]), to: mailbox(words[2]))
    case "move-found": return .uidMoveFound(to: mailbox(words[1]))
    case "create": return .create(mailbox(words[1]), specialUse: words.dropFirst(2).first)
    case "delete": return .delete(mailbox(words[1]))
    case "rename": return .rename(mailbox(words[1]), to: mailbox(words[2]))
    case "subscribe": return .subscribe(mailbox(words[1]))
    case "unsubscribe": return .unsubscribe(mailbox(words[1]))
    default: throw HarnessError("unknown command: \(name)")
    }
  }

  private static func mailbox(_ word: [UInt8]) -> MailboxName {
    MailboxName(wire: word)
  }

  private static func set(_ word: [UInt8]) throws -> UIDSet {
    try CommandText.set(CommandText.text(word))
  }

  private static func store(_ words: [[UInt8]]) throws -> IMAP.Command {
    let options = words.dropFirst(3).map(CommandText.text)
    return .uidStore(
      try set(words[1]),
      change(words[2]),
      unchangedSince: options.first == "since" ? UInt64(options[1]) : nil,
      silent: options.last == "silent"
    )
  }

  private static func change(_ word: [UInt8]) -> FlagChange {
    let flags = flags(word.dropFirst())
    return word.first == UInt8(ascii: "+") ? .adding(flags) : .removing(flags)
  }

  /// `5/200`: the message 5 has 200 octets; `5/200/unflagged`: it is not flagged either.
  private static func sizes(_ words: some Sequence<[UInt8]>) throws -> [UInt32: UInt64] {
    var sizes: [UInt32: UInt64] = [:]
    for word in words {
      let numbers = CommandText.text(word).split(separator: "/").prefix(2).compactMap { UInt64($0) }
      guard numbers.count == 2 else { throw HarnessError("no size: \(CommandText.text(word))") }
      sizes[UInt32(numbers[0])] = numbers[1]
    }
    return sizes
  }

  private static func unflagged(_ words: some Sequence<[UInt8]>) -> Set<UInt32> {
    Set(
      words.map(CommandText.text).filter { $0.hasSuffix("/unflagged") }.compactMap { word in
        word.split(separator: "/").first.flatMap { UInt32($0) }
      }
    )
  }

  private static func flags(_ octets: ArraySlice<UInt8>) -> [Flag] {
    octets.split(separator: UInt8(ascii: ",")).map { Flag(wire: $0) }
  }

  private static func message(_ word: [UInt8]) throws -> AppendMessage {
    let parts = word.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 3, let size = UInt64(CommandText.text(parts[2])),
      let message = AppendMessage(
        flags: flags(parts[0]),
        internalDate: Int64(CommandText.text(parts[1])),
        size: size
      )
    else { throw HarnessError("no message: \(CommandText.text(word))") }
    return message
  }
}
