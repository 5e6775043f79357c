internal import SearchIndex

/// The tags that lines of a dump give to messages.
struct WantedTags {
  private struct Message: Hashable {
    let id: [UInt8]
    let content: UInt64
  }

  private var common: [[UInt8]: [[UInt8]]] = [:]
  private var own: [Message: [[UInt8]]] = [:]
  /// What only some messages of a Message-ID have.
  private var others: [[UInt8]: Set<[UInt8]>] = [:]
  /// The ids of lines by what earlier versions encoded in them.
  private var encoded: [[UInt8]: [UInt8]] = [:]

  init(_ lines: [TagLine]) {
    for line in lines {
      if let decoded = line.decodedID { encoded[decoded] = line.id }
      if let content = line.content {
        own[Message(id: line.id, content: content), default: []] += line.tags
        others[line.id, default: []].formUnion(line.tags)
      } else {
        common[line.id, default: []] += line.tags
      }
    }
  }

  /// The tags of a message; nil where no line names it.
  ///
  /// One that has no line of its own gets all that those of its Message-ID have, as it is one message with them to notmuch.
  func tags(of message: FoundMessage) -> [[UInt8]]? {
    guard let id = line(of: message) else { return nil }
    let own = own[Message(id: id, content: message.content)]
    guard let own else { return common[id] }
    let others = others[id] ?? []
    return (common[id] ?? []).filter { !others.contains($0) } + own
  }

  /// The id of the lines that are about a message; nil where none is.
  func line(of message: FoundMessage) -> [UInt8]? {
    [message.id, encoded[message.id]].compactMap { $0 }.first {
      common[$0] != nil || others[$0] != nil
    }
  }
}
